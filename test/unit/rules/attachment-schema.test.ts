import { describe, expect, it } from 'vitest';
import { misplacedAttachments } from '../../../src/rules/attachment-schema.js';

const file = { type: 'string', format: 'oui-attachment', 'x-oui-attachment': { as: 'file', mediaTypes: ['image/*'] } };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

describe('misplacedAttachments', () => {
  it.each<[place: string, schema: object]>([
    ['a property', object({ logo: file })],
    ['the items of a property', object({ logos: { type: 'array', items: file } })],
    ['a property that may be null', object({ logo: { ...file, type: ['string', 'null'] } })],
    ['a property called like a keyword', object({ items: file, oneOf: file, properties: file })],
    ['nowhere', object({ a: { type: 'string' } })],
    ['examples only', object({ a: { type: 'object', default: file, enum: [file], const: file, examples: [file] } })],
  ])('takes %s', (_place, schema) => expect(misplacedAttachments(schema as never)).toEqual([]));

  it.each<[place: string, schema: object, paths: string[]]>([
    ['the input', file, ['(input)']],
    ['an object in it', object({ brand: object({ logo: file }) }), ['brand.logo']],
    ['lists of lists', object({ grid: { items: { items: file } } }), ['grid[][]']],
    ['a list of positions', object({ pair: { prefixItems: [file, file] } }), ['pair[]']],
    ['objects in a list', object({ rows: { items: object({ logo: file }) } }), ['rows[].logo']],
    ['a union', object({ logo: { anyOf: [file, { type: 'null' }] } }), ['logo']],
    ['a union of inputs', { oneOf: [object({ a: file }), object({ b: file })] }, ['a', 'b']],
    ['a condition', object({}, { if: true, then: object({ c: file }) }), ['c']],
    ['names nobody knows', object({}, { additionalProperties: file }), ['*']],
    ['names of a pattern', object({ set: { patternProperties: { '^a': file } } }), ['set.*']],
    ['a definition', object({ logo: { $ref: '#/$defs/Logo' } }, { $defs: { Logo: file } }), ['$defs.Logo']],
    ['an object', object({ logo: { ...file, type: 'object' } }), ['logo']],
    ['two places', object({ a: object({ b: file }), c: { not: file }, d: file }), ['a.b', 'c']],
    ['a place without the format', object({ a: object({ b: { 'x-oui-attachment': {} } }) }), ['a.b']],
  ])('names %s', (_place, schema, paths) => expect(misplacedAttachments(schema as never)).toEqual(paths));

  it('ends with a schema that holds itself', () => {
    const list: { items?: object } = {};
    list.items = list;
    expect(misplacedAttachments(object({ list }))).toEqual([]);
  });
});
