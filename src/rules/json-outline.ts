import { escapePointerToken } from '../protocol/json-pointer.js';
import type { JsonText } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';
import { closingQuote, EscapeFinder, textLength, textPrefix } from './json-string.js';
import { LIST_STEPS, StepEstimates, TEXT_STEP } from './step-estimates.js';

/** A list that one of the steps may cut, and where. Positions are UTF-16 units of the JSON text. */
export interface ListSpan {
  /** JSON Pointer from the root. */
  readonly path: string;
  readonly rows: number;
  /** How many of the list steps, from the first, leave the list itself in place. */
  readonly reach: number;
  /** By list step: where the rows end that it keeps; 0 for a step that takes none. */
  readonly cuts: readonly number[];
  /** The closing bracket. */
  readonly end: number;
}

/** A text outside of every list that is longer than the limit, and where to cut it. */
export interface TextSpan {
  readonly path: string;
  /** UTF-16 units of the text itself, whole and cut. */
  readonly total: number;
  readonly kept: number;
  readonly cut: number;
  /** The closing quote. */
  readonly end: number;
}

/** What of a JSON text can be cut: lists and texts each in the order of their ends. */
export interface JsonOutline {
  readonly lists: readonly ListSpan[];
  readonly texts: readonly TextSpan[];
  /** By step: a lower bound of the bytes of the text and its report. */
  readonly least: readonly number[];
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;

/** An object or list that the reader is in. */
interface Container {
  readonly isList: boolean;
  /** List steps that leave the container in place: those before this one. Outside of lists all of them do. */
  readonly reach: number;
  readonly parent: Container | undefined;
  path: string | undefined;
  /** Of a list: the present row, and `ListSpan.cuts` so far. */
  row: number;
  readonly cuts: number[];
  /** Of an object: its present key, with its quotes. */
  keyStart: number;
  keyEnd: number;
}

const NO_CUTS: number[] = [];

function open(isList: boolean, reach: number, parent: Container | undefined, cuts: number[]): Container {
  return { isList, reach, parent, path: undefined, row: 0, cuts, keyStart: 0, keyEnd: 0 };
}

/** The last step, to no rows at all, cuts after the opening bracket. */
function cutsFrom(start: number): number[] {
  return LIST_STEPS.map((rows) => (rows === 0 ? start : 0));
}

/**
 * Finds what can be cut in a JSON text: one pass over it, without parsing or copying it. Rows that no step keeps are
 * counted and nothing more. Undefined when no step brings the text and its report into `room` bytes; what is found
 * by then is bounded by the room, and a text whose uncuttable part is too long is not read to its end.
 *
 * The text must be JSON, as `JSON.stringify` writes it; white space does no harm.
 *
 * @param cutUnits what the report of one cut takes at least, less its path
 */
export function outlineJson(text: JsonText, room: number, cutUnits: number): JsonOutline | undefined {
  const lists: ListSpan[] = [];
  const texts: TextSpan[] = [];
  const estimates = new StepEstimates(room, cutUnits);
  const escapes = new EscapeFinder(text);
  let at: Container | undefined;
  let reach = TEXT_STEP;
  let atKey = false;

  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case QUOTE: {
        const end = closingQuote(text, index + 1);
        if (atKey && at !== undefined) {
          at.keyStart = index;
          at.keyEnd = end + 1;
          atKey = false;
        } else if (reach === TEXT_STEP && end - index > LIMITS.cutTextLength) {
          const span = longText(escapes, index + 1, end, at);
          if (span !== undefined) {
            texts.push(span);
            estimates.addText(span.end - span.cut, span.path.length);
          }
        }
        index = end;
        break;
      }
      case OPEN_LIST: {
        const first = firstRow(text, index + 1);
        if (text.charCodeAt(first) === CLOSE_LIST) {
          index = first;
          break;
        }
        at = open(true, reach, at, cutsFrom(index + 1));
        reach = Math.min(reach, TEXT_STEP - 1);
        break;
      }
      case OPEN_OBJECT:
        at = open(false, reach, at, NO_CUTS);
        atKey = true;
        break;
      case COMMA: {
        if (at === undefined) break;
        if (!at.isList) {
          atKey = true;
          if (reach === TEXT_STEP && index - estimates.removedBy(TEXT_STEP) > room) return undefined;
          break;
        }
        at.row++;
        const step = LIST_STEPS.indexOf(at.row);
        if (step === -1) break;
        at.cuts[step] = index;
        reach = Math.min(at.reach, step);
        if (reach === 0) {
          const skipped = skipRows(text, index + 1);
          at.row += skipped.rows;
          // The bracket is read as any other.
          index = skipped.end - 1;
        }
        break;
      }
      case CLOSE_LIST: {
        if (at === undefined) break;
        const rows = at.row + 1;
        const first = LIST_STEPS.findIndex((kept) => rows > kept);
        if (first < at.reach && estimates.addList(first, at.reach, at.cuts, index)) {
          const path = pathOf(at, text);
          estimates.addPath(first, at.reach, path.length);
          lists.push({ path, rows, reach: at.reach, cuts: at.cuts, end: index });
        }
        reach = at.reach;
        at = at.parent;
        break;
      }
      case CLOSE_OBJECT:
        atKey = false;
        at = at?.parent;
        break;
    }
  }
  const least = estimates.after(text.length);
  return least.some((bytes) => bytes <= room) ? { lists, texts, least } : undefined;
}

function longText(
  escapes: EscapeFinder,
  from: number,
  end: number,
  container: Container | undefined,
): TextSpan | undefined {
  const total = textLength(escapes, from, end);
  if (total <= LIMITS.cutTextLength) return undefined;
  const { end: cut, units: kept } = textPrefix(escapes.text, from, LIMITS.cutTextLength);
  return { path: placeIn(container, escapes.text), total, kept, cut, end };
}

function firstRow(text: string, from: number): number {
  let index = from;
  while (text.charCodeAt(index) <= SPACE) index++;
  return index;
}

/** From within a list to its closing bracket: where that is, and how many more rows follow the present one. */
function skipRows(text: string, from: number): { readonly end: number; readonly rows: number } {
  let depth = 0;
  let rows = 0;
  let index = from;
  for (; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        index = closingQuote(text, index + 1);
        break;
      case COMMA:
        if (depth === 0) rows++;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        depth++;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        if (depth === 0) return { end: index, rows };
        depth--;
        break;
    }
  }
  return { end: index, rows };
}

/** The path of the present place in a container. */
function placeIn(container: Container | undefined, text: string): string {
  if (container === undefined) return '';
  const path = pathOf(container, text);
  if (container.isList) return `${path}/${container.row}`;
  const key: unknown = JSON.parse(text.slice(container.keyStart, container.keyEnd));
  return `${path}/${escapePointerToken(String(key))}`;
}

/** The path of a container. Worked out when it is asked for, once, and from the outside in: nesting may be deep. */
function pathOf(container: Container, text: string): string {
  const outward: Container[] = [];
  let each: Container | undefined = container;
  while (each !== undefined && each.path === undefined) {
    outward.push(each);
    each = each.parent;
  }
  for (const inner of outward.reverse()) inner.path = placeIn(inner.parent, text);
  return container.path ?? '';
}
