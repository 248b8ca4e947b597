import { setHostTimer } from '../protocol/timer.js';
import type { AgentTimers } from './agent-types.js';

/** The timers of the machine. `now` is comparable between a page and its workers. */
export function createSystemTimers(): AgentTimers {
  return {
    now: () => performance.timeOrigin + performance.now(),
    wall: () => Date.now(),
    setTimer: setHostTimer,
  };
}
