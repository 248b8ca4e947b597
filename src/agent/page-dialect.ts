import * as ERROR_CODES from '../protocol/error-codes.js';
import type { OUIActionResult } from '../protocol/events.js';

/** Codes of the reference library's pages, and the specification's for the same (PROTOCOL.md §2). */
const OTHER_DIALECT = new Map<string, string>([
  ['SURFACE_NOT_MOUNTED', ERROR_CODES.SURFACE_UNAVAILABLE],
  ['ACTION_EXECUTION_ERROR', ERROR_CODES.EXECUTION_ERROR],
]);

/** A page's result with the specification's error codes. */
export function inOurDialect(result: OUIActionResult): OUIActionResult {
  const code = result.error === undefined ? undefined : OTHER_DIALECT.get(result.error.code);
  return code === undefined || result.error === undefined ? result : { ...result, error: { ...result.error, code } };
}
