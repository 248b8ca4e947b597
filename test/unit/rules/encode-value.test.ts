import { readFileSync } from 'node:fs';
import { signal } from '@preact/signals-core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as Vue from 'vue';
import { exceedsLimits } from '../../../src/protocol/guards.js';
import * as LIMITS from '../../../src/protocol/limits.js';
import { HardEncoder } from '../../../src/rules/encode-hard.js';
import { encodeValue } from '../../../src/rules/encode-value.js';
import { valueOf, valueRows } from './value-table.js';
import { weirdValue } from './weird-values.js';

const text = (value: unknown): string | undefined => encodeValue(value).text;
const problems = (value: unknown): string[] => encodeValue(value).problems.map(({ path, text: what }) => `${path} ${what}`);

function nested(levels: number, leaf: unknown = 1): unknown {
  let value = leaf;
  for (let level = levels; level > 0; level--) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

describe('the table of the README', () => {
  const rows = valueRows(readFileSync(new URL('../../../README.md', import.meta.url), 'utf8'));
  // There is no document here; the browsers play every row.
  const here = rows.filter(({ code }) => !code.includes('document'));

  it('has its rows', () => {
    expect(rows.length).toBeGreaterThan(30);
    expect(here).toHaveLength(rows.length - 1);
  });

  it.each(here)('$code', (row) => {
    const encoded = encodeValue(valueOf(row, { signal, Vue }));
    expect(encoded.text).toBe(row.json);
    expect(encoded.problems.length > 0).toBe(row.isReported);
  });
});

describe('a value', () => {
  it('that JSON does not write has no text, and is told unless it is undefined', () => {
    expect(encodeValue(undefined)).toMatchObject({ text: undefined, problems: [] });
    expect(text(() => 1)).toBe(undefined);
    expect(problems(() => 1)).toEqual([' is a function; it was left out']);
    expect(problems(Symbol('x'))).toEqual([' is a symbol; it was left out']);
  });

  it('is told of with the first place of each kind', () => {
    const value = { rows: [{ ok: 1 }, { 'a/b': NaN, f() {} }], more: [Infinity, new WeakMap()], big: 2n ** 70n };
    expect(problems(value)).toEqual([
      '/rows/1/a~1b is NaN, which JSON cannot say; null was sent',
      '/rows/1/f is a function; it was left out',
      '/more/1 is of type WeakMap, which has no JSON form; null was sent',
      '/big is a BigInt too large for a number; its digits were sent as text',
    ]);
  });

  it('with more kinds than anybody reads is told of with eight', () => {
    class Tagged {
      readonly #tag: string;
      constructor(tag: string) {
        this.#tag = tag;
      }
      get [Symbol.toStringTag](): string {
        return this.#tag;
      }
    }
    expect(problems(Array.from({ length: 20 }, (_, index) => new Tagged(`T${index}`)))).toHaveLength(8);
  });

  it('says what its own code threw, and where', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(text([1, proxy])).toBe('[1,null]');
    expect(text(proxy)).toBe('null');
    expect(problems({ a: { toJSON() { throw new Error('closed'); } } })).toEqual([
      '/a cannot be read (closed); null was sent',
    ]);
    const keys = new Proxy({}, { ownKeys: () => { throw new Error('no keys'); } });
    expect(text({ keys, b: 1 })).toBe('{"keys":null,"b":1}');
    expect(problems({ deep: [{ get b() { throw new Error('no'); } }, NaN] })).toEqual([
      '/deep/0/b cannot be read (no); null was sent',
      '/deep/1 is NaN, which JSON cannot say; null was sent',
    ]);
  });

  it('that is plain at one look and not at the next does not throw', () => {
    let looks = 0;
    const value = { get a() { return looks++ === 0 ? 1 : 2n ** 70n; } };
    expect(text(value)).toBe('{"a":"1180591620717411303424"}');
  });

  it('that comes from toJSON is not asked again, and may be the object itself', () => {
    const twice = { toJSON: () => ({ a: 1, toJSON: () => 'again' }) };
    expect(text(twice)).toBe('{"a":1}');
    const self = { a: 1, toJSON() { return this; } };
    expect(text(self)).toBe('{"a":1}');
    const keyed = { toJSON: (key: string) => key };
    expect(text({ x: keyed, list: [keyed] })).toBe(JSON.stringify({ x: keyed, list: [keyed] }));
    expect(text(Object.assign([1], { toJSON: () => new Set(['x']) }))).toBe('["x"]');
    expect(text(Object.assign(() => 1, { toJSON: () => 'known' }))).toBe('"known"');
  });

  it('in an unusual map has the keys that it can have', () => {
    expect(text(new Map([[2, 'b'], [1, 'a']]))).toBe('{"1":"a","2":"b"}');
    expect(text(new Map<unknown, unknown>([[1, 'a'], ['1', 'b']]))).toBe('[[1,"a"],["1","b"]]');
    expect(text(new Map([['__proto__', 1], ['a', 2]]))).toBe('{"a":2}');
    expect(text(new Map())).toBe('{}');
  });

  it('of a class with a tag of its own has no JSON form, and a plain object with one is plain', () => {
    class Money {
      readonly [Symbol.toStringTag] = 'Money';
      readonly cents = 5;
    }
    class NoSet {
      readonly [Symbol.toStringTag] = 'Set';
    }
    expect(text([new Money(), new NoSet(), { [Symbol.toStringTag]: 'Date', a: 1 }])).toBe('[null,null,{"a":1}]');
  });

  it('that is shared is written each time', () => {
    const shared = { a: new Set([1]) };
    expect(text([shared, shared, { again: shared }])).toBe('[{"a":[1]},{"a":[1]},{"again":{"a":[1]}}]');
    expect(problems([shared, shared])).toEqual([]);
  });

  it('of an error never has its stack', () => {
    const error = Object.assign(new Error('Broke.', { cause: 'x' }), { code: 7, stack: 'at file:///home/me' });
    Object.defineProperty(error, 'stack', { enumerable: true });
    expect(text(error)).toBe('{"name":"Error","message":"Broke.","code":7}');
  });
});

