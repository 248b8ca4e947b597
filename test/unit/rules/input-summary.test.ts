import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JSONSchema } from '../../../src/protocol/json.js';
import { summarizeInput } from '../../../src/rules/input-summary.js';

/** The summary of one required property `v`, less its name. */
const summarizeValue = (schema: unknown): string => {
  const summary = summarizeInput({ type: 'object', properties: { v: schema }, required: ['v'] });
  expect(summary).toMatch(/^v: /);
  return summary.slice(3);
};

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `p${index}`);
const properties = (count: number) => Object.fromEntries(names(count).map((name) => [name, { type: 'string' }]));

describe('summarizeInput', () => {
  it('says it as the protocol has it', () => {
    expect(
      summarizeInput({
        type: 'object',
        properties: { value: { type: 'number', minimum: 0, maximum: 100, 'x-unit': 'px' } },
        required: ['value'],
      }),
    ).toBe('value: number 0–100 px');

    const shapes = Array.from({ length: 60 }, (_, index) => ({
      type: 'object',
      properties: { effect: { const: `effect-${index}` }, amount: { type: 'number' } },
    }));
    expect(summarizeInput({ oneOf: shapes })).toBe('one of 60 shapes by effect');

    const clip = summarizeInput({
      type: 'object',
      properties: {
        start: { type: 'number', minimum: 0 },
        mode: { type: 'string', enum: ['a', 'b', 'c', 'd', 'e', 'f'] },
        clipId: { type: 'string' },
        when: { type: 'string', format: 'date' },
        tags: { type: 'array', items: { type: 'string' } },
        style: { type: 'object', properties: { color: {}, width: {} } },
        label: { type: 'string' },
      },
      required: ['clipId'],
    });
    expect(clip).toBe(
      'clipId: string, start?: number ≥0, mode?: a|b|c|d|…(6), when?: string(date), ' +
        'tags?: list of string, style?: object(2),…',
    );
  });

  it.each<[string, unknown]>([
    ['an empty schema', {}],
    ['true', true],
    ['false', false],
    ['an object without properties', { type: 'object' }],
    ['no properties', { type: 'object', properties: {}, additionalProperties: false }],
    ['required names that are no properties', { type: 'object', required: ['a'] }],
    ['an empty union', { oneOf: [], anyOf: [] }],
    ['nothing', undefined],
    ['null', null],
    ['a list', []],
  ])('says none for %s', (_name, schema) => {
    expect(summarizeInput(schema as JSONSchema)).toBe('none');
  });

  it.each<[string, unknown, string]>([
    ['names of any kind', { type: 'object', additionalProperties: { type: 'string' } }, 'object'],
    ['patterns of names', { patternProperties: { '^x-': true } }, 'object'],
    ['no object', { type: 'array', items: { type: 'string' } }, 'list of string'],
    ['a constant', { const: 1 }, '1'],
    ['an empty enum', { enum: [] }, 'any'],
    ['a reference that leads nowhere', { $ref: 'https://example.com/schema' }, 'any'],
  ])('does not say none for %s', (_name, schema, summary) => {
    expect(summarizeInput(schema as JSONSchema)).toBe(summary);
  });

  it('has required properties first, each kind in its order, six in all', () => {
    const schema = { type: 'object', properties: properties(9), required: ['p8', 'nowhere', 'p1', 'p4'] };
    expect(summarizeInput(schema)).toBe(
      'p1: string, p4: string, p8: string, p0?: string, p2?: string, p3?: string, +3 more',
    );
    expect(summarizeInput({ properties: properties(6) })).not.toContain('more');
    expect(summarizeInput({ properties: properties(8), required: names(8) })).toBe(
      'p0: string, p1: string, p2: string, p3: string, p4: string, p5: string, +2 more',
    );
  });

  it('takes the properties of the parts of an input together', () => {
    const schema = {
      allOf: [{ $ref: '#/$defs/named' }, { properties: { size: { type: 'integer' } } }],
      $defs: { named: { properties: { name: { type: 'string' } }, required: ['name'] } },
    };
    expect(summarizeInput(schema)).toBe('name: string, size?: integer');
  });

  it('counts the shapes of a union, whatever stands beside it', () => {
    const shape = (members: object) => ({ type: 'object', properties: members });
    expect(summarizeInput({ anyOf: [shape({}), shape({})], properties: { a: {} } })).toBe('one of 2 shapes');
    expect(summarizeInput({ oneOf: [shape({})], anyOf: [{}, {}] })).toBe('one of 1 shapes');
    const kinds = ['a', 'b'].map((kind) => ({ $ref: `#/$defs/${kind}` }));
    const $defs = {
      a: shape({ version: { const: 1 }, kind: { enum: ['a'] } }),
      b: shape({ kind: { $ref: '#/$defs/name' }, version: { const: 1 } }),
      name: { const: 'b' },
    };
    expect(summarizeInput({ anyOf: kinds, $defs })).toBe('one of 2 shapes by kind');
  });

  it.each<[string, object[]]>([
    ['two of the members share', [{ k: { const: 'a' } }, { k: { const: 'a' } }]],
    ['one of the members lacks', [{ k: { const: 'a' } }, {}]],
    ['is no constant somewhere', [{ k: { const: 'a' } }, { k: { type: 'string' } }]],
    ['allows two values', [{ k: { enum: ['a', 'b'] } }, { k: { const: 'c' } }]],
    ['is an object', [{ k: { const: {} } }, { k: { const: [] } }]],
    ['is inherited', [{ constructor: { const: 'a' } }, {}]],
  ])('does not tell shapes apart by a property that %s', (_name, members) => {
    expect(summarizeInput({ oneOf: members.map((each) => ({ properties: each })) })).toBe('one of 2 shapes');
  });

  it('tells shapes apart by constants of different types', () => {
    const values = [1, '1', true, null].map((value) => ({ properties: { k: { const: value } } }));
    expect(summarizeInput({ oneOf: values })).toBe('one of 4 shapes by k');
  });

  it.each<[unknown, string]>([
    [{ const: 'circle' }, '"circle"'],
    [{ const: { a: [1, null] } }, '{"a":[1,null]}'],
    [{ const: null, type: 'string' }, 'null'],
    [{ enum: ['a', 'b', 'c', 'd'] }, 'a|b|c|d'],
    [{ enum: ['a', 'b', 'c', 'd', 'e'] }, 'a|b|c|d|…(5)'],
    [{ enum: [1, null, '', ['x']] }, '1|null|""|["x"]'],
    [{ oneOf: [{}, {}], anyOf: [{}] }, 'one of 2'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'one of 2'],
    [{ type: 'number' }, 'number'],
    [{ type: 'number', minimum: 0, maximum: 100 }, 'number 0–100'],
    [{ type: 'number', minimum: -10, maximum: -1.5 }, 'number -10–-1.5'],
    [{ type: 'number', minimum: 0 }, 'number ≥0'],
    [{ type: 'number', maximum: 5 }, 'number ≤5'],
    [{ type: 'number', maximum: 5, 'x-unit': '%' }, 'number ≤5 %'],
    [{ type: 'number', 'x-unit': 'px' }, 'number px'],
    [{ type: 'number', 'x-unit': 7, minimum: '0' }, 'number'],
    [{ type: 'integer', exclusiveMinimum: 0, maximum: 9 }, 'integer >0 ≤9'],
    [{ type: 'number', exclusiveMaximum: 1 }, 'number <1'],
    [{ type: 'string' }, 'string'],
    [{ type: 'string', format: 'date' }, 'string(date)'],
    [{ type: 'string', format: '' }, 'string'],
    [{ type: 'boolean' }, 'boolean'],
    [{ type: 'array', items: { type: 'string' } }, 'list of string'],
    [{ type: 'array', items: { type: 'array', items: { enum: ['x', 'y'] } } }, 'list of list of x|y'],
    [{ type: 'array', items: {} }, 'list'],
    [{ type: 'array' }, 'list'],
    [{ items: { type: 'number' } }, 'list of number'],
    [{ type: 'object', properties: { a: {}, b: {} } }, 'object(2)'],
    [{ type: 'object', properties: {} }, 'object'],
    [{ type: 'object' }, 'object'],
    [{ properties: { a: {} } }, 'object(1)'],
    [{ type: ['string', 'null'], format: 'date' }, 'string(date)|null'],
    [{ type: ['array', 'null'], items: { type: 'string' } }, 'list of string|null'],
    [{ description: 'anything' }, 'any'],
    [true, 'any'],
    [false, 'any'],
    [null, 'any'],
    ['string', 'any'],
    [{ type: [7], enum: {}, oneOf: 'x', properties: [] }, 'any'],
    [{ type: [] }, 'any'],
    [{ type: '' }, 'any'],
    [{ enum: [], type: 'string' }, 'string'],
    [{ type: [''] }, 'any'],
    [{ allOf: [{ type: 'string' }] }, 'string'],
    [{ type: 'string', format: 'oui-attachment' }, 'file'],
    [{ type: 'string', format: 'oui-attachment', 'x-oui-attachment': { as: 'text' } }, 'file'],
    [{ type: 'string', format: 'oui-attachment', 'x-oui-attachment': { as: 'file', mediaTypes: [] } }, 'file'],
  ])('summarises %j as %s', (schema, summary) => {
    expect(summarizeValue(schema)).toBe(summary);
  });

  it('names the types of an attachment', () => {
    const file = (...mediaTypes: string[]) => {
      return { type: 'string', format: 'oui-attachment', 'x-oui-attachment': { as: 'file', mediaTypes } };
    };
    expect(summarizeValue(file('image/*'))).toBe('file(image/*)');
    expect(summarizeValue(file('image/png', 'image/jpeg'))).toBe('file(image/png|image/jpeg)');
    expect(summarizeValue({ type: 'array', items: file('image/*') })).toBe('list of file(image/*)');
  });

  it('follows local references, those that go round to an end', () => {
    const place = { type: 'object', properties: { lat: { type: 'number' }, lon: { type: 'number' } } };
    const from = { $ref: '#/$defs/place' };
    expect(summarizeInput({ properties: { from, to: from }, required: ['from'], $defs: { place } })).toBe(
      'from: object(2), to?: object(2)',
    );
    const round = { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' }, list: { items: { $ref: '#/$defs/list' } } };
    expect(summarizeInput({ properties: { a: round.a }, $defs: round })).toBe('a?: any');
    const lists = summarizeInput({ properties: { l: { $ref: '#/$defs/list' } }, $defs: round });
    expect(lists).toMatch(/^l\?: (list of )+.*…$/);
    expect(lists.length).toBe(120);
  });

  it('is one line of 120 units at most, and splits no pair', () => {
    const lined = { properties: { 'a\nb': { enum: ['c\r\nd\u2028e'] } } };
    expect(summarizeInput(lined)).toBe('a b?: c  d e');
    for (const length of [116, 117, 118, 119, 120, 121]) {
      const summary = summarizeInput({ properties: { [`${'x'.repeat(length)}😀`]: { type: 'string' } } });
      expect(summary.length).toBeLessThanOrEqual(120);
      expect(summary).not.toMatch(/\p{Surrogate}/u);
      expect(summary.endsWith('…')).toBe(true);
    }
  });

  it('reads no more of a huge schema than it shows', () => {
    let deep: unknown = { type: 'string' };
    for (let level = 0; level < 100_000; level++) deep = { type: 'array', items: deep };
    expect(summarizeInput({ properties: { deep } })).toMatch(/^deep\?: list of list of .*…$/);
    let value: unknown = 1;
    for (let level = 0; level < 100_000; level++) value = [value];
    expect(summarizeInput({ properties: { value: { const: value } } })).toMatch(/^value\?: \[+…$/);
    const read: unknown[] = [];
    const watched = new Proxy(names(100_000), {
      get(target, key) {
        read.push(key);
        return target[key as unknown as number];
      },
    });
    const huge = { const: watched, enum: watched };
    expect(summarizeInput({ properties: { huge, other: { enum: watched } } })).toMatch(/^huge\?: \["p0","p1".*…$/);
    expect(read.length).toBeLessThan(200);
  });

  const keyword = fc.constantFrom(
    'type', 'properties', 'items', 'required', 'oneOf', 'anyOf', 'allOf', 'enum', 'const', 'format', '$ref', '$defs',
    'minimum', 'maximum', 'x-unit', 'x-oui-attachment', 'mediaTypes', 'additionalProperties', 'a', 'b', '__proto__',
  );
  const word = fc.constantFrom(
    'object', 'array', 'string', 'number', 'null', 'date', 'oui-attachment', '#', '#/properties/a', '#/$defs/b', '#/%',
    'a', '😀', '\ud83d', 'x\ny', 'q'.repeat(150), '😀'.repeat(90),
  );
  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { depthSize: 'medium' },
      fc.jsonValue(),
      word,
      fc.array(tie('schema'), { maxLength: 8 }),
      fc.dictionary(fc.oneof(keyword, word), tie('schema'), { maxKeys: 9 }),
    ),
  }));

  it('never throws, and is deterministic, one short line, and whole of pairs', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(schema, (value) => {
        const summary = summarizeInput(value as JSONSchema);
        expect(summary.length).toBeGreaterThan(0);
        expect(summary.length).toBeLessThanOrEqual(120);
        expect(summary).not.toMatch(/[\r\n\u2028\u2029]/);
        expect(summarizeInput(structuredClone(value) as JSONSchema)).toBe(summary);
        // A half that was there before may remain; the cut makes none.
        if (!/\p{Surrogate}/u.test(JSON.stringify(value).replaceAll('\\ud83d', '\ud83d'))) {
          expect(summary).not.toMatch(/\p{Surrogate}/u);
        }
      }),
      { numRuns: 500 },
    );
  });
});
