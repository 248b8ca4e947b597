import type { SettleMode } from '../protocol/engine-messages.js';
import type { Release } from '../protocol/ports.js';
import type { PageTimers } from './page-timers.js';
import type { SettleTimes } from './runtime-options.js';

/** An observation that changed this often within the second before a handler started says nothing about its end. */
const NOISY_CHANGES = 3;
const NOISY_MS = 1000;

/** A result that waits for quiet. */
interface Waiter {
  readonly noisy: ReadonlySet<object>;
  /** When something happened last, on the page's clock. */
  last: number;
  check(): void;
}

/**
 * Tells when the page has come to rest after a handler (PROTOCOL.md §3, DESIGN.md "Settle").
 * Event-driven: what happens only writes down when; the one timer of each waiting result looks at it when it is due.
 */
export class Settler {
  readonly #timers: PageTimers;
  readonly #times: SettleTimes;
  readonly #flush: () => void;
  readonly #waiters = new Set<Waiter>();
  readonly #recent = new Map<object, number[]>();
  #holds = 0;

  /** `flush` looks at observations whose change is not known yet; it reports them through `changed`. */
  constructor(timers: PageTimers, times: SettleTimes, flush: () => void) {
    this.#timers = timers;
    this.#times = times;
    this.#flush = flush;
  }

  /** Something was mounted or unmounted. */
  touched(): void {
    const now = this.#timers.clock.now();
    for (const waiter of this.#waiters) waiter.last = now;
  }

  /** An observation, named by any object of its own, got a different value at this time. */
  changed(observation: object, at: number): void {
    const times = this.#recent.get(observation) ?? [];
    times.push(at);
    if (times.length > NOISY_CHANGES) times.shift();
    this.#recent.delete(observation);
    this.#recent.set(observation, times);
    this.#forgetBefore(at - NOISY_MS);
    for (const waiter of this.#waiters) {
      if (!waiter.noisy.has(observation)) waiter.last = Math.max(waiter.last, at);
    }
  }

  /** Nothing is settled until this is released. */
  hold(): Release {
    let held = true;
    this.#holds += 1;
    this.touched();
    return () => {
      if (!held) return;
      held = false;
      this.#holds -= 1;
      this.touched();
      if (this.#holds === 0) for (const waiter of [...this.#waiters]) waiter.check();
    };
  }

  /** To be called when a handler starts: the observations that change all the time anyway. */
  noisyNow(): ReadonlySet<object> {
    const since = this.#timers.clock.now() - NOISY_MS;
    const noisy = new Set<object>();
    for (const [observation, times] of this.#recent) {
      if (times.length === NOISY_CHANGES && times[0]! >= since) noisy.add(observation);
    }
    return noisy;
  }

  /** The map is in the order of the last changes. */
  #forgetBefore(since: number): void {
    for (const [observation, times] of this.#recent) {
      if (times.at(-1)! >= since) return;
      this.#recent.delete(observation);
    }
  }

  /** Resolves `false` when the deadline came first, or the signal fired. Never rejects. */
  settle(mode: SettleMode, noisy: ReadonlySet<object>, signal: AbortSignal): Promise<boolean> {
    if (mode === 'none') return Promise.resolve(true);
    return new Promise((resolve) => {
      let release: Release = () => {};
      const next = (step: Release): void => void (release = step);
      const finish = (settled: boolean): void => {
        release();
        signal.removeEventListener('abort', onAbort);
        resolve(settled);
      };
      const onAbort = (): void => finish(false);
      if (signal.aborted) return finish(false);
      signal.addEventListener('abort', onAbort);
      if (mode === 'sync') this.#rendered(next, finish);
      else this.#quiet(noisy, next, finish);
    });
  }

  /** A timer lets everything run that is queued; two frames, where there are any, let it be painted. */
  #rendered(next: (step: Release) => void, finish: (settled: boolean) => void): void {
    const frame = (left: number): void => {
      if (left === 0 || !this.#timers.clock.hasFrames()) finish(true);
      else next(this.#timers.nextFrame(() => frame(left - 1)));
    };
    next(this.#timers.set(0, () => frame(2)));
  }

  #quiet(noisy: ReadonlySet<object>, next: (step: Release) => void, finish: (settled: boolean) => void): void {
    const { clock } = this.#timers;
    const start = clock.now();
    const deadline = start + this.#times.timeoutMs;
    let cancel: Release = () => {};
    const check = (): void => {
      cancel();
      this.#flush();
      const now = clock.now();
      const quietAt = this.#holds > 0 ? Infinity : waiter.last + this.#times.quietMs;
      if (now >= quietAt || now >= deadline) finish(now >= quietAt);
      else cancel = this.#timers.set(Math.ceil(Math.min(quietAt, deadline) - now), check);
    };
    const waiter: Waiter = { noisy, last: start, check };
    this.#waiters.add(waiter);
    next(() => {
      this.#waiters.delete(waiter);
      cancel();
    });
    check();
  }
}
