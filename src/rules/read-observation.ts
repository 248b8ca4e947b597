import { utf8Length } from '../protocol/byte-length.js';
import type { Cut } from '../protocol/events.js';
import { appendPointer, parsePointer, resolvePointer } from '../protocol/json-pointer.js';
import type { JsonText } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';
import { isJsonObject } from '../protocol/shape.js';
import { cutEnd } from './clip-text.js';
import { fitText } from './fit-text.js';
import { fitValueText } from './fit.js';
import { objectText } from './frame-text.js';

/** What of an observation's value is asked for, as `oui.read` takes it. */
export interface ReadPlace {
  readonly surface: string;
  readonly observation: string;
  /** JSON Pointer (RFC 6901) from the value. */
  readonly path: string;
  /** Rows of a list, members of an object, UTF-16 units of a text: how many to pass over, and how many to give. */
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

/** One piece of a value that is read in pages. */
type Piece = readonly [key: string | number, text: JsonText];

/** A page of pieces that fits. */
interface Page {
  readonly pieces: readonly Piece[];
  readonly cuts: readonly Cut[];
}

/** What the members beside a page's pieces take at most, less the cuts of a piece that is larger than a page. */
const AROUND_BYTES = 160;

/**
 * What `oui.read` answers (PROTOCOL.md §7), as JSON text, from the whole of a value: of a list a page of its rows,
 * `{rows, total, offset, more?, next?}`, fewer than asked for when they would not fit; of anything else `{value, fit?}`.
 * A text or an object is read in pages too when `offset` or `limit` is given, `{value, total, offset, more?, next?}`:
 * so that whatever `fit` says was cut can be read to its end. Paths in `fit` are from the observation's value.
 *
 * @param budgetBytes UTF-8 bytes for the whole of it
 * @returns undefined when there is nothing at the path
 */
export function readObservation(value: JsonText, place: ReadPlace, budgetBytes: number): JsonText | undefined {
  const found = resolvePointer(JSON.parse(value), place.path);
  if (found === undefined) return undefined;
  if (Array.isArray(found)) return rowsPage(found, place, budgetBytes);
  const paged = place.offset !== undefined || place.limit !== undefined;
  if (paged && typeof found === 'string') return textPage(found, place, budgetBytes);
  if (paged && isJsonObject(found)) return membersPage(found, place, budgetBytes);
  const text = place.path === '' ? value : JSON.stringify(found);
  const { value: fitted, cuts } = fitAt(text, place, place.path, budgetBytes - utf8Length('{"value":}'));
  return objectText([
    ['value', fitted],
    ['fit', fitText(cuts)],
  ]);
}

/** Whether a text is a JSON Pointer. */
export function isPointer(path: string): boolean {
  return parsePointer(path) !== undefined;
}

function rowsPage(rows: readonly unknown[], place: ReadPlace, budgetBytes: number): JsonText {
  const offset = Math.min(place.offset ?? 0, rows.length);
  const asked = rows.slice(offset, offset + (place.limit ?? LIMITS.readRows));
  const { pieces, cuts } = takePieces(asked.length, place, budgetBytes, (index) => {
    return [offset + index, JSON.stringify(asked[index])];
  });
  const text = `[${pieces.map(([, piece]) => piece).join(',')}]`;
  return page('rows', text, { total: rows.length, offset, taken: pieces.length, cuts });
}

function membersPage(object: { readonly [key: string]: unknown }, place: ReadPlace, budgetBytes: number): JsonText {
  const keys = Object.keys(object);
  const offset = Math.min(place.offset ?? 0, keys.length);
  const asked = keys.slice(offset, offset + (place.limit ?? LIMITS.readRows));
  const { pieces, cuts } = takePieces(asked.length, place, budgetBytes, (index) => {
    const key = asked[index] as string;
    return [key, JSON.stringify(object[key])];
  });
  const text = objectText(pieces.map(([key, piece]) => [String(key), piece]));
  return page('value', text, { total: keys.length, offset, taken: pieces.length, cuts });
}

function textPage(text: string, place: ReadPlace, budgetBytes: number): JsonText {
  const offset = cutEnd(text, Math.min(place.offset ?? 0, text.length));
  let length = Math.min(place.limit ?? LIMITS.cutTextLength, text.length - offset);
  const room = budgetBytes - AROUND_BYTES;
  const pieceOf = (units: number): string => {
    const end = cutEnd(text, offset + units);
    // One unit that is half a pair goes with its other half: a page is never empty.
    return text.slice(offset, end > offset ? end : offset + Math.min(2, text.length - offset));
  };
  // A unit takes six bytes at most, `\u0000`: within so many there is no need to count.
  let piece = pieceOf(length);
  while (length > 1 && length > room / 6 && utf8Length(JSON.stringify(piece)) > room) {
    length = Math.floor(length / 2);
    piece = pieceOf(length);
  }
  return page('value', JSON.stringify(piece), { total: text.length, offset, taken: piece.length, cuts: [] });
}

/** As many as fit. The first goes in any case, fitted when it is larger than a page: reading on must lead on. */
function takePieces(
  count: number,
  place: ReadPlace,
  budgetBytes: number,
  pieceAt: (index: number) => Piece,
): Page {
  const pieces: Piece[] = [];
  let left = budgetBytes - AROUND_BYTES;
  for (let index = 0; index < count; index++) {
    const [key, text] = pieceAt(index);
    const bytes = utf8Length(text) + utf8Length(JSON.stringify(key)) + 2;
    if (bytes <= left) {
      pieces.push([key, text]);
      left -= bytes;
    } else if (pieces.length === 0) {
      const room = left - (bytes - utf8Length(text));
      const { value, cuts } = fitAt(text, place, appendPointer(place.path, key), room);
      return { pieces: [[key, value]], cuts };
    } else {
      break;
    }
  }
  return { pieces, cuts: [] };
}

/** Fits a part of an observation's value. The report names places from the whole value, so they take more room. */
function fitAt(text: JsonText, { surface, observation }: ReadPlace, path: string, room: number) {
  const prefixBytes = utf8Length(JSON.stringify(path)) - 2;
  let budget = room;
  for (;;) {
    const fitted = fitValueText(surface, observation, text, budget);
    const cuts = fitted.cuts.map((cut): Cut => ({ ...cut, path: path + cut.path }));
    const over = utf8Length(fitted.value) + utf8Length(memberOf(cuts)) - room;
    if (over <= 0 || !fitted.fits || prefixBytes === 0) return { value: fitted.value, cuts };
    budget -= over;
  }
}

function memberOf(cuts: readonly Cut[]): string {
  return cuts.length === 0 ? '' : `,"fit":${fitText(cuts) ?? ''}`;
}

interface PageNumbers {
  readonly total: number;
  readonly offset: number;
  readonly taken: number;
  readonly cuts: readonly Cut[];
}

function page(key: 'rows' | 'value', text: JsonText, { total, offset, taken, cuts }: PageNumbers): JsonText {
  const next = offset + taken;
  const more = next < total;
  return objectText([
    [key, text],
    ['total', String(total)],
    ['offset', String(offset)],
    ['more', more ? 'true' : undefined],
    ['next', more ? String(next) : undefined],
    ['fit', fitText(cuts)],
  ]);
}
