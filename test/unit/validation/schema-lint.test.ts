import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JSONSchema } from '../../../src/protocol/json.js';
import { createInterpretedValidator } from '../../../src/validation/interpreted.js';
import { KNOWN_FORMATS } from '../../../src/validation/known-formats.js';
import { FORMATS } from '../../../src/validation/patterns.js';
import { lintSchema } from '../../../src/validation/schema-lint.js';

const names = (schema: unknown, forModels = true): string[] => {
  return lintSchema(schema as JSONSchema, { forModels }).map(({ path, rule }) => `${rule} ${path}`);
};
const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
const text = { type: 'string' };
const a = (schema: unknown): object => object({ a: schema });

function nested(levels: number): object {
  let schema: object = { type: 'object', properties: {} };
  for (let level = 0; level < levels; level++) schema = a(schema);
  return schema;
}

const longEnum = Array.from({ length: 251 }, (_, index) => `${index}`.padStart(60, 'x'));

describe('what model providers refuse or leave out', () => {
  it.each<[string, unknown, string[]]>([
    ['anyOf at the root', object({ id: text }, { anyOf: [{ required: ['id'] }] }), ['root-combinator /anyOf']],
    ['oneOf for the input', { oneOf: [a(text)] }, ['root-type ', 'root-combinator /oneOf']],
    ['a root of another type', { type: 'array', items: text }, ['root-type /type']],
    ['a root that may be null', { type: ['object', 'null'] }, ['root-type /type']],
    ['a root that is a reference', { $ref: '#/$defs/a', $defs: { a: a(text) } }, [
      'root-reference /$ref',
      'reference /$ref',
    ]],
    ['a reference', object({ a: { $ref: '#/$defs/p' } }, { $defs: { p: text } }), ['reference /properties/a/$ref']],
    ['recursion', object({ a: { $ref: '#' } }), ['recursion /properties/a/$ref']],
    ['recursion in two steps', object({ a: { $ref: '#/$defs/x' } }, {
      $defs: { x: a({ $ref: '#/$defs/y' }), y: a({ $ref: '#/$defs/x' }) },
    }), [
      'recursion /properties/a/$ref',
      'recursion /$defs/x/properties/a/$ref',
      'recursion /$defs/y/properties/a/$ref',
    ]],
    ['patterns of names', object({}, { patternProperties: { '^x': text } }), ['refused-keyword /patternProperties']],
    ['rules for names', object({}, { propertyNames: text }), ['refused-keyword /propertyNames']],
    ['a tuple', a({ type: 'array', prefixItems: [text] }), ['refused-keyword /properties/a/prefixItems']],
    ['a tuple of an earlier draft', a({ type: 'array', items: [text] }), ['tuple /properties/a/items']],
    ['not', a({ type: 'string', not: { const: 'x' } }), ['refused-keyword /properties/a/not']],
    ['if', a({ type: 'string', if: { const: 'x' } }), ['refused-keyword /properties/a/if']],
    ['if at the root', object({}, { if: { required: ['x'] } }), ['root-combinator /if']],
    ['allOf', a({ allOf: [text] }), ['refused-keyword /properties/a/allOf']],
    ['exclusive bounds', a({ type: 'number', exclusiveMinimum: 0 }), ['untold-keyword /properties/a/exclusiveMinimum']],
    ['a list of anything', a({ type: 'array' }), ['list-without-items /properties/a']],
    ['a nullable list of anything', a({ type: ['array', 'null'] }), ['list-without-items /properties/a']],
    ['several types', a({ type: ['string', 'number'] }), ['several-types /properties/a/type']],
    ['no type', a({ description: 'x' }), ['no-type /properties/a']],
    ['an empty enum', a({ type: 'string', enum: [] }), ['empty-enum /properties/a/enum']],
    ['a mixed enum', a({ type: 'string', enum: ['a', 1] }), ['mixed-enum /properties/a/enum']],
    ['an enum of numbers', a({ type: 'number', enum: [1, 2] }), ['enum-not-text /properties/a/enum']],
    ['an enum with an empty text', a({ type: 'string', enum: ['', 'b'] }), ['empty-text-in-enum /properties/a/enum']],
    ['a constant object', a({ const: { b: 1 } }), ['structured-constant /properties/a/const']],
    ['an enum of lists', a({ type: 'array', items: text, enum: [[], ['a']] }), [
      'structured-constant /properties/a/enum',
    ]],
    ['a long name', object({ ['n'.repeat(65)]: text }), [`property-name /properties/${'n'.repeat(65)}`]],
    ['a name with a space', object({ 'first name': text }), ['property-name /properties/first name']],
    ['a required name that is not declared', object({ a: text }, { required: ['a', 'b'] }), [
      'required-unknown /required/1',
    ]],
    ['many levels', nested(11), [`too-deep ${'/properties/a'.repeat(11)}`]],
    ['many properties', object(Object.fromEntries(Array.from({ length: 5_001 }, (_, index) => [`p${index}`, text]))), [
      'too-large ',
    ]],
    ['a long enum', a({ type: 'string', enum: longEnum }), ['long-enum /properties/a/enum']],
    ['look-around', a({ type: 'string', pattern: '^(?!x)' }), ['pattern-feature /properties/a/pattern']],
  ])('%s', (_name, schema, expected) => {
    expect(names(schema)).toEqual(expected);
    // No provider sees an output or an observation.
    expect(names(schema, false)).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['nothing', {}],
    ['true', true],
    ['an object without properties', { type: 'object' }],
    ['usual properties', object({
      title: { type: 'string', maxLength: 100, description: 'x' },
      due: { type: 'string', format: 'date' },
      file: { type: 'string', format: 'oui-attachment' },
      count: { type: 'integer', minimum: 0, default: 1 },
      level: { type: 'string', enum: ['low', 'high'] },
      tags: { type: ['array', 'null'], items: { type: 'string' } },
      shape: { anyOf: [object({ kind: { const: 'a' } }), object({ kind: { const: 'b' } })] },
    }, { required: ['title'], additionalProperties: false })],
    ['ten levels', nested(10)],
  ])('says nothing of %s', (_name, schema) => {
    expect(names(schema)).toEqual([]);
  });

  it('says where, for whom, and what to do instead', () => {
    expect(lintSchema(object({ id: text }, { anyOf: [{ required: ['id'] }] }) as JSONSchema)).toEqual([
      {
        path: '/anyOf',
        rule: 'root-combinator',
        message:
          'anyOf at the top of an input: OpenAI and Anthropic refuse the request. ' +
          'Put it into a property, or say the rule in the description.',
      },
    ]);
  });
});

