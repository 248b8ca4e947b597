import * as ERROR_CODES from '../protocol/error-codes.js';
import type { OUIError } from '../protocol/events.js';

/** An engine that does not say within this that it has ended is ended without a word. */
export const CLOSE_MS = 1_000;

/** What calls come to that are open when the page ends its runtime. */
export const DISPOSED: OUIError = {
  code: ERROR_CODES.SURFACE_UNAVAILABLE,
  message: 'The page has ended its runtime.',
};
