import { createDriver } from '../../src/engine/driver.js';
import type { EngineEffect, EngineInput } from '../../src/protocol/engine-messages.js';
import type { JournalEntry } from '../../src/protocol/journal-entry.js';
import type { EngineHost, EngineHostEvents, EngineHostFactory } from '../../src/protocol/engine-host.js';
import type { Store, Transport, Validator } from '../../src/protocol/ports.js';
import { Life } from './timeline.js';
import type { Timeline } from './timeline.js';

export interface ModelHostPorts {
  readonly timeline: Timeline;
  readonly validator: Validator;
  readonly store: Store;
  /** Of the document that the host is opened in. */
  readonly document: Life;
  wall(): number;
  /** The connection that the engine owns; none where the page owns it. */
  transport(life: Life): Transport | undefined;
  /** The host is gone, and its connection with it. */
  gone(life: Life): void;
  /** What no engine may do, found at the moment it did. */
  violation(text: string): void;
  started(kind: string): void;
}

/** The last words of an engine that was stuck come so long after it was given up: its successor has started by then. */
const LATE_MS = 20;

type Direction = 'to-engine' | 'to-page';

/** A real engine and its driver, on the model's clock, behind two queues that can be slow, and that die with it. */
class ModelHost implements EngineHost {
  readonly kind: EngineHost['kind'];
  readonly life = new Life();
  /** Where each request stands, as far as the page has been told by this engine. */
  readonly stages = new Map<string, JournalEntry['stage']>();
  readonly #ports: ModelHostPorts;
  readonly #events: EngineHostEvents;
  readonly #driver: ReturnType<typeof createDriver>;
  readonly #inputs: EngineInput[] = [];
  readonly #effects: EngineEffect[] = [];
  readonly #slowUntil: Record<Direction, number> = { 'to-engine': 0, 'to-page': 0 };
  readonly #scheduled: Record<Direction, boolean> = { 'to-engine': false, 'to-page': false };

  constructor(kind: EngineHost['kind'], ports: ModelHostPorts, events: EngineHostEvents) {
    this.kind = kind;
    this.#ports = ports;
    this.#events = events;
    const { timeline } = ports;
    this.#driver = createDriver({
      moment: () => ({ now: timeline.now, wall: ports.wall() }),
      setTimer: (ms, callback) => timeline.setTimer(ms, () => this.#guard(callback), this.life),
      validator: ports.validator,
      transport: ports.transport(this.life),
      store: ports.store,
      toPage: (effects) => {
        this.#effects.push(...effects);
        this.#schedule('to-page');
      },
    });
  }

  post(inputs: readonly EngineInput[]): void {
    this.#inputs.push(...inputs);
    this.#schedule('to-engine');
  }

  setTimer(ms: number, callback: () => void) {
    const { timeline, document } = this.#ports;
    // It calls into the page, and ends with the host or the document.
    return timeline.setTimer(ms, () => {
      if (!document.over) callback();
    }, this.life);
  }

  close(): void {
    if (this.life.over) return;
    this.#driver.close();
    this.life.over = true;
  }

  /** What one side tells the other arrives this much later. */
  slow(direction: Direction, ms: number): void {
    this.#slowUntil[direction] = Math.max(this.#slowUntil[direction], this.#ports.timeline.now + ms);
  }

  /**
   * Gone at once, with what it held; the page notices after a while. What was under way to the page is lost, or, of an
   * engine that was only stuck, comes after the page has given it up.
   */
  die(noticedMs: number, hung: boolean): void {
    if (this.life.over) return;
    this.life.over = true;
    this.#ports.gone(this.life);
    const { timeline, document } = this.#ports;
    timeline.setTimer(noticedMs, () => this.#events.lost('it was killed', hung ? 'hung' : undefined), document);
    const late = this.#effects.splice(0);
    if (hung) timeline.setTimer(noticedMs + LATE_MS, () => this.#events.effects(late), document);
  }

  #schedule(direction: Direction): void {
    if (this.#scheduled[direction]) return;
    this.#scheduled[direction] = true;
    const deliver = (): void => {
      const wait = this.#slowUntil[direction] - this.#ports.timeline.now;
      if (wait > 0) {
        this.#ports.timeline.setTimer(wait, deliver, this.life);
        return;
      }
      this.#scheduled[direction] = false;
      if (this.life.over || this.#ports.document.over) return;
      if (direction === 'to-engine') this.#guard(() => this.#driver.post(this.#inputs.splice(0)));
      else this.#hand(this.#effects.splice(0));
    };
    queueMicrotask(deliver);
  }

  #hand(effects: readonly EngineEffect[]): void {
    for (const effect of effects) {
      if (effect.kind === 'journal') this.stages.set(effect.entry.requestId, effect.entry.stage);
      if (effect.kind === 'forget') this.stages.delete(effect.requestId);
    }
    this.#events.effects(effects);
  }

  #guard(step: () => void): void {
    if (this.life.over) return;
    try {
      step();
    } catch (error) {
      this.#ports.violation(`The engine threw: ${error instanceof Error ? error.stack : String(error)}`);
      this.die(0, false);
    }
  }
}

/** Opens model hosts of one kind; the newest can be made slow and killed. */
export class ModelHosts implements EngineHostFactory {
  readonly kind: EngineHost['kind'];
  readonly #ports: ModelHostPorts;
  #newest: ModelHost | undefined;

  constructor(kind: EngineHost['kind'], ports: ModelHostPorts) {
    this.kind = kind;
    this.#ports = ports;
  }

  /** The one that is there, if one is. */
  get host(): ModelHost | undefined {
    return this.#newest?.life.over === false ? this.#newest : undefined;
  }

  async open(events: EngineHostEvents): Promise<EngineHost> {
    await Promise.resolve();
    this.#newest = new ModelHost(this.kind, this.#ports, events);
    this.#ports.started(this.kind);
    return this.#newest;
  }
}
