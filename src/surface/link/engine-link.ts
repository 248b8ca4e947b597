import type { EngineEffect, EngineInput } from '../../protocol/engine-messages.js';
import { messageOf } from '../../protocol/error-message.js';
import type { EngineHost, EngineHostEvents, EngineHostFactory } from '../../protocol/engine-host.js';
import { warnOnce } from '../../protocol/warn-once.js';
import * as WARNINGS from '../../protocol/warning-codes.js';
import { KeptInputs } from './kept-inputs.js';
import type { PageTimers } from '../clock/page-timers.js';

/** An engine that was lost more often than this within a minute is not started again in that kind of host. */
const RESTARTS = 3;
const RESTARTS_WITHIN_MS = 60_000;

/** A host that takes longer, a script that never arrives for one, is given up. */
const OPEN_MS = 30_000;

export interface EngineLinkPorts {
  effects(effects: readonly EngineEffect[]): void;
  /** Resolves when `replay` can be called. Never rejects. */
  ready(): Promise<void>;
  /**
   * An engine was lost, with all that it held. `suspects`: messages that several were lost with before these had taken
   * them. They are not handed to another.
   */
  lost(suspects: readonly unknown[]): void;
  /** Everything a new engine must know, `configure` first. */
  replay(): EngineInput[];
  /** Where the engine runs now. */
  changed(kind: EngineHost['kind'] | null): void;
  /** No host could be opened. */
  unavailable(reason: string): void;
}

/** How an engine ended. */
interface Loss {
  readonly reason: string;
  readonly why: Parameters<EngineHostEvents['lost']>[1];
}

/** A host that has opened. */
interface OpenedHost {
  readonly host: EngineHost;
  /** Set when it was lost before it was put to use. */
  lost?: Loss;
}

/**
 * Keeps an engine running: in the first kind of host that starts, again when it was lost, in the next kind when it is
 * lost too often. Every new engine is told everything that is needed to go on. A generation number keeps out what
 * still comes from an engine that was given up.
 *
 * What hangs one engine may hang each of them, and in the page's own thread that would be the end of the page. Hence
 * an engine that hung gets a successor of its own kind, however often.
 */
export class EngineLink {
  readonly #factories: readonly EngineHostFactory[];
  readonly #timers: PageTimers;
  readonly #ports: EngineLinkPorts;
  readonly #kept = new KeptInputs();
  #next = 0;
  #generation = 0;
  #state: 'idle' | 'opening' | 'open' | 'suspended' | 'closed' = 'idle';
  /** There was an engine when its document was left, or one was wanted since. */
  #wanted = false;
  #host: EngineHost | null = null;
  #losses: number[] = [];
  /** The last engine hung, and none has taken over yet. */
  #hung = false;

  constructor(factories: readonly EngineHostFactory[], timers: PageTimers, ports: EngineLinkPorts) {
    this.#factories = factories;
    this.#timers = timers;
    this.#ports = ports;
  }

  get kind(): EngineHost['kind'] | null {
    return this.#host?.kind ?? null;
  }

  /** Grows with every engine: an answer to a question of an earlier one is of no use to this one. */
  get generation(): number {
    return this.#generation;
  }

