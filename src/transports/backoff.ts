import * as LIMITS from '../protocol/limits.js';

/** How long to wait before each attempt to connect again (specification §8.2.4). */
export interface Backoff {
  /** The next wait in ms: longer each time, up to the longest. */
  next(): number;
  /** Starts again with the shortest wait. */
  reset(): void;
}

/**
 * Doubles from 1 s to 30 s. Each wait is drawn from the upper half of its step,
 * so that the pages of a server that went away do not all come back in the same instant.
 *
 * @param random From 0 up to 1.
 */
export function createBackoff(random: () => number): Backoff {
  let step: number = LIMITS.reconnectMinMs;
  return {
    next() {
      const wait = step * (0.5 + random() / 2);
      step = Math.min(step * 2, LIMITS.reconnectMaxMs);
      return wait;
    },
    reset() {
      step = LIMITS.reconnectMinMs;
    },
  };
}
