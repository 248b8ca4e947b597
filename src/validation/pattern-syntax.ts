import { BEYOND_BASIC, complement, DIGITS, LINE_ENDS, propertySet, SPACE, union, WORD } from './character-set.js';
import type { CharacterSet } from './character-set.js';

/** One part of a pattern. `source` and `at` say where it stands, for messages. */
export type PatternNode =
  /** Reads one code point. `exact` is false where the set may hold more than the part reads. */
  | { readonly kind: 'set'; readonly set: CharacterSet; readonly exact: boolean; readonly source: string }
  /** `^`, `$`, `\b`, `\B`: reads nothing. */
  | { readonly kind: 'assertion'; readonly symbol: '^' | '$' | '\\b' | '\\B' }
  /** Look-ahead and look-behind. */
  | { readonly kind: 'look'; readonly body: PatternNode; readonly behind: boolean }
  | { readonly kind: 'back-reference' }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly body: PatternNode; readonly min: number; readonly max: number };

/** Deeper patterns are not read: reading is recursive. */
const MAX_DEPTH = 100;

const CONTROLS: { readonly [letter: string]: number } = { t: 9, n: 10, v: 11, f: 12, r: 13, '0': 0 };
const CLASSES: { readonly [letter: string]: CharacterSet } = {
  d: DIGITS,
  D: complement(DIGITS),
  w: WORD,
  W: complement(WORD),
  s: SPACE,
  S: complement(SPACE),
};
const NOT_LINE_END = complement(LINE_ENDS);

/**
 * Reads a pattern that the language has accepted with the flag `u`: its grammar is strict, so little is left to check.
 * Returns undefined for what is not read here: groups with flags of their own, and hundreds of nested groups.
 */
export function readPattern(pattern: string): PatternNode | undefined {
  try {
    return new PatternReader(pattern).read();
  } catch (error) {
    if (error instanceof NotReadError) return undefined;
    throw error;
  }
}

class NotReadError extends Error {}

class PatternReader {
  readonly #pattern: string;
  #at = 0;
  #depth = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  read(): PatternNode {
    const node = this.#choice();
    if (this.#at < this.#pattern.length) throw new NotReadError();
    return node;
  }

  #take(text: string): boolean {
    if (!this.#pattern.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** What a sticky expression finds here. */
  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#pattern);
    if (found === null) return undefined;
    this.#at = expression.lastIndex;
    return found;
  }

  #choice(): PatternNode {
    if (++this.#depth > MAX_DEPTH) throw new NotReadError();
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    this.#depth--;
    return options.length === 1 ? options[0]! : { kind: 'choice', options };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#pattern.length && !/[|)]/.test(this.#pattern[this.#at]!)) {
      parts.push(this.#quantified(this.#term()));
    }
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts };
  }

  #quantified(body: PatternNode): PatternNode {
    const found = this.#match(/(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y);
    if (found === undefined) return body;
    const [, sign, least, comma, most] = found;
    const kind = 'repeat';
    if (sign !== undefined) return { kind, body, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    const min = Number(least);
    return { kind, body, min, max: comma === '' ? min : most === '' ? Infinity : Number(most) };
  }

  #term(): PatternNode {
    if (this.#take('^')) return { kind: 'assertion', symbol: '^' };
    if (this.#take('$')) return { kind: 'assertion', symbol: '$' };
    if (this.#take('(')) return this.#group();
    const from = this.#at;
    if (this.#take('.')) return { kind: 'set', set: NOT_LINE_END, exact: true, source: '.' };
    if (this.#take('\\b')) return { kind: 'assertion', symbol: '\\b' };
    if (this.#take('\\B')) return { kind: 'assertion', symbol: '\\B' };
    if (this.#match(/\\(?:[1-9]\d*|k<[^>]*>)/y) !== undefined) return { kind: 'back-reference' };
    const set = this.#take('[') ? this.#class() : this.#atom();
    const source = this.#pattern.slice(from, this.#at);
    return { kind: 'set', set, exact: !/\\p/i.test(source), source };
  }

  #group(): PatternNode {
    const look = this.#match(/\?<?[=!]/y)?.[0];
    // A group with flags of its own, `(?i:…)`, begins like no other.
    if (look === undefined && this.#match(/\?(?::|<[^>]*>)/y) === undefined && this.#pattern[this.#at] === '?') {
      throw new NotReadError();
    }
    const body = this.#choice();
    if (!this.#take(')')) throw new NotReadError();
    return look === undefined ? body : { kind: 'look', body, behind: look.includes('<') };
  }

  #class(): CharacterSet {
    const from = this.#at;
    const negated = this.#take('^');
    const sets: CharacterSet[] = [];
    while (!this.#take(']')) {
      if (this.#at >= this.#pattern.length) throw new NotReadError();
      const set = this.#atom();
      const ranged = this.#pattern[this.#at] === '-' && this.#pattern[this.#at + 1] !== ']' && set.length === 2;
      if (ranged && this.#take('-')) sets.push([set[0]!, this.#atom().at(-1)!]);
      else sets.push(set);
    }
    const all = union(sets);
    if (!negated) return all;
    // Sets of properties may hold too much beyond the basic plane, and the complement would hold too little.
    return union([complement(all), /\\p/i.test(this.#pattern.slice(from, this.#at)) ? BEYOND_BASIC : []]);
  }

  /** One code point, or an escape that stands for several. */
  #atom(): CharacterSet {
    if (!this.#take('\\')) {
      const point = this.#pattern.codePointAt(this.#at)!;
      this.#at += point > 0xffff ? 2 : 1;
      return [point, point];
    }
    const property = this.#match(/[pP]\{[^}]*\}/y)?.[0];
    if (property !== undefined) return propertySet(`\\${property}`);
    const coded = this.#match(
      /u\{([\da-fA-F]+)\}|u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})|u([\da-f]{4})|x([\da-f]{2})|c([a-z])/iy,
    );
    if (coded !== undefined) {
      const point = codedPoint(coded);
      return [point, point];
    }
    const letter = this.#pattern[this.#at++]!;
    const known = CLASSES[letter];
    if (known !== undefined) return known;
    // In a class `\b` is a backspace.
    const point = letter === 'b' ? 8 : (CONTROLS[letter] ?? letter.codePointAt(0)!);
    return [point, point];
  }
}

function codedPoint([, braced, high, low, unit, byte, control]: RegExpExecArray): number {
  if (high !== undefined) return String.fromCharCode(parseInt(high, 16), parseInt(low!, 16)).codePointAt(0)!;
  if (control !== undefined) return control.charCodeAt(0) % 32;
  return parseInt((braced ?? unit ?? byte)!, 16);
}
