import { describe, expect, it } from 'vitest';
import type { OUIValidationIssue } from '../../../src/protocol/events.js';
import type { JSONSchema } from '../../../src/protocol/json.js';
import { VALIDATORS } from './validators.js';

const effects = {
  oneOf: [
    { type: 'object', properties: { effect: { const: 'blur' }, radius: { type: 'number' } }, required: ['effect'] },
    { type: 'object', properties: { effect: { const: 'tint' }, color: { type: 'string' } }, required: ['effect'] },
  ],
};
const tree = {
  $ref: '#/$defs/node',
  $defs: {
    node: {
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
    },
  },
};

const patterned = {
  patternProperties: { '^x-': { type: 'string' } },
  properties: { a: true },
  additionalProperties: false,
};

type Row = [name: string, schema: JSONSchema, value: unknown, messages: string[]];

/** Schema and value, and all messages: each starts with the path of the value it is about. */
const rows: Row[] = [
  ['a type', { properties: { n: { type: 'integer' } } }, { n: '3' }, ['/n: expected integer, got the text "3"']],
  ['a float for an integer', { type: 'integer' }, 3.5, ['the value: expected integer, got 3.5']],
  ['several types', { type: ['string', 'null'] }, [], ['the value: expected string or null, got a list of 0']],
  ['every error', { required: ['a', 'b'], properties: { c: { type: 'string' } } }, { c: 1 }, [
    '/a: is required, but missing',
    '/b: is required, but missing',
    '/c: expected string, got 1',
  ]],
  ['an unknown property', { properties: { c: {} }, additionalProperties: false }, { c: 1, d: 2 }, [
    '/d: is not a known property; known are c',
  ]],
  ['an inherited name', { required: ['constructor'] }, {}, ['/constructor: is required, but missing']],
  ['an inherited property', { properties: { toString: { type: 'string' } } }, {}, []],
  ['an undefined member', { required: ['a'] }, { a: undefined }, ['/a: is required, but missing']],
  ['odd names', { additionalProperties: false }, { 'a/b~c%d#é': 1 }, ['/a~1b~0c%d#é: is not a known property']],
  ['a __proto__ member', { additionalProperties: false }, JSON.parse('{"__proto__":1}'), [
    '/__proto__: is not a known property',
  ]],
  ['const', { const: { a: 1 } }, { a: 2 }, ['the value: expected {"a":1}, got an object']],
  ['enum', { enum: ['low', 'high', 3] }, 'mid', ['the value: expected one of "low", "high", 3, got the text "mid"']],
  ['bounds', { minimum: 5, multipleOf: 2 }, 3, [
    'the value: must be at least 5, got 3',
    'the value: must be a multiple of 2, got 3',
  ]],
  ['exclusive bounds', { exclusiveMinimum: 3, exclusiveMaximum: 3 }, 3, [
    'the value: must be more than 3, got 3',
    'the value: must be less than 3, got 3',
  ]],
  ['a short text', { minLength: 2 }, '😀', ['the value: must have at least 2 characters, has 1']],
  ['a long text', { maxLength: 1, pattern: '^a$' }, 'aaaa', ['the value: must have at most 1 character, has 4']],
  ['a pattern', { pattern: '^a+$', format: 'date' }, 'b', [
    'the value: must match the pattern ^a+$, got the text "b"',
    'the value: must be in the format date, got the text "b"',
  ]],
  ['an unknown format', { format: 'toString' }, 'x', []],
  ['list sizes', { minItems: 2, uniqueItems: true }, [1], ['the value: must have at least 2 items, has 1']],
  ['repeated items', { uniqueItems: true }, [{ a: 1 }, { a: 1 }], ['the value: must not have the same item twice']],
  ['object sizes', { maxProperties: 1 }, { a: 1, b: 2 }, ['the value: must have at most 1 property, has 2']],
  ['too many items', { prefixItems: [{ type: 'string' }], items: false }, [1, 2], [
    '/0: expected string, got 1',
    '/1: is one item too many',
  ]],
  ['contains', { contains: { type: 'number' } }, ['a', 'b'], [
    'the value: must contain an item that fits the schema under "contains"',
  ]],
  ['minContains', { contains: { anyOf: [{ type: 'number' }] }, minContains: 2 }, ['a', 1], [
    'the value: must contain at least 2 items that fit the schema under "contains"',
  ]],
  ['maxContains', { contains: { type: 'number' }, maxContains: 1 }, [1, 1, 'a'], [
    'the value: must contain at most 1 item that fit the schema under "contains"',
  ]],
  ['names', { propertyNames: { pattern: '^[a-z]+$' } }, { A: {} }, [
    '/A: the name is not allowed: must match the pattern ^[a-z]+$, got the text "A"',
  ]],
  ['no names at all', { propertyNames: false }, { a: 1 }, ['/a: no property is allowed']],
  ['patternProperties', patterned, { 'x-a': 1, b: 2 }, [
    '/x-a: expected string, got 1',
    '/b: is not a known property; known are a',
  ]],
  ['unevaluatedProperties', { allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, { a: 1, b: 2 }, [
    '/b: is not a known property',
  ]],
  ['dependentRequired', { dependentRequired: { a: ['b', 'c'], x: ['y'] } }, { a: 1, c: 1 }, [
    '/b: is required where "a" is given, but missing',
  ]],
  ['dependencies', { dependencies: { a: ['b'], c: { required: ['d'] } } }, { a: 1, c: 1 }, [
    '/b: is required where "a" is given, but missing',
    '/d: is required, but missing',
  ]],
  ['then', { if: { required: ['a'] }, then: { required: ['b'] } }, { a: 1 }, ['/b: is required, but missing']],
  ['a property that may not be', { properties: { a: false } }, { a: 1 }, ['/a: is not allowed']],
  ['a schema that is false', false, 1, ['the value: is not allowed']],
  ['not', { not: { type: 'string' } }, 'x', ['the value: must not fit the schema under "not"']],
  ['the same reason twice', { allOf: [{ minimum: 5 }, { minimum: 5 }] }, 1, ['the value: must be at least 5, got 1']],
  ['deep recursion', tree, { children: [{ children: [{ name: 1 }] }] }, [
    '/children/0/children/0/name: expected string, got 1',
  ]],
  ['the shape that was meant', effects, { effect: 'blur', radius: '3' }, [
    '/radius: expected number, got the text "3"',
  ]],
  ['no shape of this kind', effects, { effect: 'x' }, ['/effect: expected "blur" or "tint", got the text "x"']],
  ['what all shapes lack', effects, {}, ['/effect: is required, but missing']],
  ['no shape of this type', { anyOf: [{ type: 'string' }, { type: ['null', 'boolean'] }] }, 7, [
    'the value: expected string or null or boolean, got 7',
  ]],
  ['either of two', { anyOf: [{ required: ['id'] }, { required: ['url'] }] }, {}, [
    'the value: fits none of the 2 shapes allowed here: ' +
      '(1) /id: is required, but missing; (2) /url: is required, but missing',
  ]],
  ['two of two', { oneOf: [{ minimum: 1 }, { maximum: 5 }] }, 3, [
    'the value: fits 2 of the 2 shapes allowed here, must fit exactly one',
  ]],
  ['a nullable object', { anyOf: [{ type: 'object', required: ['b'] }, { type: 'null' }] }, {}, [
    '/b: is required, but missing',
  ]],
  ['a name mistyped', { properties: { title: {}, count: {} }, additionalProperties: false }, { titel: 1 }, [
    '/titel: is not a known property; did you mean "title"? known are title, count',
  ]],
  ['a required name mistyped', { properties: { title: {}, tile: {} }, required: ['title'] }, { Title: 1, tile: 2 }, [
    '/title: is required, but missing; is it meant by "Title"?',
  ]],
  ['a required name, and others', { required: ['title'] }, { text: 1 }, ['/title: is required, but missing']],
  ['a choice mistyped', { enum: ['low', 'high', 3] }, 'hihg', [
    'the value: expected one of "low", "high", 3, got the text "hihg"; did you mean "high"?',
  ]],
  ['a shape mistyped', effects, { effect: 'Blur' }, [
    '/effect: expected "blur" or "tint", got the text "Blur"; did you mean "blur"?',
  ]],
  ['the text of a list', { properties: { tags: { type: 'array' } } }, { tags: '["a"]' }, [
    '/tags: expected array, got the text "[\\"a\\"]"; send the array itself, not the text of it',
  ]],
  ['the closest shape', { anyOf: [{ required: ['a', 'b', 'c'] }, { properties: { e: { minimum: 5 } } }] }, { e: 1 }, [
    '/e: must be at least 5, got 1',
  ]],
  ['no value', { type: 'object' }, undefined, ['the value: expected a JSON value, got nothing']],
  ['no value where anything goes', {}, undefined, []],
  ['a Date', { properties: { at: {} } }, { at: new Date(0) }, ['/at: expected a JSON value, got a class instance']],
  ['NaN and a function', {}, [Number.NaN, () => 1], [
    '/0: expected a JSON value, got NaN',
    '/1: expected a JSON value, got a function',
  ]],
  ['a name that has no UTF-8', {}, { '\ud800': 1 }, ['the value: has a name with a lone surrogate, "\\ud800"']],
];

describe.each(VALIDATORS)('issues of the %s validator', (_name, validator) => {
  const check = (schema: JSONSchema, value: unknown): readonly OUIValidationIssue[] => validator.compile(schema)(value);

  it.each(rows)('%s', (_row, schema, value, messages) => {
    const issues = check(schema, value);
    expect(issues.map(({ message }) => message)).toEqual(messages);
    for (const { path, message } of issues) expect(message.startsWith(`${path || 'the value'}: `)).toBe(true);
  });

  it('have keyword, expected and received', () => {
    const schema = { properties: { n: { type: 'integer' }, s: { pattern: '^a$' } }, required: ['m'] };
    expect(check(schema, { n: 'x'.repeat(41), s: 'b' })).toMatchObject([
      { path: '/m', keyword: 'required', received: 'nothing' },
      { path: '/n', keyword: 'type', expected: 'integer', received: 'a text of 41 characters' },
      { path: '/s', keyword: 'pattern', expected: '^a$', received: 'b' },
    ]);
  });

  it('are a hundred at most, and then say that there are more', () => {
    const issues = check({ items: { type: 'string' } }, new Array(5000).fill(1));
    expect(issues).toHaveLength(101);
    expect(issues[100]).toEqual({
      path: '',
      keyword: 'more',
      message: 'the value: more problems than the 100 listed, about 4900 more',
    });
  });

  it('are the first one when there are too many for the stack', () => {
    const schema = { $ref: '#/$defs/list', $defs: { list: { items: { type: 'string' } } } };
    expect(check(schema, new Array(100_000).fill(1))).toMatchObject([
      { path: '/0', keyword: 'type' },
      { path: '', keyword: 'more' },
    ]);
  });
});
