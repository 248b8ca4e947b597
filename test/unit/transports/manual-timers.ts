import type { Release } from '../../../src/protocol/ports.js';

/** Timers that fire when the test says so, and a clock that moves with them. */
export interface ManualTimers {
  setTimer(ms: number, callback: () => void): Release;
  now(): number;
  /** The waits of the timers that stand, shortest first. */
  waits(): number[];
  /** Lets `ms` pass and fires what falls due, in order. */
  advance(ms: number): void;
  /** Resolves when a timer of exactly this wait has been set. */
  whenSet(ms: number): Promise<void>;
}

export function createManualTimers(): ManualTimers {
  let now = 0;
  let timers: { due: number; ms: number; callback: () => void }[] = [];
  let watchers: { ms: number; resolve: () => void }[] = [];
  return {
    setTimer(ms, callback) {
      const timer = { due: now + ms, ms, callback };
      timers.push(timer);
      for (const watcher of watchers.filter((each) => each.ms === ms)) watcher.resolve();
      watchers = watchers.filter((each) => each.ms !== ms);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    now: () => now,
    waits: () => timers.map((timer) => timer.ms).sort((a, b) => a - b),
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const next = timers.filter((timer) => timer.due <= end).sort((a, b) => a.due - b.due)[0];
        if (next === undefined) break;
        timers = timers.filter((other) => other !== next);
        now = next.due;
        next.callback();
      }
      now = end;
    },
    whenSet(ms) {
      if (timers.some((timer) => timer.ms === ms)) return Promise.resolve();
      return new Promise((resolve) => watchers.push({ ms, resolve }));
    },
  };
}
