/**
 * Reads everything in a value that has a JSON form, so that what follows runes is told when a part of it changes: the
 * proxies of `$state`, and the classes of `svelte/reactivity`, tell of what was read.
 *
 * @returns the value.
 */
export function readDeep<Value>(value: Value): Value {
  read(value, new Set());
  return value;
}

function read(value: unknown, seen: Set<object>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  if (value instanceof Date) {
    value.getTime();
  } else if (value instanceof Map) {
    for (const [key, each] of value) {
      read(key, seen);
      read(each, seen);
    }
  } else if (value instanceof Set) {
    for (const each of value) read(each, seen);
  } else if (value instanceof URL || value instanceof URLSearchParams) {
    String(value);
  } else if (Array.isArray(value) || hasOwnMembers(value)) {
    for (const each of Object.values(value)) read(each, seen);
  }
}

/** An object of the page's own. What belongs to the browser, such as elements, leads to all of the document. */
function hasOwnMembers(value: object): boolean {
  return Object.prototype.toString.call(value) === '[object Object]';
}
