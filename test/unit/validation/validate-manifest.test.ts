import { describe, expect, it } from 'vitest';
import { manifestProblems } from '../../../src/validation/manifest-problems.js';
import { validateManifest } from '../../../src/validation/validate-manifest.js';

const action = {
  id: 'add_todo',
  description: 'Adds a todo to the list.',
  input: { type: 'object', properties: { done: { type: 'boolean', description: 'Whether it is done.' } } },
};
const observation = { id: 'open_count', description: 'How many are open.', schema: { type: 'integer' } };
const manifest = {
  id: 'todo-app',
  name: 'Todos',
  description: 'Create and complete tasks.',
  actions: [action],
  observations: [observation],
};
const acting = (parts: object) => ({ ...manifest, actions: [{ ...action, ...parts }] });
const taking = (input: unknown) => acting({ input });
const showing = (parts: object) => ({ ...manifest, observations: [{ ...observation, ...parts }] });
const inputOf = (property: unknown, more: object = {}) => taking({ type: 'object', properties: { p: property }, ...more });

/** What was found, as `path rule`. */
const problems = (value: unknown) => validateManifest(value).problems.map(({ path, rule }) => `${path} ${rule}`);
const warnings = (value: unknown) => validateManifest(value).warnings.map(({ path, rule }) => `${path} ${rule}`);

