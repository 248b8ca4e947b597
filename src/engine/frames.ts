import type { Fit, OUIError } from '../protocol/events.js';
import type { JsonText } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import { utf8Length } from '../protocol/byte-length.js';
import { objectText } from '../rules/frame-text.js';
import type { EngineContext } from './context.js';
import type { LedgerEntry } from './ledger.js';

/** What a result says about its request. */
export interface ResultPart {
  readonly success: boolean;
  readonly data?: JsonText | undefined;
  readonly error?: OUIError | undefined;
  readonly interim?: boolean | undefined;
  readonly settled: boolean;
  /** The data, of so many bytes, were left behind in an earlier document: they were not kept in time. */
  readonly lostBytes?: number | undefined;
}

const text = (value: unknown): string => JSON.stringify(value);

/** The envelope and a name or two beside the payload. */
const ENVELOPE_BYTES = 256;
/** The longest error message that goes out: more is a document, not a message. In UTF-16 units. */
const MESSAGE_LENGTH = 4_000;

/**
 * JSON text of a result that carries the page's state: the hash always, the manifests when the agent holds others,
 * every observation (PROTOCOL.md §4). What would not pass the connection is left out, the outcome last.
 */
export function resultText(context: EngineContext, entry: LedgerEntry, part: ResultPart): JsonText {
  const { registry, at, peer } = context;
  const hash = registry.hash();
  const final = part.interim === false;
  const known = final ? entry.interimHash : entry.request.knownSurfaces;
  const carriesState = entry.origin === 'agent';
  const surfaces = carriesState && hash !== known ? registry.offeredText() : undefined;
  const observations = carriesState ? registry.observationsText() : undefined;

  const build = (omitted: readonly string[]): JsonText => {
    const keep = (name: string, value: string | undefined) => (omitted.includes(name) ? undefined : value);
    return objectText([
      ['requestId', text(entry.requestId)],
      ['success', text(part.success)],
      ['data', keep('data', part.data)],
      ['error', part.error && text(shortened(part.error, omitted.includes('error.details')))],
      ['interim', part.interim === undefined ? undefined : text(part.interim)],
      ['durationMs', text(Math.max(0, Math.round(at.now - entry.receivedAt)))],
      ['timestamp', text(at.wall)],
      ['surfaces', keep('surfaces', surfaces)],
      ['surfacesHash', text(hash)],
      ['observations', keep('observations', observations)],
      ['fit', part.lostBytes === undefined ? undefined : text({ data: lostData(part.lostBytes) })],
      ['settled', text(part.settled)],
      ['delivery', omitted.length === 0 ? undefined : text({ trimmed: true, reason: 'frame too large', omitted })],
    ]);
  };

  const omissible = ['surfaces', 'observations', 'data', 'error.details'];
  const present = [surfaces, observations, part.data, part.error?.details].map((value) => value !== undefined);
  const omitted: string[] = [];
  let frame = build(omitted);
  for (const [index, name] of omissible.entries()) {
    if (fits(frame, peer.frameBytes)) break;
    if (!present[index]) continue;
    omitted.push(name);
    frame = build(omitted);
  }
  if (omitted.length > 0) {
    const left = omitted.join(', ');
    const message = `The result of "${entry.request.actionId}" was over ${peer.frameBytes} bytes; left out: ${left}.`;
    context.emit({ kind: 'warn', code: WARNINGS.FRAME_TRIMMED, message });
  }
  return frame;
}

function lostData(bytes: number): NonNullable<Fit['data']> {
  return { bytes, limit: LIMITS.journalDataLength };
}

export function registrationText(manifest: JsonText, timestamp: number): JsonText {
  return objectText([
    ['surface', manifest],
    ['timestamp', text(timestamp)],
  ]);
}

export function updateText(surfaceId: string, observationId: string, value: JsonText, timestamp: number): JsonText {
  return objectText([
    ['surfaceId', text(surfaceId)],
    ['observationId', text(observationId)],
    ['value', value],
    ['timestamp', text(timestamp)],
  ]);
}

function fits(frame: JsonText, frameBytes: number): boolean {
  const limit = frameBytes - ENVELOPE_BYTES;
  // A UTF-16 unit is at most three bytes: most frames need no counting.
  return frame.length * 3 <= limit || (frame.length <= limit && utf8Length(frame) <= limit);
}

function shortened(error: OUIError, withoutDetails: boolean): OUIError {
  const message =
    error.message.length > MESSAGE_LENGTH ? `${error.message.slice(0, MESSAGE_LENGTH - 1)}…` : error.message;
  return error.details === undefined || withoutDetails
    ? { code: error.code, message }
    : { code: error.code, message, details: error.details };
}
