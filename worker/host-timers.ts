import type { Release } from '../src/protocol/ports.js';
import type { TimerCommand } from './port-messages.js';

/** The page's timers, which run in its worker while there is one. */
export interface HostTimers {
  set(ms: number, callback: () => void): Release;
  /** The worker says that a timer is due. */
  fire(id: number): void;
  /** The worker is gone: what is left of each timer runs on the page, so that no promise waits for ever. */
  takeOver(): void;
  /** Drops all timers; new ones are dropped as well. */
  close(): void;
}

/** @param send Hands a command to the worker. */
export function createHostTimers(send: (command: TimerCommand) => void): HostTimers {
  interface Timer {
    readonly due: number;
    readonly callback: () => void;
    /** Set once the timer runs on the page. */
    local?: ReturnType<typeof setTimeout>;
  }
  const timers = new Map<number, Timer>();
  let mode: 'worker' | 'page' | 'closed' = 'worker';
  let lastId = 0;

  const fire = (id: number): void => {
    const timer = timers.get(id);
    timers.delete(id);
    timer?.callback();
  };
  const runLocally = (id: number, timer: Timer): void => {
    timer.local = setTimeout(() => fire(id), Math.max(0, timer.due - performance.now()));
  };

  return {
    set(ms, callback) {
      if (mode === 'closed') return () => undefined;
      lastId += 1;
      const id = lastId;
      const timer: Timer = { due: performance.now() + ms, callback };
      timers.set(id, timer);
      if (mode === 'worker') send({ id, ms });
      else runLocally(id, timer);
      return () => {
        if (!timers.delete(id)) return;
        clearTimeout(timer.local);
        if (mode === 'worker') send({ id });
      };
    },
    fire,
    takeOver() {
      if (mode !== 'worker') return;
      mode = 'page';
      for (const [id, timer] of timers) runLocally(id, timer);
    },
    close() {
      mode = 'closed';
      for (const timer of timers.values()) clearTimeout(timer.local);
      timers.clear();
    },
  };
}
