import canonicalize from 'canonicalize';
import { buildPointer } from '../protocol/json-pointer.js';

/** Deeper values are refused, so that a hostile one cannot overflow the stack. Messages end at 64 levels anyway. */
const MAX_DEPTH = 1000;

type Path = (string | number)[];

function refuse(reason: string, path: Path): never {
  throw new TypeError(`not I-JSON: ${reason} at ${buildPointer(path) || 'the root'}`);
}

function checkText(text: string, what: string, path: Path): void {
  // A lone surrogate has no UTF-8 form: the hashes of two ends would differ.
  if (/\p{Surrogate}/u.test(text)) refuse(`a lone surrogate in a ${what}`, path);
}

/** @param path to the value, as steps: most are never put together */
function check(value: unknown, path: Path, open: Set<object>): void {
  switch (typeof value) {
    case 'boolean':
      return;
    case 'string':
      return checkText(value, 'text', path);
    case 'number':
      if (!Number.isFinite(value)) refuse(String(value), path);
      return;
    case 'object':
      break;
    default:
      refuse(typeof value, path);
  }
  if (value === null) return;
  if (open.has(value)) refuse('a cycle', path);
  if (open.size >= MAX_DEPTH) refuse(`more than ${MAX_DEPTH} levels`, path);
  open.add(value);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) checkMember(value[index], index, path, open);
  } else {
    const prototype: unknown = Object.getPrototypeOf(value);
    // Plain objects of another realm (a frame's) are plain too: their prototype is the end of its chain.
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) refuse('a class instance', path);
    for (const [key, member] of Object.entries(value)) {
      checkText(key, 'key', path);
      if (member !== undefined) checkMember(member, key, path, open);
    }
  }
  open.delete(value);
}

function checkMember(member: unknown, step: string | number, path: Path, open: Set<object>): void {
  path.push(step);
  check(member, path, open);
  path.pop();
}

/**
 * Canonical JSON (RFC 8785): the same text for the same value everywhere, whatever the order of its keys.
 * Members that are `undefined` are dropped; `-0` is `0`.
 *
 * @throws {TypeError} `not I-JSON: … at /path` for what JSON cannot carry exactly: NaN, ±Infinity, `undefined` at the
 * root or in an array, bigint, function, symbol, a class instance (Date, Map, …), a cycle, or a lone surrogate in a
 * text or key.
 */
export function canonicalJson(value: unknown): string {
  check(value, [], new Set());
  // What passed the checks above has a JSON form, so the library's `undefined` cannot occur.
  return canonicalize(value) as string;
}
