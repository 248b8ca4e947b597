import type { HandlerOutcome } from '../../protocol/engine-messages.js';
import * as ERROR_CODES from '../../protocol/error-codes.js';
import { messageOf } from '../../protocol/error-message.js';
import type { OUIError } from '../../protocol/events.js';
import type { JsonText } from '../../protocol/json.js';
import * as LIMITS from '../../protocol/limits.js';
import { warnOnce } from '../../protocol/warn-once.js';
import * as WARNINGS from '../../protocol/warning-codes.js';
import { clipText, cutEnd } from '../../rules/clip-text.js';

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
  const { success, data, error } = isEnvelope(value) ? value : { success: true, data: value, error: undefined };
  const text = jsonText(data, action);
  return {
    success,
    ...(text !== undefined && { data: text }),
    ...(!success && { error: reportedError(error, action) }),
  };
}

/** What a job is followed by: the handler's `data`, else its `dispatchMeta` (PROTOCOL.md §2, async actions). */
export function dispatchResultOf(value: unknown): unknown {
  if (!isEnvelope(value)) return value;
  return value.data === undefined ? value.dispatchMeta : value.data;
}

function isEnvelope(value: unknown): value is Envelope {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { success?: unknown }).success === 'boolean' &&
    Object.keys(value).every((key) => ENVELOPE_KEYS.has(key))
  );
}

/** A frame has room for data, not for what somebody put into an error: these two are never cut to fit it. */
const clippedCode = (code: string): string => code.slice(0, cutEnd(code, LIMITS.errorCodeLength));
const clippedMessage = (error: unknown): string => clipText(messageOf(error), LIMITS.errorMessageLength);

function reportedError(error: unknown, action: string): OUIError {
  const { code, details } = (typeof error === 'object' && error ? error : {}) as { code?: unknown; details?: unknown };
  const text = jsonText(details, action);
  return {
    code: typeof code === 'string' && code !== '' ? clippedCode(code) : ERROR_CODES.EXECUTION_ERROR,
    message: error ? clippedMessage(error) : 'The handler reported a failure and gave no reason.',
    ...(text !== undefined && { details: JSON.parse(text) as unknown }),
  };
}

/**
 * JSON text of what a handler hands over; `undefined` when there is nothing to tell. An outcome is never lost for what
 * its data are: BigInts go as text, an object inside itself as `null`, and what cannot be read at all is left out.
 */
export function jsonText(value: unknown, action: string): JsonText | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    const message = `${action} handed over data that are not JSON (${messageOf(error)}). BigInts were sent as text, `
      + 'circular references as null; return plain data to be sure what the agent gets.';
    warnOnce(WARNINGS.DATA_NOT_JSON, message, action);
  }
  try {
    return JSON.stringify(value, tolerant());
  } catch {
    return undefined;
  }
}

/** A replacer that knows the way down to the present value, so that it finds an object inside itself. */
function tolerant(): (this: unknown, key: string, value: unknown) => unknown {
  const path: unknown[] = [];
  return function (this: unknown, _key: string, value: unknown): unknown {
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    while (path.length > 0 && path.at(-1) !== this) path.pop();
    if (path.includes(value)) return null;
    path.push(value);
    return value;
  };
}
