import { Fnv1a64 } from './fnv.js';

/** An array index as JavaScript orders it: before all other keys, ascending. */
function isArrayIndex(key: string): boolean {
  return /^(?:0|[1-9]\d{0,9})$/.test(key) && Number(key) < 0xffff_ffff;
}

function sortedKeys(value: object): string[] {
  // Object.keys gives array indices first, ascending: only the rest is to be sorted.
  const keys = Object.keys(value);
  let indices = 0;
  while (indices < keys.length && isArrayIndex(keys[indices] as string)) indices++;
  if (indices === 0) return keys.sort();
  return [...keys.slice(0, indices), ...keys.slice(indices).sort()];
}

/**
 * JSON with every object's keys sorted by UTF-16 code units, as the published hash has it: keys that look like array
 * indices come first, ascending by number (PROTOCOL.md §4). Members that are `undefined` or a function are dropped,
 * items that are become `null`, numbers that are not finite too, as in `JSON.stringify`.
 */
export function sortedJson(value: unknown): string {
  return sortedText(value) ?? 'null';
}

function sortedText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) as string | undefined;
  if (Array.isArray(value)) return `[${Array.from(value, sortedJson).join(',')}]`;
  let text = '';
  for (const key of sortedKeys(value)) {
    const member = sortedText((value as { readonly [key: string]: unknown })[key]);
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${member}`;
  }
  return `{${text}}`;
}

/**
 * The hash of an offered part, the array of surfaces (PROTOCOL.md §4): `fnv1a64:` and 16 lowercase hex digits.
 * The order of the array counts, the order of keys does not.
 */
export function surfacesHash(surfaces: readonly unknown[]): string {
  return surfacesHashFromTexts(surfaces.map(sortedJson));
}

/** The same from the surfaces' own sorted texts (`sortedJson`), so that an unchanged surface is not sorted again. */
export function surfacesHashFromTexts(sortedTexts: readonly string[]): string {
  const hash = new Fnv1a64();
  hash.add('[');
  sortedTexts.forEach((text, index) => {
    if (index > 0) hash.add(',');
    hash.add(text);
  });
  hash.add(']');
  return `fnv1a64:${hash.hex()}`;
}

/** The hash of one action's manifest entry: 8 lowercase hex digits. Opaque for whoever reads it. */
export function definitionHash(action: unknown): string {
  const hash = new Fnv1a64();
  hash.add(sortedJson(action));
  return hash.hex().slice(0, 8);
}
