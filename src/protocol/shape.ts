import { appendPointer } from './json-pointer.js';
import type { JsonObject } from './json.js';
import * as LIMITS from './limits.js';

/**
 * A check of one value from outside: undefined when it fits, else what is wrong, where (a JSON Pointer from the
 * message's root, `at`), and the value.
 */
export type Check = (value: unknown, at: string) => string | undefined;

/** Whether a value is an object as `JSON.parse` makes them: no array, no null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value in a few words, for error messages: its type, and what it is when that is short. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'undefined':
      return 'nothing';
    case 'string':
      if (value.length <= 40) return `the text ${JSON.stringify(value)}`;
      return `the text ${JSON.stringify(value.slice(0, 40))}… (${value.length} characters)`;
    case 'number':
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? `a list of ${value.length}` : 'an object';
    default:
      return `a ${typeof value}`;
  }
}

function expected(wanted: string, value: unknown, at: string): string {
  return `${at === '' ? 'the value' : at} must be ${wanted}, got ${describeValue(value)}`;
}

function simple(wanted: string, test: (value: unknown) => boolean): Check {
  return (value, at) => (test(value) ? undefined : expected(wanted, value, at));
}

export const text = simple('a text', (value) => typeof value === 'string');
export const flag = simple('true or false', (value) => typeof value === 'boolean');
export const finite = simple('a finite number', (value) => Number.isFinite(value));
export const object = simple('an object', isJsonObject);
export const present = simple('present', (value) => value !== undefined);
export const any: Check = () => undefined;
export const schema = simple('a JSON Schema (an object or a boolean)', (value) => {
  return typeof value === 'boolean' || isJsonObject(value);
});
/** An id on the wire: 1 to 160 characters. What an author may declare is narrower. */
export const id = simple(`a text of 1 to ${LIMITS.idLength} characters`, isWireId);

export function isWireId(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 1 && value.length <= LIMITS.idLength;
}

export function oneOf(...values: readonly string[]): Check {
  return simple(`one of ${values.join(', ')}`, (value) => typeof value === 'string' && values.includes(value));
}

export function listOf(item: Check): Check {
  return (value, at) => {
    if (!Array.isArray(value)) return expected('a list', value, at);
    for (let index = 0; index < value.length; index++) {
      const problem = item(value[index], appendPointer(at, index));
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

/** An object whose every member passes. */
export function mapOf(member: Check): Check {
  return (value, at) => {
    if (!isJsonObject(value)) return expected('an object', value, at);
    for (const key of Object.keys(value)) {
      const problem = member(value[key], appendPointer(at, key));
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

/** An object with these own members; those whose name ends in `?` may be absent. Others are let through. */
export function shape(members: { readonly [name: string]: Check }): Check {
  const rows = Object.entries(members).map(([name, check]) => {
    const optional = name.endsWith('?');
    return { name: optional ? name.slice(0, -1) : name, optional, check };
  });
  return (value, at) => {
    if (!isJsonObject(value)) return expected('an object', value, at);
    for (const { name, optional, check } of rows) {
      const member = Object.hasOwn(value, name) ? value[name] : undefined;
      if (optional && member === undefined) continue;
      const problem = check(member, appendPointer(at, name));
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

export function either(first: Check, second: Check, wanted: string): Check {
  return (value, at) => {
    return first(value, at) === undefined || second(value, at) === undefined ? undefined : expected(wanted, value, at);
  };
}
