import type { AgentTimers } from './agent-types.js';

/** `setTimeout` takes a longer wait for none at all. */
const LONGEST_MS = 2 ** 31 - 1;

/** The timers of the machine. `now` is comparable between a page and its workers. */
export function createSystemTimers(): AgentTimers {
  return {
    now: () => performance.timeOrigin + performance.now(),
    wall: () => Date.now(),
    setTimer(ms, callback) {
      const timer = setTimeout(callback, Math.min(ms, LONGEST_MS));
      return () => clearTimeout(timer);
    },
  };
}
