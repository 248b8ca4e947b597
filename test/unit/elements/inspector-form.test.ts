import { describe, expect, it } from 'vitest';
import { partAt, withPart } from '../../../elements/inspector/draft-value.js';
import { formField, optionOf } from '../../../elements/inspector/form-field.js';
import { initialValue } from '../../../elements/inspector/initial-value.js';
import { keptDraft } from '../../../elements/inspector/kept-draft.js';
import { TriedAction } from '../../../elements/inspector/tried-action.js';
import { HIDDEN_VALUE, withoutSecrets } from '../../../elements/inspector/secret-values.js';
import type { JSONSchema } from '../../../src/protocol/json.js';

const kindOf = (schema: JSONSchema): string => formField(schema, schema).kind;
const string = { type: 'string' };

describe('the form of a schema', () => {
  it.each<[string, JSONSchema, object]>([
    ['a text', string, { kind: 'text', input: 'text', secret: false }],
    ['a date', { type: 'string', format: 'date' }, { kind: 'text', input: 'date' }],
    ['an address', { type: 'string', format: 'uri' }, { kind: 'text', input: 'url' }],
    ['a time with a zone, which no control writes', { type: 'string', format: 'date-time' }, { kind: 'text', input: 'text' }],
    ['a long text', { type: 'string', maxLength: 5_000 }, { kind: 'text', input: 'area' }],
    ['a password', { type: 'string', format: 'password' }, { kind: 'text', input: 'password', secret: true }],
    ['what is written only', { type: 'string', writeOnly: true }, { kind: 'text', input: 'password', secret: true }],
    ['a number', { type: 'number', minimum: 0, maximum: 9 }, { kind: 'number', integer: false, min: 0, max: 9 }],
    ['a whole number', { type: 'integer' }, { kind: 'number', integer: true }],
    ['a boolean', { type: 'boolean' }, { kind: 'boolean' }],
    ['an enum', { enum: ['a', 1, null] }, { kind: 'enum', values: ['a', 1, null] }],
    ['a const', { const: { a: 1 } }, { kind: 'const', value: { a: 1 } }],
    ['null', { type: 'null' }, { kind: 'const', value: null }],
    ['anything', true, { kind: 'json' }],
    ['nothing said', {}, { kind: 'json' }],
    ['an object of any members', { type: 'object' }, { kind: 'json' }],
    ['an object without members', { type: 'object', additionalProperties: false }, { kind: 'object', properties: [] }],
  ])('%s', (_, schema, field) => {
    expect(formField(schema, schema)).toMatchObject(field);
  });

  it('has the properties of an object, each required or not', () => {
    const schema = { properties: { a: string, b: true }, required: ['a'] };
    expect(formField(schema, schema)).toMatchObject({
      kind: 'object',
      properties: [{ name: 'a', required: true, schema: string }, { name: 'b', required: false, schema: true }],
    });
  });

  it('has a place for each item of a list, and none behind a tuple that is closed', () => {
    const schema = { type: 'array', prefixItems: [string, { type: 'number' }], items: false, minItems: 1 };
    const field = formField(schema, schema);
    if (field.kind !== 'list') throw new Error(field.kind);
    expect([field.item(0), field.item(1), field.item(2)]).toEqual([string, { type: 'number' }, undefined]);
    expect([field.least, field.most]).toEqual([1, 2]);
    const open = formField({ type: 'array', items: string, maxItems: 3 }, true);
    expect(open.kind === 'list' && [open.item(7), open.most]).toEqual([string, 3]);
  });

  it('names the shapes of a union by title, fixed member, or type', () => {
    const labels = (schema: JSONSchema): string[] => {
      const field = formField(schema, schema);
      return field.kind === 'choice' ? field.options.map(({ label }) => label) : [];
    };
    const shape = (effect: string): JSONSchema => ({ type: 'object', properties: { x: string, effect: { const: effect } } });
    expect(labels({ oneOf: [shape('blur'), shape('sepia')] })).toEqual(['effect: "blur"', 'effect: "sepia"']);
    expect(labels({ anyOf: [{ title: 'By name', ...string }, { type: 'number' }] })).toEqual(['By name', 'number']);
    expect(labels({ anyOf: [string, { type: 'string', format: 'date' }] })).toEqual(['string 1', 'string 2']);
    expect(labels({ oneOf: [{ const: 'a' }, { const: 2 }] })).toEqual(['"a"', '2']);
    expect(labels({ type: ['string', 'null'] })).toEqual(['string', 'null']);
    // What stands beside the union holds for each shape.
    const field = formField({ type: 'object', properties: { a: string }, oneOf: [{ required: ['a'] }, {}] }, true);
    expect(field.kind === 'choice' && formField(field.options[0]!.schema, true)).toMatchObject({
      kind: 'object', properties: [{ name: 'a', required: true }],
    });
  });

  it('follows references and puts allOf together, in circles too', () => {
    const root: JSONSchema = {
      $defs: {
        name: { type: 'string', title: 'Name' },
        tree: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/tree' } } } },
        self: { $ref: '#/$defs/self' },
      },
      allOf: [{ properties: { a: { $ref: '#/$defs/name' } }, required: ['a'] }, { properties: { b: { $ref: '#/$defs/tree' } } }],
      type: 'object',
    };
    const field = formField(root, root);
    if (field.kind !== 'object') throw new Error(field.kind);
    expect(field.properties.map(({ name, required }) => [name, required])).toEqual([['a', true], ['b', false]]);
    expect(formField(field.properties[0]!.schema, root)).toMatchObject({ kind: 'text', title: 'Name' });
    expect(formField(field.properties[1]!.schema, root)).toMatchObject({ kind: 'object' });
    expect(formField({ $ref: '#/$defs/self' }, root).kind).toBe('json');
    expect(kindOf({ $ref: 'https://elsewhere.example/schema' })).toBe('json');
  });

  it('ends with schemas that are made to be endless', () => {
    const twice = (to: string): JSONSchema => ({ allOf: [{ $ref: `#/$defs/${to}` }, { $ref: `#/$defs/${to}` }] });
    const names = Array.from({ length: 40 }, (_, index) => `d${index}`);
    const $defs = Object.fromEntries(names.map((name, index) => [name, twice(names[index + 1] ?? 'd0')]));
    expect(formField(twice('d0'), { $defs }).kind).toBe('json');
    const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
    const wide: JSONSchema = {
      type: 'object', properties: Object.fromEntries(letters.map((name) => [name, { $ref: '#' }])), required: letters,
    };
    expect(JSON.stringify(initialValue(wide, wide)).length).toBeLessThan(20_000);
    const long: JSONSchema = { type: 'array', items: { $ref: '#' }, minItems: 1e9 };
    expect(JSON.stringify(initialValue(long, long)).length).toBeLessThan(20_000);
  });

  it('takes a reference only to what is the schema\'s own', () => {
    expect(kindOf({ $ref: '#/%E0%A4%A' })).toBe('json');
    expect(kindOf({ $ref: '#/constructor' })).toBe('json');
    expect(kindOf({ $ref: '#/__proto__/toString' })).toBe('json');
  });

  it('begins with what is fixed, declared and required', () => {
    const schema: JSONSchema = {
      type: 'object',
      properties: {
        kind: { const: 'todo' }, title: string, done: { type: 'boolean' }, priority: { enum: ['a', 'b'], default: 'b' },
        place: { type: 'object', properties: { zip: { type: 'string', default: '1' } }, required: ['zip'] },
        tags: { type: 'array', items: string, minItems: 1 }, note: { type: 'string', default: 'left out' },
      },
      required: ['kind', 'title', 'done', 'priority', 'place', 'tags'],
    };
    expect(initialValue(schema, schema)).toEqual({
      kind: 'todo', done: false, priority: 'b', place: { zip: '1' }, tags: [null],
    });
    const endless: JSONSchema = { type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] };
    expect(JSON.stringify(initialValue(endless, endless)).length).toBeLessThan(200);
  });

  it('finds the shape that a value has', () => {
    const options = [string, { type: 'object', properties: { a: { const: 1 } } }, { type: 'object', properties: { a: { const: 2 } } }]
      .map((schema) => ({ label: '', schema }));
    expect(['x', { a: 1 }, { a: 2 }].map((value) => optionOf(value, options, true))).toEqual([0, 1, 2]);
    expect(optionOf(7, options, true)).toBe(0);
  });
});

