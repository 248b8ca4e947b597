import { messageOf } from '../protocol/error-message.js';
import { buildPointer } from '../protocol/json-pointer.js';
import type { JsonText } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';
import { jsonForm, WAY_OUT } from './json-form.js';
import { isPlainValue, nativeText } from './plain-value.js';

/** One kind of thing that JSON cannot say, and where it was met first. */
export interface ValueProblem {
  /** Tells this kind from others: `bigint`, `cycle`, `Promise`. */
  readonly kind: string;
  /** JSON Pointer; `""` is the value itself. */
  readonly path: string;
  /** What it is and what was sent instead, to stand behind the place. */
  readonly text: string;
}

/** A page can make any number of classes; more kinds than this in one value help nobody. */
const MOST_KINDS = 8;
const MOST_KEYS = 1_000;
const DEEP = `nested deeper than ${LIMITS.valueDepth} levels`;

/** Writes what is not plain JSON, piece by piece. For one value. */
export class HardEncoder {
  readonly #problems = new Map<string, ValueProblem>();
  /** The way to the present value: keys, and the objects around it. */
  readonly #path: (string | number)[] = [];
  readonly #around: object[] = [];
  /** Levels of JSON around the present value: an object of another form than its own is in fewer of them. */
  #depth = 0;
  readonly #keys = new Map<string, JsonText>();
  #values: number;
  #units: number;
  /** Looks for plain parts are taken anew at each level: values of all of them together. */
  #looks = LIMITS.valueNodes;

  /** How many values are written one by one at most, and of how many UTF-16 units. */
  constructor(values: number = LIMITS.hardNodes, units: number = LIMITS.valueUnits) {
    this.#values = values;
    this.#units = units;
  }

  get problems(): readonly ValueProblem[] {
    return [...this.#problems.values()];
  }

  encode(value: unknown): JsonText | undefined {
    try {
      return this.#text(value, '', false);
    } catch (error) {
      return this.#unreadable(error, 0, 0, 0);
    }
  }

  #report(kind: string, text: string): void {
    if (this.#problems.has(kind) || this.#problems.size >= MOST_KINDS) return;
    this.#problems.set(kind, { kind, path: buildPointer(this.#path), text });
  }

  /** What the page's own code threw: a getter, a proxy, `toJSON`. Or the text is longer than texts can be. */
  #unreadable(error: unknown, steps: number, around: number, depth: number): JsonText {
    this.#path.length = steps;
    this.#around.length = around;
    this.#depth = depth;
    this.#report('unreadable', `cannot be read (${messageOf(error)}); null was sent`);
    return 'null';
  }

  /** `undefined`: nothing is written. */
  #text(value: unknown, key: string | number, isJson: boolean): JsonText | undefined {
    switch (typeof value) {
      case 'string':
        this.#units -= value.length;
        return JSON.stringify(value);
      case 'number':
        if (!Number.isFinite(value)) this.#report('number', `is ${value}, which JSON cannot say; null was sent`);
        return JSON.stringify(value);
      case 'boolean':
        return String(value);
      case 'undefined':
        return undefined;
      case 'bigint':
        if (Number.isSafeInteger(Number(value))) return String(value);
        this.#report('bigint', 'is a BigInt too large for a number; its digits were sent as text');
        return `"${value}"`;
      case 'object':
        return value === null ? 'null' : this.#object(value, key, isJson);
      case 'function':
        // Some libraries' observables are functions that know their JSON.
        if (!isJson && 'toJSON' in value) return this.#object(value, key, false);
        this.#report('function', 'is a function; it was left out');
        return undefined;
      default:
        this.#report('symbol', 'is a symbol; it was left out');
        return undefined;
    }
  }

  #object(value: object, key: string | number, isJson: boolean): JsonText | undefined {
    if (this.#around.includes(value)) {
      // Where objects refer to each other, their number says nothing of how much there is to write.
      this.#values = Math.min(this.#values, LIMITS.messageNodes);
      this.#report('cycle', 'is an object that it is inside of; null was sent');
      return 'null';
    }
    const plain = this.#plainText(value);
    if (plain !== undefined) return plain;
    // Objects may stand for others without end.
    if (this.#around.length >= 2 * LIMITS.valueDepth) return this.#tooDeep();
    this.#around.push(value);
    const text = this.#written(value, key, isJson);
    this.#around.pop();
    return text;
  }

  #tooDeep(): JsonText {
    this.#report('deep', `is ${DEEP}; a note was sent`);
    return JSON.stringify(`[${DEEP}]`);
  }

  /** Most parts of a hard value are plain, and the browser's own writer is much faster. */
  #plainText(value: object): JsonText | undefined {
    if (this.#looks <= 0) return undefined;
    const look = { left: this.#looks };
    const isPlain = isPlainValue(value, this.#depth, look);
    this.#looks = look.left - 1;
    const text = isPlain ? nativeText(value) : undefined;
    if (text !== undefined) this.#units -= text.length;
    return text;
  }

  #written(value: object, key: string | number, isJson: boolean): JsonText | undefined {
    const form = jsonForm(value, key, isJson);
    switch (form.as) {
      case 'list':
      case 'members': {
        if (this.#depth >= LIMITS.valueDepth) return this.#tooDeep();
        this.#depth++;
        const text = form.as === 'list' ? this.#list(form.list) : this.#members(form.members);
        this.#depth--;
        return text;
      }
      case 'value':
        return this.#text(form.value, key, false);
      case 'json':
        if (form.value === null && form.what === 'Date') this.#report('date', 'is an invalid Date; null was sent');
        return this.#text(form.value, key, true);
      case 'none':
        this.#report(form.what, `is of type ${form.what}, which has no JSON form; null was sent${WAY_OUT[form.what] ?? ''}`);
        return 'null';
    }
  }

  #list(list: ArrayLike<unknown>): JsonText {
    const length = Number(list.length);
    let text = '';
    for (let index = 0; index < length && this.#hasRoom(); index++) {
      text += `${index === 0 ? '' : ','}${this.#member(list, index) ?? 'null'}`;
    }
    return `[${text}]`;
  }

  #members(object: object): JsonText {
    let text = '';
    for (const key of Object.keys(object)) {
      if (!this.#hasRoom()) break;
      if (key === '__proto__') {
        this.#report('__proto__', 'has a key "__proto__"; it was left out');
        continue;
      }
      const member = this.#member(object, key);
      if (member !== undefined) text += `${text === '' ? '' : ','}${this.#keyText(key)}:${member}`;
    }
    return `{${text}}`;
  }

  #member(object: object, key: string | number): JsonText | undefined {
    const steps = this.#path.push(key);
    const { length } = this.#around;
    const depth = this.#depth;
    let text;
    try {
      text = this.#text((object as { readonly [key: string | number]: unknown })[key], key, false);
    } catch (error) {
      text = this.#unreadable(error, steps, length, depth);
    }
    this.#path.pop();
    return text;
  }

  /** Rows share their keys. */
  #keyText(key: string): JsonText {
    this.#units -= key.length;
    let text = this.#keys.get(key);
    if (text !== undefined) return text;
    text = JSON.stringify(key);
    if (this.#keys.size < MOST_KEYS) this.#keys.set(key, text);
    return text;
  }

  #hasRoom(): boolean {
    if (this.#values-- > 0 && this.#units > 0) return true;
    this.#report('size', 'is where the value becomes too large; the rest was left out');
    return false;
  }
}
