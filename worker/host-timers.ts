import type { Release } from '../src/protocol/ports.js';
import type { TimerCommand } from './port-messages.js';

/** The page's timers, which run in its worker while there is one. */
export interface HostTimers {
  set(ms: number, callback: () => void): Release;
  /** The worker says that a timer is due. */
  fire(id: number): void;
  /** Drops all timers; new ones are dropped as well. */
  close(): void;
}

/** @param send Hands a command to the worker. */
export function createHostTimers(send: (command: TimerCommand) => void): HostTimers {
  const timers = new Map<number, () => void>();
  let closed = false;
  let lastId = 0;

  return {
    set(ms, callback) {
      if (closed) return () => undefined;
      lastId += 1;
      const id = lastId;
      timers.set(id, callback);
      send({ id, ms });
      return () => {
        if (timers.delete(id)) send({ id });
      };
    },
    fire(id) {
      const callback = timers.get(id);
      timers.delete(id);
      callback?.();
    },
    close() {
      closed = true;
      timers.clear();
    },
  };
}
