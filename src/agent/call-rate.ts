import * as LIMITS from '../protocol/limits.js';
import type { AgentRateLimit, AgentTimers } from './agent-types.js';

const DEFAULT: AgentRateLimit = { perSecond: LIMITS.ratePerSecond, burst: LIMITS.rateBurst };

/**
 * How many calls one page gets from here: by default as many as a page takes for one surface, in bursts and a second. A
 * model in a loop is stopped at its own end (specification §9.5).
 */
export class CallRate {
  readonly perSecond: number;
  readonly burst: number;
  readonly #timers: AgentTimers;
  #left: number;
  #since: number;

  /** @throws {RangeError} for a number that is not above 0. */
  constructor(timers: AgentTimers, { perSecond, burst }: AgentRateLimit = DEFAULT) {
    if (!(perSecond > 0 && burst >= 1)) {
      throw new RangeError(`rateLimit takes perSecond above 0 and burst of at least 1, not ${perSecond} and ${burst}.`);
    }
    this.perSecond = perSecond;
    this.burst = burst;
    this.#timers = timers;
    this.#left = burst;
    this.#since = timers.now();
  }

  /** Whether one more may go now. */
  take(): boolean {
    const now = this.#timers.now();
    this.#left = Math.min(this.burst, this.#left + ((now - this.#since) / 1000) * this.perSecond);
    this.#since = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
