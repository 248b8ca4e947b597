import { escapePointerToken } from '../protocol/json-pointer.js';
import type { JsonText } from '../protocol/json.js';
import { LIMITS } from '../protocol/limits.js';
import { closingQuote, EscapeFinder, textLength, textPrefix } from './json-string.js';

/** A list that one of the steps may cut, and where. Positions are UTF-16 units of the JSON text. */
export interface ListSpan {
  /** JSON Pointer from the root. */
  readonly path: string;
  readonly rows: number;
  /** How many of the steps, from the first, leave the list itself in place. */
  readonly reach: number;
  /** By step: where the text goes that follows the rows it keeps. Only for steps that have rows to take. */
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

/** What of a JSON text can be cut. Both in the order of what would be taken away, from left to right. */
export interface JsonOutline {
  readonly lists: readonly ListSpan[];
  readonly texts: readonly TextSpan[];
}

const STEPS = LIMITS.cutRows;
const COUNT = STEPS.length;

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
  /** Steps that leave the container in place. */
  readonly reach: number;
  readonly parent: Container | undefined;
  path: string | undefined;
  /** Of a list: rows so far, and where each step would cut. Of an object: where its present key stands. */
  row: number;
  readonly cuts: number[];
  keyStart: number;
  keyEnd: number;
}

/**
 * Finds what can be cut in a JSON text: one pass over it, without parsing or copying it. Rows that no step keeps are
 * counted and nothing more. The text must be JSON, as `JSON.stringify` writes it; white space does no harm.
 */
export function outlineJson(text: JsonText): JsonOutline {
  const lists: ListSpan[] = [];
  const texts: TextSpan[] = [];
  const escapes = new EscapeFinder(text);
  let at: Container | undefined;
  // A step reaches a place when it leaves it in place: those before `reach` do. Outside of lists all of them.
  let reach = COUNT;
  let atKey = false;

  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case QUOTE: {
        const end = closingQuote(text, index + 1);
        if (atKey && at !== undefined) {
          at.keyStart = index;
          at.keyEnd = end + 1;
          atKey = false;
        } else if (reach === COUNT && end - index > LIMITS.cutTextLength) {
          const total = textLength(escapes, index + 1, end);
          if (total > LIMITS.cutTextLength) {
            const { end: cut, units: kept } = textPrefix(text, index + 1, LIMITS.cutTextLength);
            texts.push({ path: placeIn(at, text), total, kept, cut, end });
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
        at = { isList: true, reach, parent: at, path: undefined, row: 0, cuts: [], keyStart: 0, keyEnd: 0 };
        at.cuts[COUNT - 1] = index + 1;
        reach = Math.min(reach, COUNT - 1);
        break;
      }
      case OPEN_OBJECT:
        at = { isList: false, reach, parent: at, path: undefined, row: 0, cuts: [], keyStart: 0, keyEnd: 0 };
        atKey = true;
        break;
      case COMMA: {
        if (at === undefined) break;
        if (!at.isList) {
          atKey = true;
          break;
        }
        at.row++;
        const step = STEPS.indexOf(at.row as (typeof STEPS)[number]);
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
        const fewest = STEPS[at.reach - 1];
        if (fewest !== undefined && rows > fewest) {
          lists.push({ path: pathOf(at, text), rows, reach: at.reach, cuts: at.cuts, end: index });
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
  return { lists, texts };
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
  const inward: Container[] = [];
  for (let each: Container | undefined = container; each?.path === undefined; each = each.parent) {
    if (each === undefined) break;
    inward.push(each);
  }
  for (const each of inward.reverse()) each.path = placeIn(each.parent, text);
  return container.path ?? '';
}