describe('validateManifest', () => {
  it('takes a manifest, and has nothing to say of a good one', () => {
    expect(validateManifest(manifest)).toEqual({ valid: true, problems: [], warnings: [] });
  });

  it.each<[what: string, value: unknown, found: string]>([
    ['an action without id', acting({ id: undefined }), '/actions/0/id required'],
    ['an action id of one character', acting({ id: 'a' }), '/actions/0/id id'],
    ['an action id of 65 characters', acting({ id: 'a'.repeat(65) }), '/actions/0/id id'],
    ['an action id with a hyphen', acting({ id: 'add-todo' }), '/actions/0/id id'],
    ['a description of white space', acting({ description: ' ' }), '/actions/0/description empty'],
    ['a confirm that is no flag', acting({ confirm: 'yes' }), '/actions/0/confirm type'],
    ['an async that is no flag', acting({ async: 1 }), '/actions/0/async type'],
    ['tags that are no texts', acting({ tags: ['a', 1] }), '/actions/0/tags/1 type'],
    ['an effect that is none', acting({ effect: 'write' }), '/actions/0/effect value'],
    ['an output that is no schema', acting({ output: 'text' }), '/actions/0/output schema'],
    ['an output with a malformed keyword', acting({ output: { type: 'texts' } }), '/actions/0/output/type keyword'],
    ['an output with an external $ref', acting({ output: { $ref: 'other.json' } }), '/actions/0/output/$ref external-ref'],
    ['polling without an interval', acting({ polling: {} }), '/actions/0/polling/intervalMs required'],
    ['an observation without id', showing({ id: undefined }), '/observations/0/id required'],
    ['an observation id of one character', showing({ id: 'a' }), '/observations/0/id id'],
    ['an observation id of 65 characters', showing({ id: 'a'.repeat(65) }), '/observations/0/id id'],
    ['an observation id in capitals', showing({ id: 'openCount' }), '/observations/0/id id'],
    ['an observation without description', showing({ description: undefined }), '/observations/0/description required'],
    ['an observation without schema', showing({ schema: undefined }), '/observations/0/schema required'],
    ['an update frequency that is none', showing({ updateFrequency: 'often' }), '/observations/0/updateFrequency value'],
    ['two observations of one id', { ...manifest, observations: [observation, observation] }, '/observations/1/id unique'],
    ['an observation with an action id', showing({ id: 'add_todo' }), '/observations/0/id unique'],
    ['an entity without type', { ...manifest, activation: { entity: { id: '7' } } }, '/activation/entity/type required'],
    ['an entity of an empty type', { ...manifest, activation: { entity: { type: '' } } }, '/activation/entity/type empty'],
    ['routes that are no texts', { ...manifest, activation: { routes: [1] } }, '/activation/routes/0 type'],
    ['a condition that is no text', { ...manifest, activation: { condition: {} } }, '/activation/condition type'],
    ['an activation that is none', { ...manifest, activation: '/todos' }, '/activation type'],
    ['a version that is no text', { ...manifest, version: 1 }, '/version type'],
    ['metadata that are no object', { ...manifest, metadata: [] }, '/metadata type'],
    ['a name that is no text', { ...manifest, name: {} }, '/name type'],
    ['actions that are no list', { ...manifest, actions: {} }, '/actions type'],
    ['no actions', { ...manifest, actions: [] }, '/actions empty'],
    ['the reserved id', { ...manifest, id: 'oui' }, '/id reserved'],
    ['no object', 'todo-app', ' type'],
  ])('names %s', (_what, value, found) => expect(problems(value)).toEqual([found]));

  it.each<[what: string, value: unknown, found: string]>([
    ['a type that is none', inputOf({ type: 'strng' }), 'properties/p/type keyword'],
    ['a required that is no list', inputOf(true, { required: 'p' }), 'required keyword'],
    ['a bound that is a text', inputOf({ minimum: '1' }), 'properties/p/minimum keyword'],
    ['a length below nothing', inputOf({ maxLength: -1 }), 'properties/p/maxLength keyword'],
    ['an enum that is no list', inputOf({ enum: 'a' }), 'properties/p/enum keyword'],
    ['a pattern that is none', inputOf({ pattern: '(' }), 'properties/p/pattern pattern'],
    ['a name pattern that is none', taking({ patternProperties: { '(': true } }), 'patternProperties/( pattern'],
    ['properties that are no schemas', taking({ properties: { a: 'text' } }), 'properties/a schema'],
    ['an empty union', inputOf({ anyOf: [] }), 'properties/p/anyOf keyword'],
    ['a part of a union that is none', inputOf({ anyOf: [true, 'x'] }), 'properties/p/anyOf/1 schema'],
    ['a description that is no text', inputOf({ description: 7 }), 'properties/p/description keyword'],
    ['an external $ref', inputOf({ $ref: 'https://a.example/s.json#/x' }), 'properties/p/$ref external-ref'],
    ['a $ref to a file', inputOf({ items: { $ref: './s.json' } }), 'properties/p/items/$ref external-ref'],
    ['a $ref that leads nowhere', inputOf({ $ref: '#/$defs/None' }), 'properties/p/$ref dangling-ref'],
    ['a $ref that leads to itself', inputOf({ $ref: '#/properties/p' }), 'properties/p/$ref endless-ref'],
    ['a name that no message may have', inputOf(JSON.parse('{"properties":{"__proto__":{}}}')), 'properties/p/properties/__proto__ key'],
    ['a list that is no input', taking([]), ' schema'],
    [
      'an attachment that would not be resolved',
      inputOf({ type: 'object', properties: { logo: { type: 'string', format: 'oui-attachment' } } }),
      ' attachment',
    ],
  ])('names, in an input, %s', (_what, value, found) => {
    const [place, rule] = found.split(' ');
    expect(problems(value)).toEqual([`/actions/0/input${place === '' ? '' : `/${place}`} ${rule}`]);
  });

  it('names what is nested deeper than a message may be', () => {
    let schema: object = { type: 'string' };
    for (let level = 0; level < 30; level++) schema = { type: 'object', properties: { a: schema } };
    const found = validateManifest(inputOf(schema)).problems;
    expect(found).toMatchObject([{ rule: 'depth', message: expect.stringContaining('deeper than 56 levels') }]);
    expect(found[0]?.path.startsWith('/actions/0/input/properties/p/properties/a/')).toBe(true);
  });

  it('names misplaced attachments by their paths', () => {
    const file = { type: 'string', format: 'oui-attachment' };
    const value = inputOf({ properties: { logo: file } }, { additionalProperties: file });
    expect(validateManifest(value).problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('at p.logo,'), expect.stringContaining('at *,'),
    ]);
  });

  it('takes what only looks wrong', () => {
    const data = { $ref: 'https://a.example/s.json', type: 'strng' };
    expect(problems(inputOf({ default: data, const: data, examples: [data] }))).toEqual([]);
    expect(problems(inputOf({ $ref: '#/$defs/A' }, { $defs: { A: { $anchor: 'a', items: { $ref: '#a' } } } }))).toEqual([]);
    expect(problems(taking(true))).toEqual([]);
    expect(problems({ ...manifest, id: `a${'-'.repeat(62)}b`, observations: undefined, more: 1 })).toEqual([]);
    expect(problems({ ...acting({ id: 'ab' }), activation: { routes: '/a', entity: { type: 'list' } } })).toEqual([]);
  });

  it('finds everything at once, in the order of the manifest', () => {
    const wrong = { ...acting({ id: 'X', input: { type: 'a', properties: { p: { minLength: 'b' } } } }), name: 1 };
    expect(problems(wrong)).toEqual([
      '/name type', '/actions/0/id id', '/actions/0/input/type keyword', '/actions/0/input/properties/p/minLength keyword',
    ]);
  });

  it('never throws, and reads own members only', () => {
    const cycle: { me?: object } = {};
    cycle.me = cycle;
    for (const value of [undefined, null, 1n, cycle, () => 1, { ...manifest, metadata: cycle }, [manifest]]) {
      expect(validateManifest(value).valid).toBe(false);
    }
    const inherited = Object.assign(Object.create({ name: 'Todos' }) as object, { ...manifest, name: undefined });
    expect(manifestProblems(JSON.parse(JSON.stringify(inherited)))).toMatchObject([{ path: '/name', rule: 'required' }]);
    expect(manifestProblems(inherited)).toMatchObject([{ path: '/name', rule: 'required' }]);
  });

  it.each<[what: string, value: unknown, found: string]>([
    ['a surface long description', { ...manifest, description: 'One is a. Two is b! Three is c? Four is d.' }, '/description long-description'],
    ['a surface description that says too little', { ...manifest, description: 'Todos.' }, '/description short-description'],
    ['an action description that says too little', acting({ description: 'add_todo' }), '/actions/0/description short-description'],
    ['an input that is no object', taking({ type: 'object' }), '/actions/0/input input-object'],
    ['a property without description', inputOf({ type: 'boolean' }), '/actions/0/input/properties/p property-description'],
    ['a text without maxLength', inputOf({ type: 'string', description: 'A text.' }), '/actions/0/input/properties/p max-length'],
    [
      'a list without maxItems',
      inputOf({ type: 'array', items: { type: 'boolean' }, description: 'A list.' }),
      '/actions/0/input/properties/p max-items',
    ],
    [
      'a text in a list without maxLength',
      inputOf({ type: 'array', maxItems: 3, items: { type: 'string' }, description: 'A list.' }),
      '/actions/0/input/properties/p/items max-length',
    ],
    ['a version that cannot be compared', { ...manifest, version: 'new' }, '/version version'],
    ['a member that nobody reads', acting({ confrim: true }), '/actions/0/confrim unknown-member'],
    ['what model providers refuse', inputOf({ type: 'string', maxLength: 9, pattern: '^(?=a)', description: 'A text.' }), '/actions/0/input/properties/p/pattern pattern-feature'],
    ['a pattern that backtracks', showing({ schema: { type: 'string', pattern: '^(a+)+$' } }), '/observations/0/schema/pattern exponential-pattern'],
  ])('advises on %s', (_what, value, found) => {
    expect(validateManifest(value).valid).toBe(true);
    expect(warnings(value)).toContain(found);
  });

  it('says nothing of texts and lists that are bounded otherwise', () => {
    for (const property of [{ enum: ['a'] }, { const: 'a' }, { format: 'date' }, { maxLength: 5 }]) {
      expect(warnings(inputOf({ type: 'string', description: 'A text.', ...property }))).toEqual([]);
    }
    const three = 'One does this. Two does that! Does three do more?';
    expect(warnings({ ...manifest, description: three, version: '1.0.0-beta.1' })).toEqual([]);
  });
});
