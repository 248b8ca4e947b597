import type { Cut } from '../protocol/events.js';
import { appendPointer } from '../protocol/json-pointer.js';
import { isJsonObject } from '../protocol/shape.js';

/**
 * Whether `short` is `whole` with these cuts, as far as what is left can tell. A result repeats the observations that
 * its updates brought whole, and may have to cut them.
 */
export function isShortened(whole: unknown, short: unknown, cuts: readonly Cut[]): boolean {
  const byPath = new Map(cuts.map((cut) => [cut.path, cut]));
  return same(whole, short, '', byPath);
}

function same(whole: unknown, short: unknown, path: string, cuts: ReadonlyMap<string, Cut>): boolean {
  const cut = cuts.get(path);
  if (cut?.kind === 'value') return short === null;
  if (typeof short === 'string') {
    if (cut === undefined) return whole === short;
    return typeof whole === 'string' && whole.length === cut.total && whole.startsWith(short);
  }
  if (Array.isArray(short)) {
    return (
      Array.isArray(whole) &&
      whole.length === (cut?.total ?? short.length) &&
      short.every((row, index) => same(whole[index], row, appendPointer(path, index), cuts))
    );
  }
  if (!isJsonObject(short)) return whole === short;
  if (!isJsonObject(whole)) return false;
  const keys = Object.keys(short);
  return (
    keys.length === Object.keys(whole).length &&
    keys.every((key) => Object.hasOwn(whole, key) && same(whole[key], short[key], appendPointer(path, key), cuts))
  );
}
