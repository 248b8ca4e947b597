import { describe, expect, it } from 'vitest';
import { hasOwnPageArgument, toParams, toToolSchema, withPageArgument } from '../../../src/hub/tool-schema.js';

describe('toToolSchema', () => {
  it('passes a schema of objects as it is', () => {
    const input = { type: 'object', properties: { n: { type: 'integer', 'x-unit': 'px' } }, $defs: { a: true } };
    expect(toToolSchema(input)).toEqual(input);
  });

  it('adds the type where it is missing or one of several', () => {
    expect(toToolSchema({ oneOf: [{ required: ['a'] }, { required: ['b'] }] })).toEqual({
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
      type: 'object',
    });
    expect(toToolSchema({ type: ['object', 'null'] })).toEqual({ type: 'object' });
    expect(toToolSchema({})).toEqual({ type: 'object' });
    expect(toToolSchema(true)).toEqual({ type: 'object' });
    expect(toToolSchema(false)).toEqual({ type: 'object', not: {} });
  });

  it('makes objects of boolean schemas, which older clients refuse with the whole list of tools', () => {
    const input = { type: 'object', properties: { any: true, none: false, n: { type: 'integer' } }, required: ['any', 3] };
    expect(toToolSchema(input)).toEqual({
      type: 'object',
      properties: { any: {}, none: { not: {} }, n: { type: 'integer' } },
      required: ['any'],
    });
  });

  it('wraps what is no object, and unwraps its arguments', () => {
    const input = { type: 'array', items: { $ref: '#/$defs/id' }, $defs: { id: { type: 'string' } } };
    expect(toToolSchema(input)).toEqual({
      type: 'object',
      properties: { value: { type: 'array', items: { $ref: '#/$defs/id' } } },
      required: ['value'],
      additionalProperties: false,
      $defs: { id: { type: 'string' } },
    });
    expect(toParams(input, { value: ['a'] })).toEqual(['a']);
    expect(toParams({ type: 'object' }, { value: ['a'] })).toEqual({ value: ['a'] });
    expect(toParams(undefined, { a: 1 })).toEqual({ a: 1 });
  });
});

describe('the page argument', () => {
  const pages = [
    { id: 'p1', label: '"Todos"' },
    { id: 'p2', label: '"Shop"' },
  ];

  it('is added beside the declared properties, and optional', () => {
    const input = { type: 'object', properties: { a: {} }, required: ['a'], additionalProperties: false } as const;
    const schema = withPageArgument(input, pages);
    expect(schema['required']).toEqual(['a']);
    expect(schema['properties']).toMatchObject({ a: {}, oui_page: { type: 'string', enum: ['p1', 'p2'] } });
    expect(JSON.stringify(schema)).toContain('Without it: p2');
    expect(input.properties).toEqual({ a: {} });
  });

  it('leaves an argument of that name to the tool that has one', () => {
    expect(hasOwnPageArgument({ type: 'object', properties: { oui_page: {} } })).toBe(true);
    expect(hasOwnPageArgument({ type: 'object', properties: {} })).toBe(false);
    expect(hasOwnPageArgument({ type: 'object' })).toBe(false);
    expect(hasOwnPageArgument(true)).toBe(false);
  });
});
