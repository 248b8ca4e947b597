import type { EnginePolicy } from '../protocol/engine-policy.js';
import * as ERROR_CODES from '../protocol/error-codes.js';
import * as LIMITS from '../protocol/limits.js';

/** What pages and servers of `oui-spec` count on (PROTOCOL.md §11). */
export const COMPAT_POLICY: Partial<EnginePolicy> = {
  hello: false,
  misfits: 'warn',
  fillDefaults: false,
  concurrent: true,
  readsSettle: true,
  limitsRate: false,
  asyncAlone: false,
  // A server there takes the data of the acknowledgment for the handler's, however long that took.
  dispatchMs: LIMITS.compatActionMs,
  errorCodes: {
    [ERROR_CODES.SURFACE_UNAVAILABLE]: 'SURFACE_NOT_MOUNTED',
    [ERROR_CODES.EXECUTION_ERROR]: 'ACTION_EXECUTION_ERROR',
  },
};

/** With `validate: true` parameters are treated as everywhere else. */
export const VALIDATING_POLICY: Partial<EnginePolicy> = { ...COMPAT_POLICY, misfits: 'refuse', fillDefaults: true };

/** How `oui-spec` calls one of the protocol's error codes. */
export function wireCode(code: string): string {
  return COMPAT_POLICY.errorCodes?.[code] ?? code;
}
