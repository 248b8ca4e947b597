/**
 * `node test/bench/args-hash.mjs`: the hash of params that an approval is bound to, against `crypto.subtle.digest`
 * alone over the same bytes. Needs the build.
 */
import { pathToFileURL } from 'node:url';
import { sha256Hex } from '../../dist/src/rules/args-hash.js';
import { argsHash, canonicalJson } from '../../dist/src/entries/spec.js';
import { fastestOf, fastestOfAsync } from './statistics.mjs';

const MB = 1024 * 1024;

/** Params of about so many bytes. @param {number} bytes */
function params(bytes) {
  const rows = Array.from({ length: Math.round(bytes / 100) }, (_, id) => ({
    name: `Row number ${id}`, id, price: id / 7, tags: ['new', 'sale'], open: id % 2 === 0, note: 'short text é',
  }));
  return { rows };
}

/** @param {number} bytes */
async function measure(bytes) {
  const value = params(bytes);
  const text = canonicalJson(value);
  const utf8 = new TextEncoder().encode(text);
  return {
    bytes: utf8.length,
    whole: fastestOf(() => argsHash(value)),
    canonical: fastestOf(() => canonicalJson(value)),
    sha: fastestOf(() => sha256Hex(text)),
    subtle: await fastestOfAsync(() => crypto.subtle.digest('SHA-256', utf8)),
  };
}

export async function argsHashTable() {
  const small = await measure(MB / 10);
  const large = await measure(MB);
  return [small, large].map(({ bytes, whole, canonical, sha, subtle }) => ({
    KB: Math.round(bytes / 1024),
    'argsHash ms': whole.toFixed(2),
    'canonical ms': canonical.toFixed(2),
    'SHA-256 ms': sha.toFixed(2),
    'subtle ms': subtle.toFixed(2),
    'argsHash / subtle': (whole / subtle).toFixed(1),
    'growth over × 10': (large.whole / small.whole).toFixed(1),
  }));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.table(await argsHashTable());
