/**
 * A set of code points: pairs of first and last, ascending and apart. What a part of a pattern can read.
 * For analysis it may hold more than the part does, never less.
 */
export type CharacterSet = readonly number[];

const LAST = 0x10ffff;

export const ALL: CharacterSet = [0, LAST];
export const DIGITS: CharacterSet = [0x30, 0x39];
export const WORD: CharacterSet = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
export const SPACE: CharacterSet = [
  0x9, 0xd, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f,
  0x3000, 0x3000, 0xfeff, 0xfeff,
];
/** What `.` does not read. */
export const LINE_ENDS: CharacterSet = [0xa, 0xa, 0xd, 0xd, 0x2028, 0x2029];

/** Everything outside a set. */
export function complement(set: CharacterSet): CharacterSet {
  const rest: number[] = [];
  let next = 0;
  for (let index = 0; index < set.length; index += 2) {
    const first = set[index]!;
    if (first > next) rest.push(next, first - 1);
    next = set[index + 1]! + 1;
  }
  if (next <= LAST) rest.push(next, LAST);
  return rest;
}

/** The union of sets. */
export function union(sets: readonly CharacterSet[]): CharacterSet {
  const pairs = sets
    .flatMap((set) => Array.from({ length: set.length / 2 }, (_, index) => [set[index * 2]!, set[index * 2 + 1]!]))
    .sort((a, b) => a[0]! - b[0]!);
  const merged: number[] = [];
  for (const [first, last] of pairs as [number, number][]) {
    const end = merged.length - 1;
    if (end > 0 && first <= merged[end]! + 1) merged[end] = Math.max(merged[end]!, last);
    else merged.push(first, last);
  }
  return merged;
}

/** Whether two sets have a code point in common. */
export function overlap(a: CharacterSet, b: CharacterSet): boolean {
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i + 1]! < b[j]!) i += 2;
    else if (b[j + 1]! < a[i]!) j += 2;
    else return true;
  }
  return false;
}

/** Whether a set has this code point. */
export function includes(set: CharacterSet, point: number): boolean {
  let low = 0;
  let high = set.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (point < set[middle * 2]!) high = middle - 1;
    else if (point > set[middle * 2 + 1]!) low = middle + 1;
    else return true;
  }
  return false;
}

/** The code points beyond the plane that most text is written in. */
export const BEYOND_BASIC: CharacterSet = [0x10000, LAST];
const properties = new Map<string, CharacterSet>();

/**
 * What `\p{…}` reads, as far as the basic plane goes; of the others everything, which may be more. Asks the language,
 * one code point after the other, once for each property: a few ms.
 */
export function propertySet(escape: string): CharacterSet {
  let set = properties.get(escape);
  if (set === undefined) {
    const pattern = new RegExp(`^${escape}$`, 'u');
    const found: number[] = [];
    for (let point = 0; point < BEYOND_BASIC[0]!; point++) {
      if (!pattern.test(String.fromCodePoint(point))) continue;
      if (found.at(-1) === point - 1) found[found.length - 1] = point;
      else found.push(point, point);
    }
    set = union([found, BEYOND_BASIC]);
    properties.set(escape, set);
  }
  return set;
}
