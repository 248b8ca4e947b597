import * as LIMITS from '../protocol/limits.js';
import type { AgentTimers } from './agent-types.js';

/**
 * How many calls one page gets from here: as many as a page takes for one surface, in bursts and a second. A model in a
 * loop is stopped at its own end (specification §9.5).
 */
export class CallRate {
  readonly #timers: AgentTimers;
  #left: number = LIMITS.rateBurst;
  #since: number;

  constructor(timers: AgentTimers) {
    this.#timers = timers;
    this.#since = timers.now();
  }

  /** Whether one more may go now. */
  take(): boolean {
    const now = this.#timers.now();
    this.#left = Math.min(LIMITS.rateBurst, this.#left + ((now - this.#since) / 1000) * LIMITS.ratePerSecond);
    this.#since = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