  /** Opens a host unless there is one, or one is being opened. After `unavailable` it tries all of them again. */
  start(): void {
    this.#wanted = true;
    if (this.#state === 'idle') void this.#open();
  }

  /** The document is being left, perhaps for good: the engine ends at once, with the connection that it owns. */
  suspend(): void {
    if (this.#state === 'closed' || this.#state === 'suspended') return;
    this.#wanted = this.#state !== 'idle';
    this.#state = 'suspended';
    const host = this.#letGo();
    this.#kept.dropMessages();
    this.#kept.lost();
    if (!host) return;
    host.close(true);
    this.#ports.changed(null);
  }

  /** The document is there again: another engine goes on. */
  resume(): void {
    if (this.#state !== 'suspended') return;
    this.#state = 'idle';
    if (this.#wanted) this.start();
  }

  post(inputs: readonly EngineInput[]): void {
    if (this.#state === 'closed') return;
    this.#kept.add(inputs, this.#host !== null);
    this.#host?.post(inputs);
  }

  /** The engine has taken so many of the inputs that are kept for its successor. */
  taken(count: number): void {
    this.#kept.taken(count);
  }

  /** The connection has ended: no further engine is told what came over it. */
  dropMessages(): void {
    this.#kept.dropMessages();
  }

  /** Ends the engine, whatever state it is in. Idempotent. */
  close(): void {
    this.#state = 'closed';
    this.#kept.clear();
    this.#letGo()?.close();
  }

  async #open(): Promise<void> {
    this.#state = 'opening';
    const reasons: string[] = [];
    while (this.#next < this.#factories.length) {
      const factory = this.#factories[this.#next]!;
      const generation = ++this.#generation;
      try {
        const [opened] = await Promise.all([this.#openHost(factory, generation), this.#ports.ready()]);
        if (generation !== this.#generation) return opened.host.close();
        if (!opened.lost) return this.#use(opened.host);
        this.#noteLoss(factory.kind, opened.lost);
      } catch (error) {
        if (generation !== this.#generation) return;
        // It goes into sentences, and may be one itself.
        const reason = messageOf(error).replace(/\.$/, '');
        reasons.push(reason);
        this.#warnOf(factory, reason);
        this.#next += 1;
        // The next kind may be the page's own thread: whatever the one that hung had in hand is suspect there.
        if (this.#hung) this.#ports.lost(this.#kept.lost());
      }
    }
    this.#state = 'idle';
    this.#next = 0;
    this.#kept.clear();
    const reason = reasons.join('; ') || 'there is no engine host';
    const message = `No engine could start: ${reason}. Requests end INTERNAL_ERROR until one does.`;
    warnOnce(WARNINGS.ENGINE_UNAVAILABLE, message);
    this.#ports.unavailable(reason);
  }

  /** One attempt. Nothing of it is heard once its generation is over or its time is up. */
  #openHost(factory: EngineHostFactory, generation: number): Promise<OpenedHost> {
    return new Promise((resolve, reject) => {
      let waiting = true;
      let opened: OpenedHost | undefined;
      const give = (reason: string): void => {
        waiting = false;
        cancel();
        reject(new Error(reason));
      };
      const cancel = this.#timers.set(OPEN_MS, () => give(`it did not start within ${OPEN_MS / 1000} s`));
      const events: EngineHostEvents = {
        effects: (effects) => {
          if (generation === this.#generation && this.#host) this.#ports.effects(effects);
        },
        lost: (reason, why) => {
          if (!opened) give(reason);
          else if (generation === this.#generation && this.#host) this.#onLost(this.#host.kind, { reason, why });
          else opened.lost = { reason, why };
        },
      };
      factory.open(events).then(
        (host) => {
          cancel();
          if (!waiting) return host.close();
          opened = { host };
          resolve(opened);
        },
        (error: unknown) => give(messageOf(error)),
      );
    });
  }

  /** The engine is told everything in one go, before anything new can happen. */
  #use(host: EngineHost): void {
    this.#state = 'open';
    this.#host = host;
    this.#hung = false;
    this.#timers.use(host);
    host.post([...this.#ports.replay(), ...this.#kept.replay()]);
    this.#ports.changed(host.kind);
  }

  #onLost(kind: EngineHost['kind'], loss: Loss): void {
    this.#letGo();
    this.#noteLoss(kind, loss);
    this.#ports.lost(this.#kept.lost());
    this.#ports.changed(null);
    void this.#open();
  }

  #noteLoss(kind: EngineHost['kind'], { reason, why }: Loss): void {
    if (why === 'hung') this.#hung = true;
    else if (why === 'unfit') this.#next += 1;
    else this.#countDeath();
    if (kind !== 'worker') return;
    const message = `The worker that ran the engine ended (${reason}). Another engine takes over; open calls go on.`;
    warnOnce(WARNINGS.WORKER_LOST, message);
  }

  #countDeath(): void {
    const now = this.#timers.clock.now();
    this.#losses = [...this.#losses.filter((at) => at > now - RESTARTS_WITHIN_MS), now];
    if (this.#losses.length <= RESTARTS) return;
    this.#next += 1;
    this.#losses = [];
  }

  #letGo(): EngineHost | null {
    const host = this.#host;
    this.#host = null;
    this.#generation += 1;
    this.#timers.use(null);
    return host;
  }

  #warnOf({ kind }: EngineHostFactory, reason: string): void {
    if (kind !== 'worker' || this.#next + 1 >= this.#factories.length) return;
    const message = `The engine runs in the page, because no worker could start: ${reason}. Everything still works.`;
    warnOnce(WARNINGS.WORKER_UNAVAILABLE, message, 'worker');
  }
}
