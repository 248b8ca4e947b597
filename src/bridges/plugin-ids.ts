import * as LIMITS from '../protocol/limits.js';
import type { Release } from '../protocol/ports.js';
import { Fnv1a64 } from '../rules/fnv.js';
import { describeValue } from '../protocol/shape.js';

/**
 * Between a plugin's prefix and its own surface id. No prefix has two dashes in a row, so that the first two in an id
 * end the prefix, and no plugin's surface can look like another's.
 */
const SEPARATOR = '--';
const PREFIX = /^[a-z](?:-?[a-z0-9])*$/;
const HASH_LENGTH = 8;
/** Two digits and a dash: where several plugins want one prefix. */
const NUMBER_LENGTH = 3;

/** Prefixes that are taken, by runtime. */
const taken = new WeakMap<object, Set<string>>();

/** @throws {TypeError} for what is no prefix. */
export function checkPrefix(prefix: unknown): asserts prefix is string {
  if (typeof prefix === 'string' && PREFIX.test(prefix) && prefix.length <= LIMITS.pluginPrefixLength) return;
  throw new TypeError(
    `Option prefix is ${describeValue(prefix)}; it must be 1 to ${LIMITS.pluginPrefixLength} of a-z, 0-9 and single ` +
      'dashes, a letter first, such as "city-map": the ids of the plugin\'s surfaces begin with it.',
  );
}

/** A prefix out of any text: `City map` becomes `city-map`. */
export function prefixOf(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const slug = plain.replace(/[^a-z0-9]+/g, '-').replace(/^[^a-z]+/, '');
  return slug.slice(0, LIMITS.pluginPrefixLength).replace(/-+$/, '') || 'plugin';
}

/** Takes a prefix for one plugin of a runtime: the one that is wanted, or with a number where that is taken. */
export function takePrefix(runtime: object, wanted: string): { readonly prefix: string; readonly release: Release } {
  const used = taken.get(runtime) ?? new Set();
  taken.set(runtime, used);
  const short = wanted.slice(0, LIMITS.pluginPrefixLength - NUMBER_LENGTH).replace(/-+$/, '');
  let prefix = wanted;
  for (let number = 2; used.has(prefix); number += 1) prefix = `${short}-${number}`;
  used.add(prefix);
  return { prefix, release: () => void used.delete(prefix) };
}

/**
 * A plugin's surface in the page around it: `<prefix>--<its own id>`. Where that would be too long, its end is a hash:
 * the same each time.
 */
export function pluginSurfaceId(prefix: string, surfaceId: string): string {
  const id = prefix + SEPARATOR + surfaceId;
  if (id.length <= LIMITS.authorIdMaxLength) return id;
  const hash = new Fnv1a64();
  hash.add(surfaceId);
  const start = id.slice(0, LIMITS.authorIdMaxLength - HASH_LENGTH - 1).replace(/-+$/, '');
  return `${start}-${hash.hex().slice(0, HASH_LENGTH)}`;
}
