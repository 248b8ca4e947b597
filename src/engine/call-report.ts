import type { CallReport } from '../protocol/engine-messages.js';
import type { EngineContext } from './context.js';
import type { LedgerEntry } from './ledger.js';

/** Tells the page's listeners of a moment in a call's life. */
export function report(
  context: EngineContext,
  entry: LedgerEntry,
  phase: CallReport['phase'],
  more: Pick<CallReport, 'params' | 'result'> = {},
): void {
  if (!context.watchCalls) return;
  const { requestId, origin, request } = entry;
  const { surfaceId, actionId } = request;
  context.emit({ kind: 'call', report: { phase, requestId, origin, surfaceId, actionId, ...more } });
}
