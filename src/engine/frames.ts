import { utf8Length } from '../protocol/byte-length.js';
import type { Fit, OUIError } from '../protocol/events.js';
import type { JsonText } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import { clipText } from '../rules/clip-text.js';
import { fitValueText } from '../rules/fit.js';
import { planFrame } from '../rules/frame-plan.js';
import type { FramePlan } from '../rules/frame-plan.js';
import { objectText } from '../rules/frame-text.js';
import type { OfferedForm } from '../protocol/engine-config.js';
import type { EngineContext } from './context.js';
import { isOwn, type LedgerEntry } from './ledger.js';
import type { OfferedPart } from './registry.js';

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
/** What a frame says when something of it was left out: `delivery`, and the size of the data in `fit`. */
const NOTES_BYTES = 256;
/** Brackets, keys and commas around data that is all that a result carries. */
const DATA_KEY_BYTES = 8;

/** What goes of a result, beside what always goes. */
interface ResultMembers extends Partial<FramePlan> {
  readonly error?: OUIError | undefined;
  readonly offered?: OfferedPart | undefined;
  readonly omitted: readonly string[];
}

/**
 * JSON text of a result that carries the page's state (PROTOCOL.md §4): the hash always, what is offered when the
 * agent holds something else, data and observations fitted to the budget. What does not fit at all is left out, and
 * `delivery` says so; the outcome never is. The runtime's own actions carry no state, and the page's own calls neither.
 */
export function resultText(context: EngineContext, entry: LedgerEntry, part: ResultPart): JsonText {
  if (entry.origin !== 'agent') return build(context, entry, part, { ...part, omitted: [] });
  const room = frameRoom(context, context.config.budgets.resultBytes);
  const omitted: string[] = [];
  let error = part.error && clippedError(part.error);
  let used = utf8Length(build(context, entry, part, { error, omitted })) + NOTES_BYTES;
  // What an error adds to its message is kept back as data is: the page and the outcome matter more.
  if (error?.details !== undefined && used > room - LIMITS.observationsMinBytes) {
    omitted.push('error.details');
    error = { code: error.code, message: error.message };
    used = utf8Length(build(context, entry, part, { error, omitted })) + NOTES_BYTES;
  }
  const members = isOwn(entry)
    ? ownMembers(context, part, used, omitted)
    : stateMembers(context, entry, part, { room, used, omitted });
  if (omitted.length > 0) {
    const { surfaceId, actionId } = entry.request;
    const message = `The result of "${actionId}" on surface "${surfaceId}" was over ${room} bytes; left out: `
      + `${omitted.join(', ')}. Return less, or raise budgets.resultBytes if the connection takes more.`;
    context.emit({ kind: 'warn', code: WARNINGS.FRAME_TRIMMED, message });
  }
  return build(context, entry, part, { ...members, error, omitted });
}

/** UTF-8 bytes that the data of an own action may take, so that its result keeps the budget. */
export function ownDataRoom(context: EngineContext, entry: LedgerEntry): number {
  const part: ResultPart = { success: true, settled: true };
  const used = utf8Length(build(context, entry, part, { omitted: [] })) + NOTES_BYTES + DATA_KEY_BYTES;
  return frameRoom(context, context.config.budgets.resultBytes) - used;
}

/** Data of an own action is made to fit; what never is any shorter, one definition, goes where the connection takes it. */
function ownMembers(context: EngineContext, { data }: ResultPart, used: number, omitted: string[]) {
  if (data === undefined || used + DATA_KEY_BYTES + utf8Length(data) <= frameRoom(context)) return { data };
  omitted.push('data');
  return {};
}

interface Room {
  readonly room: number;
  /** Bytes of what always goes. */
  readonly used: number;
  readonly omitted: string[];
}

