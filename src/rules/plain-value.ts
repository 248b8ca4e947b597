import type { JsonText } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';

/** How many values may still be looked at. */
export interface PlainLook {
  left: number;
}

/**
 * Whether `JSON.stringify` writes a value as it should be written: plain data in no more than `LIMITS.valueDepth`
 * levels. Costs a fraction of writing it.
 *
 * @param depth levels around the value
 */
export function isPlainValue(value: unknown, depth: number, look: PlainLook): boolean {
  try {
    return isPlain(value, depth, look);
  } catch {
    return false;
  }
}

/** `undefined` for what JSON does not write, and when it throws: a getter or a proxy, or a text too long to be. */
export function nativeText(value: unknown): JsonText | undefined {
  try {
    return JSON.stringify(value) as JsonText | undefined;
  } catch {
    return undefined;
  }
}

function isPlain(value: unknown, depth: number, look: PlainLook): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return value === null || isPlainContainer(value, depth + 1, look);
    default:
      return false;
  }
}

function isPlainContainer(value: object, depth: number, look: PlainLook): boolean {
  // Also how a cycle ends.
  if (depth > LIMITS.valueDepth) return false;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    const { length } = list;
    look.left -= length;
    if (look.left < 0 || 'toJSON' in list) return false;
    for (let index = 0; index < length; index++) if (!isPlain(list[index], depth, look)) return false;
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null && !isData(value)) return false;
  // Inherited members too: what a prototype lets be enumerated is mostly functions, and those are no JSON.
  for (const key in value) {
    if (key === '__proto__' || --look.left < 0) return false;
    if (!isPlain((value as { readonly [key: string]: unknown })[key], depth, look)) return false;
  }
  return true;
}

/** An instance of a class that is nothing but its own data, or a plain object of another realm. */
function isData(value: object): boolean {
  return Object.prototype.toString.call(value) === '[object Object]' && !('toJSON' in value) && !('__v_isRef' in value);
}
