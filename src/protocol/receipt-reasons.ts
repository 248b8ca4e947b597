/** Reasons of refused receipts, as they are on the wire today (PROTOCOL.md §1, Receipts). */
export const NOT_ACCEPTING_REASON = 'this client does not accept requests now';
export const INCOMPLETE_REASON = 'a request needs requestId, surfaceId and actionId';
