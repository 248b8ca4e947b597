import type { OUIValidationIssue } from '../protocol/events.js';
import { buildPointer } from '../protocol/json-pointer.js';
import { describeValue } from '../protocol/shape.js';

export interface JsonValueOptions {
  /** Note the names of all members, at any depth. */
  readonly collectNames: boolean;
  /** Refuse lists that could not be compared item by item in time. */
  readonly boundLists: boolean;
}

/** Messages end at 64 levels. Values of the page's own may be deeper, but must not overflow the interpreter's stack. */
const MAX_DEPTH = 300;
/** `uniqueItems` compares each item with each: a list of primitives may have this many, one with objects fewer. */
const MAX_UNIQUE_PRIMITIVES = 10_000;
const MAX_UNIQUE_OBJECTS = 1_000;

/**
 * A value as JSON would carry it: the interpreter throws on anything else, and takes a member that is undefined for
 * one that is there.
 */
export class JsonValue {
  /** Without members that are undefined; the value itself when it has none. Of no use when there are issues. */
  readonly value: unknown;
  /** What keeps it from being checked. */
  readonly issues: OUIValidationIssue[] = [];
  readonly names = new Set<string>();
  /** How many values it is made of. */
  size = 0;

  readonly #options: JsonValueOptions;
  readonly #path: (string | number)[] = [];

  constructor(value: unknown, options: JsonValueOptions) {
    this.#options = options;
    this.value = this.#visit(value);
  }

  #refuse(reason: string, received: unknown): undefined {
    const path = buildPointer(this.#path);
    this.issues.push({ path, keyword: 'type', message: `${path || 'the value'}: ${reason}`, received });
    return undefined;
  }

  #visit(value: unknown): unknown {
    this.size++;
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (typeof value !== 'object') {
      const received = describeValue(value);
      return this.#refuse(`expected a JSON value, got ${received}`, received);
    }
    if (this.#path.length >= MAX_DEPTH) return this.#refuse(`nested deeper than ${MAX_DEPTH} levels`, 'object');
    return Array.isArray(value) ? this.#visitList(value) : this.#visitObject(value);
  }

  #visitMember(name: string | number, member: unknown): unknown {
    this.#path.push(name);
    const clean = this.#visit(member);
    this.#path.pop();
    return clean;
  }

  #visitList(list: readonly unknown[]): unknown {
    if (this.#options.boundLists && list.length > MAX_UNIQUE_OBJECTS) {
      const objects = list.some((item) => typeof item === 'object' && item !== null);
      if (objects || list.length > MAX_UNIQUE_PRIMITIVES) {
        return this.#refuse(`a list of ${list.length} items is too long to be searched for repeated ones`, list.length);
      }
    }
    let copy: unknown[] | undefined;
    for (let index = 0; index < list.length; index++) {
      const item = this.#visitMember(index, list[index]);
      if (item === list[index]) continue;
      copy ??= [...list];
      copy[index] = item;
    }
    return copy ?? list;
  }

  #visitObject(object: object): unknown {
    const prototype: unknown = Object.getPrototypeOf(object);
    // Plain objects of another realm (a frame's) are plain too: their prototype is the end of its chain.
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      return this.#refuse('expected a JSON value, got a class instance', 'object');
    }
    const entries: [name: string, member: unknown][] = [];
    let changed = false;
    for (const [name, member] of Object.entries(object)) {
      const clean = member === undefined ? undefined : this.#visitName(name, member);
      changed ||= clean !== member || clean === undefined;
      if (clean !== undefined) entries.push([name, clean]);
    }
    return changed ? Object.fromEntries(entries) : object;
  }

  #visitName(name: string, member: unknown): unknown {
    if (/\p{Surrogate}/u.test(name)) {
      return this.#refuse(`has a name with a lone surrogate, ${JSON.stringify(name)}`, 'object');
    }
    if (this.#options.collectNames) this.names.add(name);
    return this.#visitMember(name, member);
  }
}
