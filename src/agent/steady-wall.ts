import type { AgentTimers } from './agent-types.js';

/**
 * Reads the wall clock once and counts on from there. A page tells by the time in the hello and the time of a request
 * whether it can know the request (PROTOCOL.md §2): a clock that is set between the two must not deceive it.
 */
export function withSteadyWall(timers: AgentTimers): AgentTimers {
  const start = timers.wall() - timers.now();
  return {
    now: () => timers.now(),
    wall: () => Math.round(start + timers.now()),
    setTimer: (...timer) => timers.setTimer(...timer),
  };
}