describe('a deep value', () => {
  it('has 56 levels, and a note where there are more', () => {
    expect(text(nested(LIMITS.valueDepth))).toBe(JSON.stringify(nested(LIMITS.valueDepth)));
    const cut = nested(LIMITS.valueDepth, '[nested deeper than 56 levels]');
    expect(text(nested(LIMITS.valueDepth + 1))).toBe(JSON.stringify(cut));
    expect(text(nested(10_000))).toBe(JSON.stringify(cut));
    expect(problems(nested(10_000))[0]).toMatch(/^(\/(a|0)){56} is nested deeper than 56 levels; a note was sent$/);
  });

  it('whose parts are hard is cut at the same level', () => {
    expect(text(nested(LIMITS.valueDepth, new Date(0)))).toBe(JSON.stringify(nested(LIMITS.valueDepth, new Date(0))));
    expect(text(nested(LIMITS.valueDepth, new Set([1])))).toContain('[nested deeper than 56 levels]');
  });

  it('leaves room for whatever stands around it in a message', () => {
    const value: unknown = JSON.parse(text(nested(10_000))!);
    const job = { error: { details: value } };
    const observations = { surface: { 'surface:action:status': { jobs: { r1: job } } } };
    expect(exceedsLimits({ type: 'action:result', payload: { observations } })).toBe(undefined);
  });
});

describe('a value without an end', () => {
  it('of objects that all refer to each other ends soon', () => {
    const graph: { id: number; all?: unknown }[] = Array.from({ length: 300 }, (_, id) => ({ id }));
    for (const node of graph) node.all = new Set(graph);
    const encoded = encodeValue(graph);
    expect(encoded.problems.map(({ kind }) => kind)).toEqual(['cycle', 'deep', 'size']);
    expect(encoded.text!.length).toBeLessThan(LIMITS.messageNodes * 20);
    expect(() => { JSON.parse(encoded.text!); }).not.toThrow();
  });

  it('of a list without items ends', () => {
    const encoded = encodeValue(new Array(4_000_000_000));
    expect(encoded.problems.map(({ kind }) => kind)).toEqual(['size']);
    expect(encoded.text!.length).toBe(LIMITS.hardNodes * 5 + 1);
  });

  it('of a proxy that goes on for ever ends', () => {
    const endless: unknown = new Proxy({}, {
      ownKeys: () => ['a', 'b'],
      getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }),
      get: (_target, key) => (typeof key === 'string' && key.length === 1 ? endless : undefined),
    });
    // An object inside itself, as far as anybody can tell.
    expect(text(endless)).toBe('{"a":null,"b":null}');
  });

  it('of long texts, long keys and long plain parts ends', () => {
    const long = 'x'.repeat(400);
    for (const part of [long, { [long]: 1n }, [long]]) {
      const encoder = new HardEncoder(1_000, 1_000);
      const text = encoder.encode([...Array.from({ length: 100 }, () => part), 1n]);
      expect(encoder.problems).toMatchObject([{ kind: 'size', path: '' }]);
      expect(JSON.parse(text!)).toHaveLength(3);
    }
  });
});

describe('any value', () => {
  const options = { numRuns: 400 };

  it('becomes JSON that is the same when it is encoded again, and fits its message', () => {
    fc.assert(fc.property(weirdValue, ({ make }) => {
      const encoded = encodeValue(make());
      if (encoded.text === undefined) return;
      const value: unknown = JSON.parse(encoded.text);
      const again = encodeValue(value);
      expect(again.text).toBe(encoded.text);
      expect(again.problems).toEqual([]);
      expect(exceedsLimits([[[[[[[[value]]]]]]]], LIMITS.valueNodes)).toBe(undefined);
    }), options);
  });

  it('that is JSON becomes what JSON.stringify makes of it', () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 12 }), (value) => {
      const encoded = encodeValue(value);
      fc.pre(!JSON.stringify(value).includes('"__proto__":'));
      expect(encoded.text).toBe(JSON.stringify(value));
      expect(encoded.problems).toEqual([]);
    }), options);
  });
});
