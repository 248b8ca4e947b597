import type { CallReport } from '../protocol/engine-messages.js';
import type { EngineContext } from './context.js';
import type { LedgerEntry } from './ledger.js';
import { findAction } from './registry.js';

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
  const title = phase === 'ended' ? undefined : titleOf(context, entry);
  const told = { phase, requestId, origin, surfaceId, actionId, ...(title !== undefined && { title }), ...more };
  context.emit({ kind: 'call', report: told });
}

function titleOf({ registry }: EngineContext, { action, request }: LedgerEntry): string | undefined {
  if (action) return action.title;
  const mount = registry.offered(request.surfaceId);
  return mount && findAction(mount.surface, request.actionId)?.title;
}
