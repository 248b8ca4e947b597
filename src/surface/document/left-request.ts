import type { HandlerOutcome } from '../../protocol/engine-messages.js';
import type { JournalEntry } from '../../protocol/journal-entry.js';
import { utf8Length } from '../../protocol/byte-length.js';
import * as ERROR_CODES from '../../protocol/error-codes.js';
import type { OUIError } from '../../protocol/events.js';
import * as LIMITS from '../../protocol/limits.js';
import { outcomeForgotten } from '../../engine/engine-errors.js';

/** What a handler came to, or what is said in its place. */
export interface LeftOutcome {
  readonly outcome: HandlerOutcome;
  /** So many bytes of data belong to it, and lie in the store of the engine's host. */
  readonly bytes?: number;
}

/** A request as the documents of a tab leave it to each other. */
type LeftRequest = JournalEntry & {
  /** When this was written: Unix epoch, ms. */
  readonly at: number;
  readonly ended?: LeftOutcome;
};

/** What is of use to its own document only. */
const UNKEPT = [
  'result', 'interimResult', 'failure', 'losses', 'earlier', 'question', 'askingSince', 'acknowledgeBy',
] as const;

/** Whether data are too long for sessionStorage. */
export function isLong({ data }: HandlerOutcome): boolean {
  return data !== undefined && data.length > LIMITS.journalDataLength;
}

/** The text that is kept for a later document. Never the parameters: nothing of the request is to run again. */
export function leftText(entry: JournalEntry, ended: LeftOutcome | undefined, at: number): string {
  const { failure, interimData } = entry;
  const outcome = failure ? { outcome: { success: false, error: failure } } : ended && withoutLongData(ended);
  const left: LeftRequest = {
    ...entry,
    request: { ...entry.request, params: null },
    at,
    ...(outcome && { ended: outcome }),
  };
  const kept: Record<string, unknown> = left as never;
  for (const name of UNKEPT) delete kept[name];
  if (interimData !== undefined && interimData.length > LIMITS.journalDataLength) delete kept['interimData'];
  return JSON.stringify(kept);
}

function withoutLongData(ended: LeftOutcome): LeftOutcome {
  if (!isLong(ended.outcome)) return ended;
  const { data, ...outcome } = ended.outcome;
  return { outcome, bytes: utf8Length(data!) };
}

/**
 * A request that an earlier document left, as this one takes it over: an answered one keeps its id from running again;
 * of any other the outcome is known, or what is said in its place, unless its job can be followed further.
 * `undefined` for what no document has written.
 */
export function takenOver(text: string): { readonly entry: JournalEntry; readonly ended?: LeftOutcome } | undefined {
  let left: LeftRequest;
  try {
    left = JSON.parse(text) as LeftRequest;
  } catch {
    return undefined;
  }
  if (typeof left?.requestId !== 'string' || typeof left.request?.surfaceId !== 'string') return undefined;
  const { at: _, ended, ...entry } = left;
  if (entry.stage === 'answered' && entry.acknowledged) return { entry };
  const open: JournalEntry = { ...entry, stage: 'running', earlier: true };
  if (ended) return { entry: open, ended };
  if (entry.stage === 'running' && isJson(entry.dispatch)) return { entry: open };
  return { entry: open, ended: { outcome: { success: false, error: cutShort(entry) } } };
}

/** Other scripts of the page can write there too. */
function isJson(text: unknown): boolean {
  try {
    return typeof text === 'string' && (JSON.parse(text), true);
  } catch {
    return false;
  }
}

function cutShort({ stage, request: { actionId }, argsHash }: JournalEntry): OUIError {
  const code = ERROR_CODES.SURFACE_UNAVAILABLE;
  if (stage === 'running') {
    const message = `The page was left or loaded anew while "${actionId}" was running: how far it came is not known. `
      + 'Look at what the page shows before asking again.';
    return { code, message, details: { ran: 'unknown', ...(argsHash !== undefined && { argsHash }) } };
  }
  const when = stage === 'queued' ? 'before its turn came' : 'while its user was being asked';
  return { code, message: `"${actionId}" did not run: the page was left or loaded anew ${when}.`, details: { ran: false } };
}

/** What is told of a request of a session that has ended. */
export function signedOut({ request: { actionId } }: JournalEntry): HandlerOutcome {
  return { success: false, error: outcomeForgotten(actionId) };
}