function stateMembers(context: EngineContext, entry: LedgerEntry, part: ResultPart, { room, used, omitted }: Room) {
  const { registry } = context;
  const known = part.interim === false ? entry.interimHash : entry.request.knownSurfaces;
  let offered = registry.hash() === known ? undefined : registry.offeredPart();
  let wholeBytes = used;
  if (offered !== undefined) {
    const bytes = offered.bytes + offered.key.length + 4;
    if (used + bytes > room) {
      omitted.push(offered.key);
      offered = undefined;
    } else {
      wholeBytes += bytes;
    }
  }
  const plan = planFrame({ wholeBytes, data: part.data, observations: registry.observations() }, room);
  if (plan.observations === undefined) omitted.push('observations');
  return { ...plan, offered };
}

function build(context: EngineContext, entry: LedgerEntry, part: ResultPart, members: ResultMembers): JsonText {
  const { at, registry } = context;
  const { data, error, offered, observations, fit, omitted } = members;
  return objectText([
    ['requestId', text(entry.requestId)],
    ['success', text(part.success)],
    ['data', data],
    ['error', error && text(wireError(context, error))],
    ['interim', part.interim === undefined ? undefined : text(part.interim)],
    ['durationMs', text(Math.max(0, Math.round(at.now - entry.receivedAt)))],
    ['timestamp', text(at.wall)],
    [offered?.key ?? 'surfaces', offered?.text],
    ['surfacesHash', text(registry.hash())],
    ['observations', observations],
    ['fit', withLostData(fit, part.lostBytes)],
    ['settled', text(part.settled)],
    ['delivery', omitted.length === 0 ? undefined : text({ trimmed: true, reason: 'frame too large', omitted })],
  ]);
}

/** Data that an earlier document could not keep are reported as data that a frame has no room for. */
function withLostData(fit: JsonText | undefined, bytes: number | undefined): JsonText | undefined {
  if (bytes === undefined) return fit;
  const cut = fit === undefined ? {} : (JSON.parse(fit) as Fit);
  return text({ ...cut, data: { bytes, limit: LIMITS.journalDataLength } });
}

/** What a payload may have of a budget, and of what the connection takes. UTF-8 bytes. */
export function frameRoom({ peer }: EngineContext, budget = Infinity): number {
  return Math.min(budget, peer.frameBytes) - ENVELOPE_BYTES;
}

export function registrationText(form: OfferedForm, manifest: JsonText, timestamp: number): JsonText {
  return objectText([
    [form === 'index' ? 'index' : 'surface', manifest],
    ['timestamp', text(timestamp)],
  ]);
}

export interface Update {
  readonly surfaceId: string;
  readonly observationId: string;
  readonly value: JsonText;
  readonly timestamp: number;
}

/** An observation update, fitted to its budget (PROTOCOL.md §8). */
export function updateText(context: EngineContext, { surfaceId, observationId, value, timestamp }: Update): JsonText {
  const build = (fitted: JsonText | undefined, fit?: JsonText): JsonText =>
    objectText([
      ['surfaceId', text(surfaceId)],
      ['observationId', text(observationId)],
      ['value', fitted],
      ['timestamp', text(timestamp)],
      ['fit', fit],
    ]);
  const room = frameRoom(context, context.config.budgets.updateBytes);
  const around = utf8Length(build(''));
  const fitted = fitValueText(surfaceId, observationId, value, room - around);
  return build(fitted.value, fitted.cuts.length === 0 ? undefined : text({ observations: fitted.cuts }));
}

/** The error as this engine's policy names it. */
export function wireError({ policy: { errorCodes } }: EngineContext, error: OUIError): OUIError {
  const code = Object.hasOwn(errorCodes, error.code) ? errorCodes[error.code]! : error.code;
  return code === error.code ? error : { ...error, code };
}

function clippedError(error: OUIError): OUIError {
  const message = clipText(error.message, LIMITS.errorMessageLength);
  return { code: error.code, message, ...(error.details === undefined ? {} : { details: error.details }) };
}
