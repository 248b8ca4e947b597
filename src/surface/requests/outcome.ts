import type { HandlerOutcome } from '../../protocol/engine-messages.js';
import * as ERROR_CODES from '../../protocol/error-codes.js';
import { messageOf } from '../../protocol/error-message.js';
import type { OUIError } from '../../protocol/events.js';
import type { JsonText } from '../../protocol/json.js';
import * as LIMITS from '../../protocol/limits.js';
import * as WARNINGS from '../../protocol/warning-codes.js';
import { clipText, cutEnd } from '../../rules/clip-text.js';
import { valueText } from '../value-text.js';

interface Envelope {
  readonly success: boolean;
  readonly data?: unknown;
  readonly error?: unknown;
  readonly dispatchMeta?: unknown;
}

const ENVELOPE_KEYS: ReadonlySet<string> = new Set(['success', 'data', 'error', 'dispatchMeta']);

/** An action in a message to its author. */
export function actionName(actionId: string, surfaceId: string): string {
  return `Action "${actionId}" of surface "${surfaceId}"`;
}

/** A throw, a rejection, or a context getter that throws (specification §7.6.3). */
export function thrownOutcome(error: unknown): HandlerOutcome {
  return { success: false, error: { code: ERROR_CODES.EXECUTION_ERROR, message: clippedMessage(error) } };
}

/** What a handler's value comes to (PROTOCOL.md §2.12): an envelope, or else the data itself. */
export function returnedOutcome(value: unknown, action: string): HandlerOutcome {
  const { success, data, error } = envelopeOf(value) ?? { success: true, data: value, error: undefined };
  const text = jsonText(data, action);
  return {
    success,
    ...(text !== undefined && { data: text }),
    ...(!success && { error: reportedError(error, action) }),
  };
}

/** What a job is followed by: the handler's `data`, else its `dispatchMeta` (PROTOCOL.md §2, async actions). */
export function dispatchResultOf(value: unknown): unknown {
  const envelope = envelopeOf(value);
  if (!envelope) return value;
  return envelope.data === undefined ? envelope.dispatchMeta : envelope.data;
}

function envelopeOf(value: unknown): Envelope | undefined {
  const success = readMember(value, 'success');
  if (typeof value !== 'object' || value === null || typeof success !== 'boolean') return undefined;
  if (!Object.keys(value).every((key) => ENVELOPE_KEYS.has(key))) return undefined;
  const [data, error, dispatchMeta] = ['data', 'error', 'dispatchMeta'].map((name) => readMember(value, name));
  return { success, data, error, dispatchMeta };
}

/** A getter that throws, and a proxy that was revoked, have nothing to tell. */
function readMember(value: unknown, name: string): unknown {
  try {
    return (Object(value) as { readonly [name: string]: unknown })[name];
  } catch {
    return undefined;
  }
}

/** A frame has room for data, not for what somebody put into an error: these two are never cut to fit it. */
const clippedCode = (code: string): string => code.slice(0, cutEnd(code, LIMITS.errorCodeLength));
const clippedMessage = (error: unknown): string => clipText(messageOf(error), LIMITS.errorMessageLength);

function reportedError(error: unknown, action: string): OUIError {
  const code = readMember(error, 'code');
  const text = jsonText(readMember(error, 'details'), action);
  return {
    code: typeof code === 'string' && code !== '' ? clippedCode(code) : ERROR_CODES.EXECUTION_ERROR,
    message: error ? clippedMessage(error) : 'The handler reported a failure and gave no reason.',
    ...(text !== undefined && { details: JSON.parse(text) as unknown }),
  };
}

/** JSON text of what a handler hands over; `undefined` when there is nothing to tell. Whatever it is: it is reported. */
export function jsonText(value: unknown, action: string): JsonText | undefined {
  return valueText(value, WARNINGS.DATA_NOT_JSON, action).text;
}