describe('what is broken', () => {
  it.each<[string, unknown, string[]]>([
    ['every mistyped keyword', object({ a: { type: 'int' }, b: { minimum: '1', type: 'number' }, c: 5 }), [
      'broken /properties',
    ]],
    ['every mistyped keyword below', object({ a: { type: 'int' }, b: { minimum: '1', type: 'number' } }), [
      'broken /properties/a/type',
      'broken /properties/b/minimum',
    ]],
    ['no schema', 5, ['broken ']],
    ['a broken pattern', a({ type: 'string', pattern: '(' }), ['broken-pattern /properties/a/pattern']],
    ['a pattern only the old grammar has', a({ type: 'string', pattern: '\\_' }), [
      'broken-pattern /properties/a/pattern',
    ]],
    ['a broken pattern of names', { patternProperties: { '[': text } }, ['broken-pattern /patternProperties/[']],
    ['an unknown format', a({ type: 'string', format: 'phone' }), ['unknown-format /properties/a/format']],
    ['a reference to nothing', a({ $ref: '#/$defs/a' }), ['reference-to-nothing /properties/a/$ref']],
    ['a reference outside', a({ $ref: 'https://example.com/a.json' }), ['external-reference /properties/a/$ref']],
    ['a reference to itself', a({ $ref: '#/properties/a' }), ['endless-reference /properties/a/$ref']],
    ['a circle', a({ anyOf: [{ $ref: '#/properties/a' }] }), ['endless-reference /properties/a/anyOf/0/$ref']],
    ['a good anchor', object({ a: { $ref: '#x' } }, { $defs: { x: { $anchor: 'x' } } }), []],
    ['a pattern that backtracks', a({ type: 'string', pattern: '^(a+)+$' }), [
      'exponential-pattern /properties/a/pattern',
    ]],
    ['one that does so less', a({ type: 'string', pattern: '^a*b?a*$' }), ['polynomial-pattern /properties/a/pattern']],
    ['one for short texts', a({ type: 'string', pattern: '^(a+)+$', maxLength: 14 }), []],
    ['one for texts that are not long', a({ type: 'string', pattern: '^a*b?a*$', maxLength: 200 }), []],
    ['a good pattern', a({ type: 'string', pattern: '^[a-z]+(-[a-z]+)*$' }), []],
  ])('%s', (_name, schema, expected) => {
    expect(names(schema, false)).toEqual(expected);
  });

  it('ends on schemas that hold themselves, or are very deep or large', () => {
    const circular: Record<string, unknown> = { type: 'object' };
    circular['properties'] = { self: circular };
    expect(names(circular)).toEqual(['broken /properties/self']);
    expect(names(nested(10_000))).toContain(`broken ${'/properties/a'.repeat(201)}`);
    const many = Array.from({ length: 300 }, (_, index) => [`p${index}`, { type: 'nothing' }]);
    expect(names(object(Object.fromEntries(many)))).toHaveLength(100);
  });

  it('never throws, and finds what compiling refuses', () => {
    const { compile } = createInterpretedValidator();
    const keyword = fc.constantFrom(
      'type', 'properties', 'items', 'enum', 'const', 'anyOf', 'not', '$ref', 'pattern', 'format', 'required',
      'minLength',
    );
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof({ maxDepth: 3 }, fc.boolean(), fc.dictionary(keyword, tie('value'), { maxKeys: 3 })),
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom('string', 'object', '#', '#/properties/a', 'https://e.com', '(', '^a+$', 'date', 3, -1, null),
        tie('schema'),
        fc.array(tie('schema'), { maxLength: 2 }),
        fc.array(fc.constantFrom('a', 'string'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2 }),
      ),
    }));
    fc.assert(
      fc.property(schema, (made) => {
        const rules = lintSchema(made as JSONSchema).map(({ rule }) => rule);
        let refused = false;
        try {
          compile(made as JSONSchema);
        } catch {
          refused = true;
        }
        if (refused) expect(rules).toEqual(expect.arrayContaining([expect.stringMatching(/broken|reference/)]));
        else expect(rules).not.toContain('broken');
      }),
      { numRuns: 500 },
    );
  });
});

it('knows the formats that are checked', () => {
  expect(new Set(KNOWN_FORMATS)).toEqual(new Set([...FORMATS, 'url']));
});

it('knows the public cases', () => {
  const file = new URL('../../vectors/cases/schemas.json', import.meta.url);
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: { id: string; input?: JSONSchema }[] };
  const found = Object.fromEntries(
    cases.flatMap(({ id, input }) => (input === undefined ? [] : [[id, lintSchema(input).map(({ rule }) => rule)]])),
  );
  expect(found).toEqual({
    'root-anyof': ['root-combinator'],
    'root-oneof-shapes': ['root-type', 'root-combinator'],
    'defs-ref': ['reference', 'reference'],
    'recursive-ref': ['recursion', 'recursion'],
    'nullable-array': [],
    'boolean-subschema': [],
    'empty-input': [],
    'strict-optional': [],
    'long-name': [],
    'integer-as-float': [],
    'own-properties': ['required-unknown'],
    'default-fill': [],
    'catastrophic-pattern': ['exponential-pattern'],
    'html-in-text': [],
  });
});
