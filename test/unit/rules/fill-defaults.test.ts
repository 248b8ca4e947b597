import { describe, expect, it } from 'vitest';
import { fillDefaults } from '../../../src/rules/fill-defaults.js';

const todo = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    priority: { type: 'string', enum: ['low', 'medium', 'high'], default: 'medium' },
    style: { type: 'object', properties: { color: { type: 'string', default: 'red' }, bold: { type: 'boolean' } } },
    lines: { type: 'array', items: { type: 'object', properties: { quantity: { type: 'integer', default: 1 } } } },
    note: { default: null },
  },
};

describe('fillDefaults', () => {
  it('fills what is absent and says so', () => {
    const params = { title: 'Milk' };
    expect(fillDefaults(todo, params)).toEqual({
      params: { title: 'Milk', priority: 'medium', note: null },
      filled: { priority: 'medium', note: null },
    });
    expect(params).toEqual({ title: 'Milk' });
  });

  it('leaves what is present, null and false too', () => {
    const params = { priority: null, note: false };
    const result = fillDefaults(todo, params);
    expect(result.params).toBe(params);
    expect(result.filled).toEqual({});
  });

  it('fills nested objects that are present, and shares what does not change', () => {
    const params = { priority: 'low', note: '', style: { bold: true }, lines: [{ quantity: 2 }, {}, 'odd'] };
    const result = fillDefaults(todo, params);
    expect(result).toEqual({
      params: {
        priority: 'low',
        note: '',
        style: { bold: true, color: 'red' },
        lines: [{ quantity: 2 }, { quantity: 1 }, 'odd'],
      },
      filled: { style: { color: 'red' }, lines: { 1: { quantity: 1 } } },
    });
    expect((result.params as typeof params).lines[0]).toBe(params.lines[0]);
    expect(params.style).toEqual({ bold: true });
  });

  it('treats an undefined member as absent', () => {
    expect(fillDefaults(todo, { priority: undefined, note: 1 }).params).toEqual({ priority: 'medium', note: 1 });
  });

  it('makes an object of no params where the schema takes one', () => {
    expect(fillDefaults(todo, undefined).params).toEqual({ priority: 'medium', note: null });
    expect(fillDefaults({}, undefined).params).toEqual({});
    expect(fillDefaults(true, undefined).params).toEqual({});
    expect(fillDefaults({ type: ['null', 'object'] }, undefined).params).toEqual({});
    expect(fillDefaults({ type: 'string' }, undefined).params).toBeUndefined();
    expect(fillDefaults(false, undefined).params).toBeUndefined();
    expect(fillDefaults(todo, null).params).toBeNull();
  });

  it('copies defaults, so that a handler cannot change the schema', () => {
    const schema = { properties: { tags: { default: ['a'] } } };
    const first = fillDefaults(schema, {});
    (first.params as { tags: string[] }).tags.push('b');
    expect(first.filled).toEqual({ tags: ['a'] });
    expect(fillDefaults(schema, {}).params).toEqual({ tags: ['a'] });
  });

  it('follows local references, and ends on circular ones', () => {
    const schema = {
      $ref: '#/$defs/order',
      $defs: {
        order: { properties: { size: { $ref: '#/$defs/size' }, next: { $ref: '#/$defs/order' } } },
        size: { type: 'string', default: 'M' },
        round: { $ref: '#/$defs/round' },
      },
    };
    expect(fillDefaults(schema, { next: {} }).params).toEqual({ size: 'M', next: { size: 'M' } });
    expect(fillDefaults({ ...schema, $ref: '#/$defs/round' }, {}).params).toEqual({});
    expect(fillDefaults({ $ref: 'https://example.com/x' }, {}).params).toEqual({});
    expect(fillDefaults({ $ref: '#/%' }, {}).params).toEqual({});
  });

  it('never writes a prototype and sees own members only', () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"default":{"polluted":true}},"toString":{"default":"own"}}}',
    );
    const { params } = fillDefaults(schema, {});
    expect(Object.keys(params as object)).toEqual(['toString']);
    expect((params as { polluted?: boolean }).polluted).toBeUndefined();
    const inherits = Object.create({ default: 'inherited' }) as Record<string, unknown>;
    expect(fillDefaults({ properties: { a: inherits } }, {}).params).toEqual({});
  });
});
