import type { InspectedFrame } from '../protocol/inspection.js';
import type { JsonText } from '../protocol/json.js';
import { utf8Length } from '../protocol/byte-length.js';
import * as LIMITS from '../protocol/limits.js';
import { cutEnd } from './clip-text.js';

/** `{"type":` and `,"payload":` and `}`. */
const AROUND_BYTES = 20;

/** A frame for those who inspect. `payload`: its JSON text. `at`: Unix epoch, ms. */
export function inspectedFrame(
  direction: InspectedFrame['direction'],
  type: string,
  payload: string,
  at: number,
): InspectedFrame {
  const bytes = AROUND_BYTES + utf8Length(JSON.stringify(type)) + utf8Length(payload);
  const end = cutEnd(payload, LIMITS.inspectedFrameLength);
  return {
    direction, type, bytes, payload: payload.slice(0, end), ...(end < payload.length && { cut: true as const }), at,
  };
}

/**
 * The same for a message that has been parsed, whatever it is: looking on must not keep it from those who answer it.
 * A payload that JSON cannot carry is told as `null`.
 */
export function inspectedMessage(message: unknown, at: number): InspectedFrame {
  const { type, payload } = (message ?? {}) as { readonly type?: unknown; readonly payload?: unknown };
  return inspectedFrame('in', typeof type === 'string' ? type : '', jsonText(payload), at);
}

function jsonText(payload: unknown): JsonText {
  try {
    return JSON.stringify(payload) ?? 'null';
  } catch {
    // A cycle, a bigint, or nested too deep: the guards refuse it behind us.
    return 'null';
  }
}
