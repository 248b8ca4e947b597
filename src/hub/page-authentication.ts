import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { messageOf } from '../protocol/error-message.js';
import * as LIMITS from '../protocol/limits.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import { pageToken } from '../transports/token-protocol.js';
import { printable } from './hub-log.js';
import type { HubLog } from './hub-log.js';

/** A page that wants to connect. Its origin and the way it came were checked before. */
export interface ConnectingPage {
  /** Absent for programs that are no browser. */
  readonly origin: string | undefined;
  /** The opening of the connection, with its headers: cookies, for one. */
  readonly request: IncomingMessage;
}

/**
 * Decides about a page by its token, `undefined` when it has none. It may ask a server of its own; after 10 s the page
 * is refused. A throw refuses.
 */
export type AuthenticatePage = (token: string | undefined, page: ConnectingPage) => boolean | Promise<boolean>;

/** @returns why the page is refused, in at most the 123 bytes that a close can carry; undefined when it is let in. */
export async function refusalByToken(
  authenticate: AuthenticatePage,
  request: IncomingMessage,
  log: HubLog,
): Promise<string | undefined> {
  const { origin } = request.headers;
  const who = origin === undefined ? 'A page' : `The page at ${printable(origin)}`;
  const token = pageToken(request.headers['sec-websocket-protocol']);
  const refuse = (why: string, reason: string): string => {
    log({ level: 'warn', code: WARNINGS.PAGE_UNAUTHENTICATED, message: `${who} was refused: ${why}.` });
    return reason;
  };
  try {
    const verdict = await inTime(async () => authenticate(token, { origin, request }));
    if (verdict === true) return undefined;
    if (verdict === 'late') {
      const why = `its token was not checked within ${LIMITS.tokenMs / 1000} s (option authenticate)`;
      return refuse(why, 'the token could not be checked in time');
    }
  } catch (error) {
    return refuse(`the check of its token failed: ${messageOf(error)}`, 'the token could not be checked');
  }
  if (token !== undefined) return refuse('its token is not valid here', 'the token is not valid here: give another');
  return refuse('it has no token', 'a token is needed: set .token of <oui-runtime>, or the option token');
}

/** Lets in who knows one text. */
export function oneToken(expected: string): AuthenticatePage {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  const wanted = hash(expected);
  // Of equal length and compared in constant time: how long it takes says nothing of the token.
  return (token) => token !== undefined && timingSafeEqual(hash(token), wanted);
}

async function inTime<T>(ask: () => Promise<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), LIMITS.tokenMs);
  });
  try {
    return await Promise.race([ask(), late]);
  } finally {
    clearTimeout(timer);
  }
}
