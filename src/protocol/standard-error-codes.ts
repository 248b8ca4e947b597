import * as ERROR_CODES from './error-codes.js';

export type OUIErrorCode = (typeof ERROR_CODES)[keyof typeof ERROR_CODES];

/** The specification's own codes (§4.6). The others are this project's. */
export const STANDARD_ERROR_CODES: readonly OUIErrorCode[] = [
  ERROR_CODES.ACTION_NOT_FOUND,
  ERROR_CODES.VALIDATION_ERROR,
  ERROR_CODES.PRECONDITION_FAILED,
  ERROR_CODES.ACTION_DENIED,
  ERROR_CODES.EXECUTION_ERROR,
  ERROR_CODES.TIMEOUT,
  ERROR_CODES.SURFACE_UNAVAILABLE,
  ERROR_CODES.INTERNAL_ERROR,
];
