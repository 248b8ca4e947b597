import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JSONSchema } from '../../../src/protocol/json.js';
import { VALIDATORS } from './validators.js';

function deepSchema(levels: number): JSONSchema {
  let schema: JSONSchema = true;
  for (let level = 0; level < levels; level++) schema = { properties: { a: schema } };
  return schema;
}

/** `$defs` that each apply the next one twice to the same value. */
function doubling(steps: number): JSONSchema {
  const $defs: Record<string, unknown> = { [`d${steps}`]: { type: 'object' } };
  for (let step = 0; step < steps; step++) {
    const next = { $ref: `#/$defs/d${step + 1}` };
    $defs[`d${step}`] = { allOf: [next, next] };
  }
  return { $ref: '#/$defs/d0', $defs };
}

const circular: Record<string, unknown> = { type: 'object' };
circular['properties'] = { self: circular };

describe.each(VALIDATORS)('compiling with the %s validator', (_name, validator) => {
  it.each<[string, unknown, string]>([
    ['no schema', 5, 'its root: must be a schema (an object or a boolean), got 5'],
    ['null', null, 'its root: must be a schema (an object or a boolean), got null'],
    [
      'an unknown type',
      { properties: { n: { type: 'int' } } },
      '/properties/n/type: must be one of array, boolean, integer, null, number, object, string, or a list of them, ' +
        'got the text "int"',
    ],
    [
      'required as a flag',
      { properties: { n: { required: true } } },
      '/properties/n/required: must be a list of property names, got true',
    ],
    [
      'properties as a list',
      { properties: [] },
      '/properties: must be an object whose members are schemas, got a list of 0',
    ],
    [
      'a member that is no schema',
      { $defs: { a: 'x' } },
      '/$defs: must be an object whose members are schemas, got an object',
    ],
    ['an empty union', { anyOf: [] }, '/anyOf: must be a list of at least one schema, got a list of 0'],
    ['a bound as a text', { items: { minimum: '1' } }, '/items/minimum: must be a number, got the text "1"'],
    ['a bound of draft 4', { exclusiveMinimum: true }, '/exclusiveMinimum: must be a number, got true'],
    ['a negative count', { minLength: -1 }, '/minLength: must be a whole number from 0, got -1'],
    ['multipleOf 0', { multipleOf: 0 }, '/multipleOf: must be a number above 0, got 0'],
    ['enum as a text', { enum: 'a|b' }, '/enum: must be a list of values, got the text "a|b"'],
    ['uniqueItems as a text', { uniqueItems: 'yes' }, '/uniqueItems: must be true or false, got the text "yes"'],
    [
      'an external reference',
      { properties: { a: { $ref: 'https://example.com/a.json' } } },
      '/properties/a/$ref: "https://example.com/a.json" is not in this schema; other documents are not fetched',
    ],
    [
      'a reference to nothing',
      { $ref: '#/$defs/a' },
      '/$ref: "#/$defs/a" is not in this schema; other documents are not fetched',
    ],
    ['a broken URI', { properties: { a: { $id: 'http://[' } } }, '/properties/a/$id: "http://[" is no URI reference'],
    ['a reference to itself', { $ref: '#' }, 'its root: refers to itself for the same value, without end'],
    [
      'a circle of references',
      { $defs: { a: { not: { $ref: '#/$defs/b' } }, b: { anyOf: [true, { $ref: '#/$defs/a' }] } } },
      '/$defs/a: refers to itself for the same value, without end',
    ],
    [
      'a name that has no UTF-8',
      { properties: { '\ud800': true } },
      '/properties/\ud800: a lone surrogate in a name',
    ],
    [
      '$dynamicRef among resources',
      { $defs: { a: { $id: 'a' } }, $dynamicRef: '#a' },
      '/$dynamicRef: $dynamicRef beside subschemas with an $id is not supported; use $ref',
    ],
  ])('refuses %s', (_row, schema, message) => {
    expect(() => validator.compile(schema as JSONSchema)).toThrow(new Error(`broken schema at ${message}`));
  });

  it('refuses what would never end, or overflow the stack', () => {
    expect(() => validator.compile(circular)).toThrow(/self\/properties\/self: nested deeper than 200 levels/);
    expect(() => validator.compile(deepSchema(10_000))).toThrow(/nested deeper than 200 levels/);
    expect(() => validator.compile(doubling(40))).toThrow(/more than 10000 schemas for one value$/);
    const chain: Record<string, unknown> = { d0: true };
    for (let step = 1; step <= 1000; step++) chain[`d${step}`] = { $ref: `#/$defs/d${step - 1}` };
    expect(() => validator.compile({ $defs: chain })).not.toThrow();
    const reversed = Object.fromEntries(Object.entries(chain).reverse());
    expect(() => validator.compile({ $defs: reversed })).toThrow(/a chain of more than 200 schemas/);
  });

  it('leaves the schema as it is, frozen or not', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^a$' } }, $defs: { b: false } };
    const before = JSON.stringify(schema);
    const freeze = (value: unknown): unknown => {
      if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
      return value;
    };
    const check = validator.compile(freeze(schema) as JSONSchema);
    expect(check({ a: 'b' })).toHaveLength(1);
    expect(JSON.stringify(schema)).toBe(before);
    expect(Object.getOwnPropertyNames(schema)).toEqual(['type', 'properties', '$defs']);
  });

  it('keeps no hold on the schema: a later change of it changes nothing', () => {
    const schema = { properties: { a: { type: 'string' } }, required: ['a'] };
    const check = validator.compile(schema);
    schema.properties.a.type = 'number';
    expect(check({ a: 'x' })).toEqual([]);
  });

  it('takes one object in several places', () => {
    const shared = { type: 'string', pattern: '^a$' };
    const check = validator.compile({ properties: { a: shared, b: shared, c: { items: shared } } });
    expect(check({ a: 'a', b: 'b', c: ['c'] }).map(({ path }) => path)).toEqual(['/b', '/c/0']);
  });

  it('takes no annotation for a rule', () => {
    const check = validator.compile({
      title: 't',
      default: { $ref: 'https://example.com/x' },
      examples: [1],
      'x-app': { id: 'https://example.com/', properties: 7 },
      id: 7,
      nullable: true,
      properties: { id: { type: 'string' } },
    });
    expect(check({ id: 'x' })).toEqual([]);
    expect(check({ id: 1 })).toHaveLength(1);
  });

  it('finds definitions under keys of their own', () => {
    const check = validator.compile({
      properties: { pet: { $ref: '#/components/schemas/Pet' } },
      components: { schemas: { Pet: { required: ['name'] } } },
    });
    expect(check({ pet: {} })).toMatchObject([{ path: '/pet/name' }]);
  });

  it('takes the names of object members for what they are', () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"},"$ref":{"type":"string"},"not":{"type":"string"}}}',
    );
    const check = validator.compile(schema);
    expect(check({}).length).toBe(0);
    expect(check(JSON.parse('{"__proto__":1,"$ref":1,"not":1}')).map(({ path }) => path)).toEqual([
      '/__proto__',
      '/$ref',
      '/not',
    ]);
  });

  it('does not see what others put on Object.prototype', () => {
    const prototype = Object.prototype as { required?: string[] };
    const check = validator.compile({ type: 'object', properties: { a: {} } });
    prototype.required = ['polluted'];
    try {
      expect(check({ a: {} })).toEqual([]);
      expect(validator.compile({ type: 'object' })({})).toEqual([]);
    } finally {
      delete prototype.required;
    }
  });

  it('ends on values that a recursive schema doubles at each level', () => {
    const both = { allOf: [{ $ref: '#' }, { $ref: '#' }] };
    const check = validator.compile({ properties: { a: both } });
    let value = {};
    for (let level = 0; level < 60; level++) value = { a: value };
    expect(check(value)).toMatchObject([{ path: '', message: expect.stringContaining('could not be checked') }]);
    expect(check({ a: { a: {} } })).toEqual([]);
  });

  it('ends on values too deep for the stack, and on lists too long for uniqueItems', () => {
    const check = validator.compile({ properties: { a: { $ref: '#' } }, uniqueItems: true });
    let value: unknown = 1;
    for (let level = 0; level < 100_000; level++) value = { a: value };
    expect(check(value)).toMatchObject([{ message: expect.stringContaining('nested deeper than 300 levels') }]);
    const long = Array.from({ length: 10_001 }, (_, index) => index);
    expect(check(long)).toMatchObject([{ path: '', message: expect.stringContaining('too long to be searched') }]);
    expect(validator.compile({ maxItems: 5 })(long)).toHaveLength(1);
  });
});

describe('small inputs that broke others', () => {
  interface Case {
    readonly id: string;
    readonly input?: JSONSchema;
    readonly calls?: readonly { readonly params: unknown; readonly valid?: boolean; readonly path?: string }[];
  }
  const file = new URL('../../vectors/cases/schemas.json', import.meta.url);
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] };
  const inputs = cases.filter(({ input }) => input !== undefined);

  it.each(inputs.map((one) => [one.id, one] as const))('%s', (_id, { input, calls = [] }) => {
    for (const [, validator] of VALIDATORS) {
      const check = validator.compile(input as JSONSchema);
      for (const { params, valid, path } of calls) {
        if (valid === undefined) continue;
        const issues = check(params);
        expect(issues.length === 0).toBe(valid);
        if (path !== undefined) expect(issues.map((issue) => issue.path)).toEqual([path]);
      }
    }
  });
});
