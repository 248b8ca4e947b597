import { messageOf } from '../../protocol/error-message.js';
import * as LIMITS from '../../protocol/limits.js';
import { warnOnce } from '../../protocol/warn-once.js';
import * as WARNINGS from '../../protocol/warning-codes.js';
import type { PageTimers } from '../clock/page-timers.js';

/** Whether a getter has promised its value. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return value instanceof Promise || Object.prototype.toString.call(value) === '[object Promise]';
}

/**
 * What a getter has promised, when the agent still waits for it; `null` when the promise is rejected, or kept too late.
 * Never rejects.
 *
 * @param name the observation, as a sentence begins
 */
export function readInTime(promise: PromiseLike<unknown>, name: string, timers: PageTimers): Promise<unknown> {
  return new Promise((resolve) => {
    const end = (value: unknown, problem?: string): void => {
      cancel();
      resolve(value);
      if (problem === undefined) return;
      warnOnce(WARNINGS.OBSERVATION_NOT_READ, `${name} ${problem}; null was sent instead.`, name);
    };
    const late = `had no value ${LIMITS.readMs / 1000} s after an agent asked for it`;
    const cancel = timers.set(LIMITS.readMs, () => end(null, late));
    promise.then(end, (error: unknown) => end(null, `could not be read (${messageOf(error)})`));
  });
}
