import type { JsonText } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';
import type { EngineContext } from './context.js';
import type { LedgerEntry } from './ledger.js';

/** Data of an outcome that are too long for the page's journal lie in the host's store until they have arrived. */

export function storeData(context: EngineContext, entry: LedgerEntry, text: JsonText): void {
  entry.stored = true;
  context.touch(entry);
  context.emit({ kind: 'store', key: storeKey(context, entry), text, until: context.at.wall + LIMITS.keptMs });
}

/** Fetches what an earlier document has put there: so many bytes. The host answers with `loaded`. */
export function loadData(context: EngineContext, entry: LedgerEntry, bytes: number): void {
  entry.loading = bytes;
  context.emit({ kind: 'load', key: storeKey(context, entry), requestId: entry.requestId });
}

/** They are not needed any more. */
export function deleteData(context: EngineContext, entry: LedgerEntry): void {
  if (!entry.stored) return;
  delete entry.stored;
  context.emit({ kind: 'store-delete', key: storeKey(context, entry) });
}

function storeKey({ config }: EngineContext, { requestId }: LedgerEntry): string {
  return `${config.clientId ?? ''} ${requestId}`;
}
