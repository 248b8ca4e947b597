import * as LIMITS from '../protocol/limits.js';

/**
 * How often the user has turned down what agents ask for. After so many in a row within a minute they are left alone
 * for a time, longer each time, until they allow something: an agent that tries again and again would otherwise hold
 * them in its dialogs. Times in ms on the engine's monotonic clock.
 */
export class Refusals {
  /** Of the present row, none older than the window. */
  #times: number[] = [];
  #restUntil = -Infinity;
  #takenBackAt = -Infinity;
  /** The rest that comes next. */
  #nextRest: number = LIMITS.refusalRestMs;

  /** The user said no, or closed the question. @returns whether a rest begins with it. */
  refused(now: number): boolean {
    if (this.restMs(now) > 0) return false;
    // Left alone for so long, they may look at it afresh.
    if (now - this.#restUntil >= LIMITS.refusalRestMaxMs) this.#nextRest = LIMITS.refusalRestMs;
    this.#times = [...this.#times.filter((time) => now - time < LIMITS.refusalsWithinMs), now];
    if (this.#times.length < LIMITS.refusalsInARow) return false;
    this.#restUntil = now + this.#nextRest;
    this.#nextRest = Math.min(2 * this.#nextRest, LIMITS.refusalRestMaxMs);
    this.#times = [];
    return true;
  }

  /**
   * The agent took its question back, or the page what it was about. What comes and goes before the user can answer
   * holds them as well; what goes together, as at the end of a turn or with a surface, counts once.
   * @returns whether a rest begins with it.
   */
  takenBack(now: number): boolean {
    if (now - this.#takenBackAt < LIMITS.approvalArmingMs) return false;
    this.#takenBackAt = now;
    return this.refused(now);
  }

  /** The user allowed something, or lets agents act again. */
  reset(): void {
    this.#times = [];
    this.#restUntil = -Infinity;
    this.#nextRest = LIMITS.refusalRestMs;
  }

  /** How much longer the user is not to be asked; 0 when they may be. */
  restMs(now: number): number {
    return Math.max(0, this.#restUntil - now);
  }
}
