import type { EngineEffect, EngineInput } from '../protocol/engine-messages.js';
import type { EngineHost, EngineHostEvents, EngineHostFactory } from '../protocol/ports.js';
import { WARNINGS, warnOnce } from '../protocol/warn-once.js';
import { messageOf } from './outcome.js';
import type { PageTimers } from './page-timers.js';

/** An engine that was lost more often than this within a minute is not started again in that kind of host. */
const RESTARTS = 3;
const RESTARTS_WITHIN_MS = 60_000;

/** A host that takes longer, a script that never arrives for one, is given up. */
const OPEN_MS = 30_000;

/** Inputs that say something once; whatever else an engine missed, the replay tells it. */
const KEPT: ReadonlySet<EngineInput['kind']> = new Set(['message', 'withdraw']);

export interface EngineLinkPorts {
  effects(effects: readonly EngineEffect[]): void;
  /** Resolves when `replay` can be called. Never rejects. */
  ready(): Promise<void>;
  /** Everything a new engine must know, `configure` first. */
  replay(): EngineInput[];
  /** Where the engine runs now. */
  changed(kind: EngineHost['kind'] | null): void;
  /** No host could be opened. */
  unavailable(reason: string): void;
}

/**
 * Keeps an engine running: in the first kind of host that starts, again when it was lost, in the next kind when it is
 * lost too often. Every new engine is told everything that is needed to go on. A generation number keeps out what
 * still comes from an engine that was given up.
 */
export class EngineLink {
  readonly #factories: readonly EngineHostFactory[];
  readonly #timers: PageTimers;
  readonly #ports: EngineLinkPorts;
  #next = 0;
  #generation = 0;
  #state: 'idle' | 'opening' | 'open' | 'closed' = 'idle';
  #host: EngineHost | null = null;
  #kept: EngineInput[] = [];
  #losses: number[] = [];

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
    if (this.#state === 'idle') void this.#open();
  }

  post(inputs: readonly EngineInput[]): void {
    if (this.#host) this.#host.post(inputs);
    else if (this.#state !== 'closed') this.#kept.push(...inputs.filter(({ kind }) => KEPT.has(kind)));
  }

  /** Forgets what is kept of a connection that has ended meanwhile. */
  dropMessages(): void {
    this.#kept = this.#kept.filter(({ kind }) => kind !== 'message');
  }

  /** Ends the engine, whatever state it is in. Idempotent. */
  close(): void {
    this.#state = 'closed';
    this.#kept = [];
    this.#letGo()?.close();
  }

  async #open(): Promise<void> {
    this.#state = 'opening';
    const reasons: string[] = [];
    for (; this.#next < this.#factories.length; this.#next += 1) {
      const factory = this.#factories[this.#next]!;
      const generation = ++this.#generation;
      try {
        const [host] = await Promise.all([this.#openHost(factory, generation), this.#ports.ready()]);
        if (generation === this.#generation) this.#use(host);
        else host.close();
        return;
      } catch (error) {
        if (generation !== this.#generation) return;
        reasons.push(messageOf(error));
        this.#warnOf(factory, messageOf(error));
      }
    }
    this.#state = 'idle';
    this.#next = 0;
    this.#kept = [];
    const reason = reasons.join('; ') || 'there is no engine host';
    const message = `No engine could start: ${reason}. Requests end INTERNAL_ERROR until one does.`;
    warnOnce(WARNINGS.ENGINE_UNAVAILABLE, message);
    this.#ports.unavailable(reason);
  }

  /** One attempt. Nothing of it is heard once its generation is over or its time is up. */
  #openHost(factory: EngineHostFactory, generation: number): Promise<EngineHost> {
    return new Promise((resolve, reject) => {
      let waiting = true;
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
        lost: (reason) => {
          if (generation === this.#generation && this.#host) this.#onLost(reason);
          else give(reason);
        },
      };
      factory.open(events).then(
        (host) => {
          cancel();
          if (waiting) resolve(host);
          else host.close();
        },
        (error: unknown) => give(messageOf(error)),
      );
    });
  }

  /** The engine is told everything in one go, before anything new can happen. */
  #use(host: EngineHost): void {
    this.#state = 'open';
    this.#host = host;
    this.#timers.use(host);
    host.post([...this.#ports.replay(), ...this.#kept]);
    this.#kept = [];
    this.#ports.changed(host.kind);
  }

  #onLost(reason: string): void {
    const host = this.#letGo();
    const now = this.#timers.clock.now();
    this.#losses = [...this.#losses.filter((at) => at > now - RESTARTS_WITHIN_MS), now];
    if (this.#losses.length > RESTARTS) {
      this.#next += 1;
      this.#losses = [];
    }
    if (host?.kind === 'worker') {
      const message = `The worker that ran the engine ended (${reason}). Another engine takes over; open calls go on.`;
      warnOnce(WARNINGS.WORKER_LOST, message);
    }
    this.#ports.changed(null);
    void this.#open();
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
