import { isHighSurrogate, isLowSurrogate } from './clip-text.js';

/** Strings inside a JSON text, read in place: positions are UTF-16 units of the whole text. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** Looking at single units beats a search up to about here; texts in real state are mostly shorter. */
const NEAR = 24;

/** Where the string ends that begins at `from`, after its opening quote. */
export function closingQuote(text: string, from: number): number {
  let index = from;
  while (true) {
    const near = Math.min(index + NEAR, text.length);
    while (index < near) {
      const unit = text.charCodeAt(index);
      if (unit === QUOTE) return index;
      index += unit === BACKSLASH ? 2 : 1;
    }
    const quote = text.indexOf('"', index);
    if (quote === -1) return text.length;
    let first = quote;
    while (first > index && text.charCodeAt(first - 1) === BACKSLASH) first--;
    // An even number of backslashes escape each other.
    if ((quote - first) % 2 === 0) return quote;
    // Where one quote is escaped others are near.
    index = quote + 1;
  }
}

/** Finds backslashes from left to right. Remembers the next one, so that a search never goes over a stretch twice. */
export class EscapeFinder {
  readonly text: string;
  #next = -1;

  constructor(text: string) {
    this.text = text;
  }

  /** The first backslash at `from` or after; the text's length when there is none. `from` must not go back. */
  next(from: number): number {
    if (this.#next >= from) return this.#next;
    const near = Math.min(from + NEAR, this.text.length);
    for (let index = from; index < near; index++) {
      if (this.text.charCodeAt(index) === BACKSLASH) return (this.#next = index);
    }
    const found = this.text.indexOf('\\', near);
    return (this.#next = found === -1 ? this.text.length : found);
  }
}

/** How many UTF-16 units the string between two quotes stands for. */
export function textLength(escapes: EscapeFinder, from: number, end: number): number {
  let units = end - from;
  for (let at = escapes.next(from); at < end; ) {
    const long = escapes.text.charCodeAt(at + 1) === LETTER_U;
    units -= long ? 5 : 1;
    at = escapes.next(at + (long ? 6 : 2));
  }
  return units;
}

export interface TextPrefix {
  /** Where it ends in the JSON text. */
  readonly end: number;
  readonly units: number;
}

/**
 * The beginning of a string that stands for `length` units, one less when that would split a surrogate pair: where it
 * ends and how many units it has. The string, which begins at `from`, must have more than that.
 */
export function textPrefix(text: string, from: number, length: number): TextPrefix {
  let end = from;
  let last = from;
  for (let units = 0; units < length; units++) {
    last = end;
    end += escapeLength(text, end);
  }
  const splits = isHighSurrogate(unitAt(text, last)) && isLowSurrogate(unitAt(text, end));
  return splits ? { end: last, units: length - 1 } : { end, units: length };
}

function escapeLength(text: string, at: number): number {
  if (text.charCodeAt(at) !== BACKSLASH) return 1;
  return text.charCodeAt(at + 1) === LETTER_U ? 6 : 2;
}

function unitAt(text: string, at: number): number {
  return escapeLength(text, at) === 6 ? Number.parseInt(text.slice(at + 2, at + 6), 16) : text.charCodeAt(at);
}
