import type { Release } from '../../../src/protocol/ports.js';
import type { PageEnvironment } from '../../../src/surface/document/page-environment.js';
import type { HandClock } from './hand-clock.js';

/** A tab's sessionStorage. */
export class FakeStorage {
  readonly kept = new Map<string, string>();
  /** Thrown by whatever would write. */
  full = false;
  /** Thrown by whatever is called. */
  forbidden = false;

  get length(): number {
    this.#allow();
    return this.kept.size;
  }

  key(index: number): string | null {
    return [...this.kept.keys()][index] ?? null;
  }

  getItem(key: string): string | null {
    this.#allow();
    return this.kept.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.#allow();
    if (this.full) throw new Error('the quota has been exceeded');
    this.kept.set(key, value);
  }

  removeItem(key: string): void {
    this.#allow();
    this.kept.delete(key);
  }

  /** What a duplicated tab begins with. */
  copy(): FakeStorage {
    const copy = new FakeStorage();
    for (const [key, value] of this.kept) copy.kept.set(key, value);
    return copy;
  }

  #allow(): void {
    if (this.forbidden) throw new Error('access is denied');
  }
}

/** Web Locks as far as they are used here: exclusive, first come first served, a signal ends the waiting. */
export class FakeLocks {
  readonly #queues = new Map<string, { owner: object; grant: () => void; end: () => void }[]>();

  /** The locks as one document has them. */
  of(owner: object): NonNullable<PageEnvironment['locks']> {
    const request = (name: string, { signal }: { signal: AbortSignal }, held: () => Promise<void>): Promise<void> =>
      new Promise((resolve, reject) => {
        const queue = this.#queues.get(name) ?? [];
        this.#queues.set(name, queue);
        const leave = (): void => {
          const index = queue.indexOf(waiting);
          if (index < 0) return;
          queue.splice(index, 1);
          if (index === 0) queue[0]?.grant();
        };
        const waiting = { owner, grant: () => void held().then(() => (leave(), resolve())), end: leave };
        signal.addEventListener('abort', () => {
          if (queue[0] === waiting) return;
          leave();
          reject(signal.reason as Error);
        });
        queue.push(waiting);
        if (queue.length === 1) queueMicrotask(() => queue[0] === waiting && waiting.grant());
      });
    return { request } as never;
  }

  /** A document is gone, and with it whatever it held. */
  drop(owner: object): void {
    for (const queue of this.#queues.values()) for (const each of [...queue]) if (each.owner === owner) each.end();
  }
}

/** One document in a tab. */
export class FakeDocument implements PageEnvironment {
  readonly storage: FakeStorage | undefined;
  readonly locks: PageEnvironment['locks'];
  readonly frame: string;
  readonly places = new Set<string>();
  readonly #tab: FakeTab;
  readonly #leaving = new Set<() => void>();
  readonly #returning = new Set<() => void>();

  constructor(tab: FakeTab, frame: string) {
    this.#tab = tab;
    this.storage = tab.storage;
    this.locks = tab.locks?.of(this);
    this.frame = frame;
  }

  wall(): number {
    return this.#tab.wall();
  }

  onLeave(listener: () => void): Release {
    this.#leaving.add(listener);
    return () => void this.#leaving.delete(listener);
  }

  onReturn(listener: () => void): Release {
    this.#returning.add(listener);
    return () => void this.#returning.delete(listener);
  }

  /** `pagehide`. The document may still be there, in the back/forward cache. */
  leave(): void {
    for (const listener of this.#leaving) listener();
  }

  /** `pageshow`, out of the back/forward cache. */
  comeBack(): void {
    for (const listener of this.#returning) listener();
  }

  /** Its process dies, without a word. */
  crash(): void {
    this.#tab.locks?.drop(this);
  }
}

export interface FakeTabOptions {
  readonly locks?: FakeLocks | undefined;
  readonly storage?: FakeStorage | undefined;
}

/** A tab of a browser. */
export class FakeTab {
  readonly storage: FakeStorage | undefined;
  readonly locks: FakeLocks | undefined;
  readonly #clock: HandClock;

  constructor(clock: HandClock, options: FakeTabOptions = {}) {
    this.#clock = clock;
    this.locks = 'locks' in options ? options.locks : new FakeLocks();
    this.storage = 'storage' in options ? options.storage : new FakeStorage();
  }

  /** A wall clock that goes with the hand-driven one, and stands somewhere else. */
  wall(): number {
    return 1_700_000_000_000 + this.#clock.now();
  }

  open(frame = ''): FakeDocument {
    return new FakeDocument(this, frame);
  }

  duplicate(): FakeTab {
    return new FakeTab(this.#clock, { locks: this.locks, storage: this.storage?.copy() });
  }
}
