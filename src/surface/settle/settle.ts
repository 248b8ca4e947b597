import type { SettleMode } from '../../protocol/engine-messages.js';
import type { SettleMoment } from '../../protocol/inspection.js';
import type { Release } from '../../protocol/ports.js';
import { ChangeRates } from './change-rates.js';
import { QuietWatch } from './quiet-watch.js';
import type { Changed } from './quiet-watch.js';
import type { SettleListener, SettleWatch, SettlerParts } from './settle-watch.js';

const AT_ONCE: SettleWatch = { settled: () => Promise.resolve(true), end: () => {} };

/**
 * Tells when the page has come to rest after a handler (PROTOCOL.md §3, DESIGN.md "Settle"). Event-driven: what
 * happens only writes down when; the timers of each waiting result look at it when they are due.
 */
export class Settler {
  readonly #parts: SettlerParts;
  readonly #rates = new ChangeRates();
  readonly #watches = new Set<QuietWatch>();
  readonly #holds = new Set<{ readonly name: string }>();

  constructor(parts: SettlerParts) {
    this.#parts = parts;
  }

  /** Something was mounted or unmounted, by default. */
  touched(moment: SettleMoment = { kind: 'surfaces' }): void {
    const now = this.#parts.timers.clock.now();
    for (const watch of this.#watches) watch.happened(now, moment);
  }

  /** An observation, named by any object of its own, got a different value at this time. */
  changed(observation: Changed, at: number): void {
    this.#rates.changed(observation, at);
    for (const watch of this.#watches) watch.changed(observation, at);
  }

  /** Nothing is settled until this is released. */
  hold(name = ''): Release {
    const hold = { name };
    this.#holds.add(hold);
    this.touched({ kind: 'hold', name });
    return () => {
      if (!this.#holds.has(hold)) return;
      this.touched({ kind: 'release', name });
      this.#holds.delete(hold);
      if (this.#holds.size === 0) for (const watch of this.#watches) watch.rested();
    };
  }

  /** A handler starts. `signal` ends its request from outside. `tell` hears what the result waits for. */
  watch(mode: SettleMode, signal: AbortSignal, tell?: SettleListener): SettleWatch {
    if (mode === 'none') return AT_ONCE;
    if (mode === 'sync') return { ...AT_ONCE, settled: () => this.#rendered(signal, tell) };
    const restless = this.#rates.restless(this.#parts.timers.clock.now());
    const page = { ...this.#parts, holds: () => [...this.#holds].map(({ name }) => name) };
    const watch: QuietWatch = new QuietWatch(page, restless, signal, () => this.#watches.delete(watch), tell);
    this.#watches.add(watch);
    return watch;
  }

  /** A timer lets everything run that is queued; two frames, where there are any, let it be painted. */
  #rendered(signal: AbortSignal, tell?: SettleListener): Promise<boolean> {
    const { timers } = this.#parts;
    return new Promise((resolve) => {
      let release: Release = () => {};
      const finish = (settled: boolean): void => {
        release();
        signal.removeEventListener('abort', onAbort);
        tell?.({ kind: 'end', settled, why: settled ? 'rendered' : 'ended' });
        resolve(settled);
      };
      const onAbort = (): void => finish(false);
      const frame = (left: number): void => {
        if (left === 0 || !timers.clock.hasFrames()) finish(true);
        else release = timers.nextFrame(() => frame(left - 1));
      };
      if (signal.aborted) return finish(false);
      signal.addEventListener('abort', onAbort);
      release = timers.set(0, () => frame(2));
    });
  }
}
