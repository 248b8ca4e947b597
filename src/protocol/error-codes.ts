/**
 * Every error code this project puts on the wire (specification §4.6, PROTOCOL.md §2).
 * Codes of an application's own should be namespaced: `app:quota_exceeded`.
 * Used as one table, `import * as ERROR_CODES`: single constants, so that a bundle carries those that it uses.
 */

export const ACTION_NOT_FOUND = 'ACTION_NOT_FOUND';
export const VALIDATION_ERROR = 'VALIDATION_ERROR';
export const PRECONDITION_FAILED = 'PRECONDITION_FAILED';
export const ACTION_DENIED = 'ACTION_DENIED';
export const EXECUTION_ERROR = 'EXECUTION_ERROR';
export const TIMEOUT = 'TIMEOUT';
export const SURFACE_UNAVAILABLE = 'SURFACE_UNAVAILABLE';
export const INTERNAL_ERROR = 'INTERNAL_ERROR';
/** One of the runtime's own actions was given parameters that it cannot read (PROTOCOL.md §7). */
export const INVALID_PARAMS = 'INVALID_PARAMS';
/** What one of the runtime's own actions was asked for is not there (PROTOCOL.md §7). */
export const NOT_FOUND = 'NOT_FOUND';
/** A transaction or a confirmed write has no approval yet. */
export const APPROVAL_REQUIRED = 'APPROVAL_REQUIRED';
/** An attachment was named, and nobody on the page or behind the connection can open one (PROTOCOL.md §6). */
export const ATTACHMENTS_UNSUPPORTED = 'ATTACHMENTS_UNSUPPORTED';
/** An attachment could not be opened, or is not of a type that the input takes (PROTOCOL.md §6). */
export const ATTACHMENT_UNAVAILABLE = 'ATTACHMENT_UNAVAILABLE';
/** The action declares attachments where they can be neither checked nor opened (PROTOCOL.md §6). */
export const ATTACHMENT_INPUT_UNSUPPORTED = 'ATTACHMENT_INPUT_UNSUPPORTED';
/** A new job of a `singleFlight` action took this one's place. */
export const SUPERSEDED = 'SUPERSEDED';
/** More requests for one surface than its rate allows. */
export const RATE_LIMITED = 'oui:rate_limited';
/** The agent withdrew the request. */
export const CANCELLED = 'oui:cancelled';
/** The page's accept gate refused the request, and there are no receipts to say so with. */
export const NOT_ACCEPTING = 'oui:not_accepting';
