import { readFileSync, readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { argsHash } from '../../../src/rules/args-hash.js';
import { canonicalJson } from '../../../src/rules/canonical-json.js';
import { Fnv1a64 } from '../../../src/rules/fnv.js';
import { definitionHash, sortedJson, surfacesHash, surfacesHashFromTexts } from '../../../src/rules/surfaces-hash.js';

const vectors = new URL('../../vectors/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, vectors), 'utf8');

interface ApprovalVectors {
  vectors: { name: string; json: string; canonical: string; sha256: string }[];
  invalid: { name: string; json: string }[];
}
interface SurfacesVectors {
  cases: {
    name: string;
    value: unknown;
    sortedJson: string;
    surfacesHash?: string;
    hash?: string;
    definitionHash8?: string;
  }[];
}

const approval = JSON.parse(read('approval-vectors.json')) as ApprovalVectors;
const surfaces = JSON.parse(read('surfaces-hash-vectors.json')) as SurfacesVectors;

function fnv(text: string): string {
  const hash = new Fnv1a64();
  hash.add(text);
  return hash.hex();
}

describe('the published approval vectors', () => {
  it.each(approval.vectors)('$name', ({ json, canonical, sha256 }) => {
    expect(canonicalJson(JSON.parse(json))).toBe(canonical);
    expect(argsHash(JSON.parse(json))).toBe(sha256);
  });

  it.each(approval.invalid)('refuses $name', ({ json }) => {
    expect(() => argsHash(JSON.parse(json))).toThrow(/not I-JSON/);
  });
});

describe('the test data of RFC 8785', () => {
  it.each(readdirSync(new URL('jcs/input/', vectors)))('%s', (file) => {
    expect(canonicalJson(JSON.parse(read(`jcs/input/${file}`)))).toBe(read(`jcs/output/${file}`).trim());
  });
});

describe('the surfaces hash vectors', () => {
  it.each(surfaces.cases)('$name', ({ value, sortedJson: text, surfacesHash: hash, hash: plain, definitionHash8 }) => {
    expect(sortedJson(value)).toBe(text);
    expect(fnv(text)).toBe(hash?.replace('fnv1a64:', '') ?? plain);
    if (Array.isArray(value)) expect(surfacesHash(value)).toBe(hash);
    if (definitionHash8 !== undefined) expect(definitionHash(value)).toBe(definitionHash8);
  });

  it('knows the published values of FNV-1a-64', () => {
    expect(fnv('')).toBe('cbf29ce484222325');
    expect(fnv('a')).toBe('af63dc4c8601ec8c');
    expect(fnv('foobar')).toBe('85944171f73967e8');
  });
});

describe('FNV-1a-64 without BigInt', () => {
  function withBigInt(text: string): string {
    let hash = 0xcbf29ce484222325n;
    for (let index = 0; index < text.length; index++) {
      hash = ((hash ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n) & 0xffffffffffffffffn;
    }
    return hash.toString(16).padStart(16, '0');
  }

  it('is the same as with BigInt', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(fnv(text)).toBe(withBigInt(text));
      }),
      { numRuns: 500 },
    );
  });

  it('is the same for a text in parts', () => {
    const texts = fc.array(fc.string({ maxLength: 20 }));
    fc.assert(
      fc.property(texts, (parts) => {
        expect(surfacesHashFromTexts(parts)).toBe(`fnv1a64:${withBigInt(`[${parts.join(',')}]`)}`);
      }),
    );
  });
});

describe('sortedJson', () => {
  function naive(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(naive);
    if (typeof value !== 'object' || value === null) return value;
    // Building an object puts array-index-like keys first: that is where the quirk comes from.
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((key) => [key, naive((value as Record<string, unknown>)[key])]),
    );
  }
  const odd = fc.constantFrom('01', '-1', '4294967294', '4294967295', '1e3');
  const key = fc.oneof(fc.string(), fc.nat().map(String), odd);
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, true, 0, 'text'),
      fc.dictionary(key, tie('tree'), { maxKeys: 6 }),
      fc.array(tie('tree'), { maxLength: 4 }),
    ),
  }));

  it('is JSON.stringify of the object with its keys sorted', () => {
    fc.assert(
      fc.property(tree, (value) => {
        expect(sortedJson(value)).toBe(JSON.stringify(naive(value)));
      }),
    );
  });

  it('treats what is not JSON as JSON.stringify does', () => {
    const odd = { b: undefined, a: [undefined, Number.NaN, () => 1], c: () => 1 };
    expect(sortedJson(odd)).toBe('{"a":[null,null,null]}');
    expect(sortedJson(undefined)).toBe('null');
  });
});
