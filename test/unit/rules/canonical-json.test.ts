import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildPointer } from '../../../src/protocol/json-pointer.js';
import { argsHash, sha256Hex } from '../../../src/rules/args-hash.js';
import { canonicalJson } from '../../../src/rules/canonical-json.js';

/** RFC 8785 written a second time, in the plainest way. */
function naive(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(naive).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    members.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${naive(member)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

const wellFormed = fc.string({ unit: 'grapheme', maxLength: 6 });
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, 0, -0, 1e21, 5e-324),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    wellFormed,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(wellFormed, fc.constantFrom('__proto__', '10', '9')), tie('json'), { maxKeys: 5 }),
  ),
}));

describe('canonicalJson', () => {
  it('is what a second implementation says', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(value)).toBe(naive(value));
      }),
      { numRuns: 300 },
    );
  });

  it('does not depend on the order of keys, and is its own canonical form', () => {
    fc.assert(
      fc.property(fc.dictionary(wellFormed, json, { maxKeys: 5 }), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(turned)).toBe(canonicalJson(value));
        expect(canonicalJson(JSON.parse(canonicalJson(value)))).toBe(canonicalJson(value));
      }),
    );
  });

  it('drops undefined members and writes -0 as 0', () => {
    expect(canonicalJson({ b: undefined, a: -0 })).toBe('{"a":0}');
  });

  it('takes plain objects of another realm and without a prototype', () => {
    expect(canonicalJson(runInNewContext('({ a: [{}] })'))).toBe('{"a":[{}]}');
    expect(canonicalJson(Object.assign(Object.create(null), { a: 1 }))).toBe('{"a":1}');
  });

  const cycle: Record<string, unknown> = {};
  cycle['a'] = { b: cycle };
  let deep: unknown = 0;
  for (let level = 0; level < 100_000; level++) deep = [deep];

  it.each<[string, unknown, string]>([
    ['NaN', { a: [1, Number.NaN] }, 'not I-JSON: NaN at /a/1'],
    ['Infinity', Number.POSITIVE_INFINITY, 'not I-JSON: Infinity at the root'],
    ['-Infinity', [Number.NEGATIVE_INFINITY], 'not I-JSON: -Infinity at /0'],
    ['undefined at the root', undefined, 'not I-JSON: undefined at the root'],
    ['undefined in an array', { 'a/b': [undefined] }, 'not I-JSON: undefined at /a~1b/0'],
    ['a hole in an array', { a: new Array(1) }, 'not I-JSON: undefined at /a/0'],
    ['a bigint', { n: 1n }, 'not I-JSON: bigint at /n'],
    ['a function', { f: () => 1 }, 'not I-JSON: function at /f'],
    ['a symbol', [Symbol('s')], 'not I-JSON: symbol at /0'],
    ['a Date', { at: new Date(0) }, 'not I-JSON: a class instance at /at'],
    ['a Map', new Map(), 'not I-JSON: a class instance at the root'],
    ['a lone surrogate in a value', { s: 'a\ud800' }, 'not I-JSON: a lone surrogate in a text at /s'],
    ['a lone surrogate in a key', { o: { '\udc00': 1 } }, 'not I-JSON: a lone surrogate in a key at /o'],
    ['a cycle', cycle, 'not I-JSON: a cycle at /a/b'],
    ['a toJSON of its own', { toJSON: () => 1 }, 'not I-JSON: function at /toJSON'],
  ])('refuses %s', (_name, value, message) => {
    expect(() => canonicalJson(value)).toThrow(new TypeError(message));
  });

  it('refuses what is not I-JSON wherever it stands, and says where', () => {
    const values = [Number.NaN, Infinity, 1n, () => 1, Symbol('s'), new Date(0), new Map(), '\ud800'];
    const wrong = fc.constantFrom<unknown>(...values);
    const step = fc.oneof(fc.constantFrom('a', 'b/c', '~', '__proto__'), fc.nat({ max: 2 }));
    fc.assert(
      fc.property(json, wrong, fc.array(step, { maxLength: 5 }), (beside, value, steps) => {
        const whole = steps.reduceRight<unknown>((inner, at) => {
          if (typeof at === 'string') return Object.fromEntries([['z', beside], [at, inner]]);
          return [...Array.from({ length: at }, () => beside), inner];
        }, value);
        const place = buildPointer(steps) || 'the root';
        expect(() => argsHash(whole)).toThrow(TypeError);
        expect(() => argsHash(whole)).toThrow(new RegExp(`^not I-JSON: .* at ${place}$`));
      }),
      { numRuns: 200 },
    );
  });

  it('refuses what would overflow the stack', () => {
    expect(() => canonicalJson(deep)).toThrow(/^not I-JSON: more than 1000 levels at/);
  });

  it('takes the same object twice: that is no cycle', () => {
    const shared = { a: 1 };
    expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]');
  });
});

describe('sha256Hex', () => {
  it('is what Node computes', () => {
    fc.assert(
      fc.property(wellFormed, (text) => {
        expect(sha256Hex(text)).toBe(createHash('sha256').update(text, 'utf8').digest('hex'));
      }),
    );
  });

  it('hashes params', () => {
    expect(argsHash({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
  });
});
