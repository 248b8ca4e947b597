import type { JournalEntry } from '../../protocol/journal-entry.js';
import { EVENT } from '../../protocol/events.js';
import type { OUIActionRequest } from '../../protocol/events.js';
import * as LIMITS from '../../protocol/limits.js';

type Call = { readonly request: OUIActionRequest; readonly nested: boolean };
type Times = Pick<JournalEntry, 'receivedAt' | 'deadlineAt'>;

/**
 * Journal entries for requests that engine after engine was lost with before it had written them there. The next one
 * answers them, so that nobody waits, and does not look at them again.
 *
 * @param messages From the agent, unchecked. What is no request of its own is left out: nobody waits for an answer.
 * @param calls The page's own.
 */
export function suspectEntries(messages: readonly unknown[], calls: readonly Call[], times: Times): JournalEntry[] {
  const of = (request: OUIActionRequest, origin: JournalEntry['origin']): JournalEntry => {
    const { requestId } = request;
    return { requestId, stage: 'queued', origin, request, waits: false, losses: LIMITS.engineLosses, ...times };
  };
  return [
    ...messages.flatMap((message) => {
      const request = requestIn(message);
      return request ? [of(request, 'agent')] : [];
    }),
    ...calls.map(({ request, nested }) => of(request, nested ? 'nested' : 'local')),
  ];
}

/** Without its parameters: they are what an engine may have stumbled over. */
function requestIn(message: unknown): OUIActionRequest | undefined {
  const { type, payload } = (message ?? {}) as { type?: unknown; payload?: Partial<OUIActionRequest> | null };
  const { requestId, surfaceId, actionId } = payload ?? {};
  if (type !== EVENT.request || typeof requestId !== 'string') return undefined;
  return { requestId, surfaceId: String(surfaceId), actionId: String(actionId), params: {}, timestamp: Date.now() };
}
