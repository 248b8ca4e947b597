/**
 * Every error code this project puts on the wire (specification §4.6, PROTOCOL.md §2).
 * Codes of an application's own should be namespaced: `app:quota_exceeded`.
 */
export const ERROR_CODES = {
  ACTION_NOT_FOUND: 'ACTION_NOT_FOUND',
  VALIDATION_ERROR: 'VALIDATION_ERROR',
  PRECONDITION_FAILED: 'PRECONDITION_FAILED',
  ACTION_DENIED: 'ACTION_DENIED',
  EXECUTION_ERROR: 'EXECUTION_ERROR',
  TIMEOUT: 'TIMEOUT',
  SURFACE_UNAVAILABLE: 'SURFACE_UNAVAILABLE',
  INTERNAL_ERROR: 'INTERNAL_ERROR',
  /** A transaction or a confirmed write has no approval yet. */
  APPROVAL_REQUIRED: 'APPROVAL_REQUIRED',
  /** More requests for one surface than its rate allows. */
  RATE_LIMITED: 'oui:rate_limited',
  /** The agent withdrew the request. */
  CANCELLED: 'oui:cancelled',
  /** The page's accept gate refused the request, and there are no receipts to say so with. */
  NOT_ACCEPTING: 'oui:not_accepting',
} as const;

export type OUIErrorCode = (typeof ERROR_CODES)[keyof typeof ERROR_CODES];

/** The specification's own codes: the first eight. */
export const STANDARD_ERROR_CODES: readonly OUIErrorCode[] = Object.values(ERROR_CODES).slice(0, 8);