describe('a draft', () => {
  it('changes as a copy, and takes parts away', () => {
    const value = { a: [{ b: 1 }], c: 2 };
    expect(withPart(value, ['a', 0, 'b'], 3)).toEqual({ a: [{ b: 3 }], c: 2 });
    expect(withPart(value, ['a', 1], 5)).toEqual({ a: [{ b: 1 }, 5], c: 2 });
    expect(withPart(value, ['a', 0], undefined)).toEqual({ a: [], c: 2 });
    expect(withPart(value, ['c'], undefined)).toEqual({ a: [{ b: 1 }] });
    expect(withPart(undefined, ['x', 'y'], 1)).toEqual({ x: { y: 1 } });
    expect(value).toEqual({ a: [{ b: 1 }], c: 2 });
    expect(partAt(value, ['a', 0, 'b'])).toBe(1);
    expect(partAt(value, ['toString'])).toBeUndefined();
  });

  it('has a member of its own called __proto__', () => {
    const made = withPart({}, ['__proto__', 'x'], 1) as object;
    expect(Object.keys(made)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

describe('what must not be seen', () => {
  const schema: JSONSchema = {
    type: 'object',
    properties: {
      user: string,
      login: { $ref: '#/$defs/login' },
      keys: { type: 'array', items: { type: 'string', writeOnly: true } },
      way: { oneOf: [{ type: 'object', properties: { kind: { const: 'pin' }, pin: { type: 'string', format: 'password' } } }, string] },
    },
    $defs: { login: { type: 'object', properties: { password: { type: 'string', format: 'password' }, name: string } } },
  };

  it('is hidden wherever the schema says so', () => {
    const value = {
      user: 'ada', login: { password: 'p1', name: 'n' }, keys: ['k1', 'k2'], way: { kind: 'pin', pin: '0000' }, other: 'kept',
    };
    expect(withoutSecrets(value, schema)).toEqual({
      user: 'ada', login: { password: HIDDEN_VALUE, name: 'n' }, keys: [HIDDEN_VALUE, HIDDEN_VALUE],
      way: { kind: 'pin', pin: HIDDEN_VALUE }, other: 'kept',
    });
    expect(withoutSecrets(value, null)).toBe(value);
    const password = { type: 'string', format: 'password' };
    expect(withoutSecrets({ any: 'p' }, { type: 'object', additionalProperties: password })).toEqual({ any: HIDDEN_VALUE });
    expect(withoutSecrets({ key_1: 'p', user: 'ada' }, {
      type: 'object', properties: { user: string }, patternProperties: { '^key': password }, additionalProperties: false,
    })).toEqual({ key_1: HIDDEN_VALUE, user: 'ada' });
    expect(withoutSecrets({ user: 'ada' }, schema)).toEqual({ user: 'ada' });
  });
});

describe('what any part of a schema calls secret', () => {
  const secret = { type: 'string', writeOnly: true };
  const pin = { type: 'object', properties: { pin: secret } };
  const hidden = { pin: HIDDEN_VALUE };
  it.each<[string, JSONSchema, unknown?]>([
    ['a shape that fits worse', { oneOf: [{ type: 'object', properties: { pin: string, x: string }, required: ['pin'] }, pin] }],
    ['anyOf behind a reference', { $ref: '#/$defs/u', $defs: { u: { anyOf: [{ type: 'object' }, pin] } } }],
    ['one of several types', { type: ['object', 'null'], properties: { pin: secret } }],
    ['then and else', { type: 'object', if: { required: ['x'] }, else: pin }],
    ['what depends on another member', { type: 'object', dependentSchemas: { x: pin } }],
    ['a part of allOf beside properties', { type: 'object', properties: { pin: string }, allOf: [pin] }],
    ['members that are not named in one shape', { anyOf: [{ properties: { pin: string } }, { additionalProperties: secret }] }],
    ['a pattern beside a name', { properties: { pin: string }, patternProperties: { '^p': secret } }],
    ['a reference that leads nowhere', { properties: { pin: { $ref: '#pin' } }, $defs: { pin: { $anchor: 'pin', ...secret } } }],
  ])('%s', (_, schema) => {
    expect(withoutSecrets({ pin: '0000' }, schema)).toEqual(hidden);
  });

  it('hides items of tuples and lists', () => {
    const schema = { type: 'array', prefixItems: [string, secret], items: { contains: pin, type: 'array' } };
    expect(withoutSecrets(['a', '0000', [{ pin: '0000' }]], schema)).toEqual(['a', HIDDEN_VALUE, [hidden]]);
  });

  it('ends in circles, and hides what is nested too deep to be read', () => {
    const tree: JSONSchema = { type: 'object', properties: { pin: secret, inner: { $ref: '#' } } };
    let value: object = { pin: '0000' };
    for (let depth = 0; depth < 200; depth++) value = { inner: value };
    expect(JSON.stringify(withoutSecrets(value, tree))).toMatch(/^(?!.*0000).*••/);
    const round: JSONSchema = { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }, pin] } } };
    expect(withoutSecrets({ pin: '0000' }, round)).toEqual(hidden);
  });

  it('looks at no value where nothing is secret', () => {
    const value = { get a(): string { throw new Error('was read'); } };
    expect(withoutSecrets(value, { type: 'object', properties: { a: string } })).toBe(value);
  });
});

describe('a draft whose schema is another now', () => {
  const schema = (properties: object, more: object = {}): JSONSchema => ({ type: 'object', properties, ...more });
  const kept = (value: unknown, before: JSONSchema, now: JSONSchema): unknown => (
    keptDraft(value, { schema: before, root: before }, { schema: now, root: now }));

  it('keeps what still has a place, drops what has none, and begins with what is new', () => {
    const before = schema({ title: string, count: { type: 'number' }, id: { enum: ['a', 'b'] }, tags: { type: 'array', items: string } });
    const now = schema({
      title: string, count: string, id: { enum: ['b', 'c'] }, kind: { const: 'todo' }, tags: { type: 'array', items: { type: 'number' } },
    }, { required: ['kind'] });
    const value = { title: 'Milk', count: 3, id: 'a', tags: ['x'], extra: 1 };
    expect(kept(value, before, now)).toEqual({ title: 'Milk', kind: 'todo', tags: [null], extra: 1 });
    expect(kept({ ...value, id: 'b' }, before, schema({ id: { enum: ['b'] } }))).toEqual({ id: 'b', extra: 1 });
  });

  it('goes into what is inside of it, and into the shape of a union', () => {
    const before = schema({ at: schema({ zip: string, old: string }), way: { oneOf: [string, { type: 'number' }] } });
    const now = schema({ at: schema({ zip: string }), way: { oneOf: [string, { type: 'boolean' }] } });
    expect(kept({ at: { zip: '1', old: 'x' }, way: 7 }, before, now)).toEqual({ at: { zip: '1' } });
    expect(kept({ way: 'x' }, before, now)).toEqual({ way: 'x' });
  });

  it('is what a tried action goes on with, with what was typed elsewhere', () => {
    const action = (properties: object) => ({ id: 'a', description: '', input: schema(properties) });
    const first = action({ id: { enum: ['a', 'b'] }, count: { type: 'number' }, note: { type: 'number' } });
    const tried = new TriedAction('s', first, () => {});
    tried.set(['id'], 'a');
    for (const name of ['count', 'note']) tried.type([name], '1e', 'number');
    tried.adapt(structuredClone(first.input));
    expect([tried.draft, tried.typed(['note'])]).toEqual([{ id: 'a' }, '1e']);
    tried.adapt(action({ id: { enum: ['b', 'c'] }, count: { type: 'number' }, note: string }).input);
    expect([tried.draft, tried.typed(['count']), tried.problem(['note'])]).toEqual([{}, '1e', undefined]);
    tried.show('json');
    tried.typeJson('{"id":"b"}');
    tried.adapt(action({}).input);
    expect(tried.draft).toEqual({ id: 'b' });
  });
});
