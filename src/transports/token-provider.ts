import { messageOf } from '../protocol/error-message.js';
import * as LIMITS from '../protocol/limits.js';
import type { SetTimer } from '../protocol/timer.js';
import type { Release } from '../protocol/ports.js';

/** Gives the token for one attempt to connect, such as a fresh one of the application's server. */
export type TokenProvider = () => string | Promise<string>;

/**
 * Asks for a token once. Exactly one of the two is called, later, unless it was released before.
 *
 * @param failed Told why there is none: the provider threw, gave no text, or took longer than 10 s.
 */
export function askForToken(
  provider: TokenProvider,
  setTimer: SetTimer,
  given: (token: string) => void,
  failed: (reason: string) => void,
): Release {
  let waiting = true;
  const end = (): boolean => {
    const first = waiting;
    waiting = false;
    stopTimer();
    return first;
  };
  const stopTimer = setTimer(LIMITS.tokenMs, () => {
    if (end()) failed(`the token provider did not answer within ${LIMITS.tokenMs / 1000} s`);
  });
  // Called in a promise's turn: a provider that throws at once is one that rejects.
  Promise.resolve()
    .then(provider)
    .then(
      (token) => {
        if (!end()) return;
        if (typeof token === 'string' && token !== '') given(token);
        else failed(`the token provider gave ${token === '' ? 'an empty text' : `a ${typeof token}`} and no token`);
      },
      (error: unknown) => {
        if (end()) failed(`the token provider failed: ${messageOf(error)}`);
      },
    );
  return end;
}
