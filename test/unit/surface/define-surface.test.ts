import { describe, expect, it } from 'vitest';
import { SURFACE_BRAND } from '../../../src/surface/definition/definition.js';
import type { SurfaceDefinition } from '../../../src/surface/definition/definition.js';
import { defineSurface, isDefinedSurface } from '../../../src/surface/definition/define-surface.js';
import { actionPolicies } from '../../../src/surface/definition/manifest.js';
import { createRuntime } from '../../../src/surface/create-runtime.js';

const action = { id: 'add_todo', description: 'Add a todo.', input: { type: 'object' }, handler: () => undefined };
const observation = { id: 'open_count', description: 'How many are open.', schema: { type: 'integer' } };
const surface = {
  id: 'todo-app',
  name: 'Todos',
  description: 'Tasks.',
  actions: [action],
  observations: [observation],
};
/** The surface with one action like this. */
const acting = (parts: object) => ({ ...surface, actions: [{ ...action, ...parts }] });

/** The surface with one action that takes these properties. */
const taking = (properties: object) => acting({ input: { type: 'object', properties } });
/** The surface with one observation like this. */
const showing = (parts: object) => ({ ...surface, observations: [{ ...observation, ...parts }] });

describe('defineSurface', () => {
  it.each<[rule: string, definition: object, message: RegExp]>([
    ['an id that breaks its pattern', { ...surface, id: 'Todo App' }, /Surface "Todo App": id must match .*, got the text "Todo App"/],
    ['an id of one character', { ...surface, id: 't' }, /have 2 to 64 characters/],
    ['an id of 65 characters', { ...surface, id: 'a'.repeat(65) }, /have 2 to 64 characters/],
    ['no id', { ...surface, id: undefined }, /Surface undefined: id is missing/],
    ['the reserved id', { ...surface, id: 'oui' }, /id "oui" is the runtime's own/],
    ['no name', { ...surface, name: ' ' }, /"todo-app": name is empty: say in a few words/],
    ['no description', { ...surface, description: '' }, /"todo-app": description is empty: the agent chooses by it/],
    ['no actions', { ...surface, actions: [] }, /actions is empty/],
    ['actions that are none', { ...surface, actions: undefined }, /actions is missing: a surface has at least one/],
    ['a kebab-case action', acting({ id: 'add-todo' }), /action "add-todo": id must match .*, got the text "add-todo"/],
    ['an action without id', acting({ id: undefined }), /action 1: id is missing/],
    ['a null action', { ...surface, actions: [null] }, /action 1: must be an object, got null/],
    ['two actions of one id', { ...surface, actions: [action, action] }, /action "add_todo": id is taken by an action/],
    [
      'an observation with an action id',
      { ...surface, observations: [{ ...observation, id: 'add_todo' }] },
      /observation "add_todo": id is taken by an action/,
    ],
    ['an action without description', acting({ description: undefined }), /action "add_todo": description is missing/],
    ['an action without input', acting({ input: undefined }), /input is missing: a JSON Schema; \{ type: "object", prop/],
    ['an array as input', acting({ input: [] }), /action "add_todo": input must be a schema.*got a list of 0/],
    ['a handler that is none', acting({ handler: 'x' }), /"add_todo": handler must be/],
    [
      'an observation without schema',
      { ...surface, observations: [{ ...observation, schema: null }] },
      /observation "open_count": schema must be/,
    ],
    ['polling that is none', acting({ polling: true }), /polling must be an object/],
    ['polling without an interval', acting({ polling: {} }), /intervalMs must be ms, at least 0; it is undefined/],
    [
      'looks without an interval',
      acting({ polling: { intervalMs: 0, resolve: () => ({}) } }),
      /intervalMs must be ms, at least 1; it is 0/,
    ],
    ['no looks', acting({ polling: { intervalMs: 1, maxAttempts: 0 } }), /maxAttempts must be a whole number.*it is 0/],
    ['half a look', acting({ polling: { intervalMs: 1, maxAttempts: 1.5 } }), /maxAttempts must be a whole/],
    ['no time', acting({ polling: { intervalMs: 1, maxDurationMs: -1 } }), /must be ms above 0; it is -1/],
    ['endless time', acting({ polling: { intervalMs: 1, maxDurationMs: Infinity } }), /maxDurationMs must be/],
    ['a resolve that is none', acting({ polling: { intervalMs: 1, resolve: 1 } }), /resolve must be a function/],
    ['subscribing to nothing', acting({ polling: { intervalMs: 0, subscribe: true } }), /subscribe must be an object/],
    [
      'an event without a name',
      acting({ polling: { intervalMs: 0, subscribe: { event: '' } } }),
      /event must be the name of an event of yours; it is ""/,
    ],
    [
      'an event of the protocol\'s',
      acting({ polling: { intervalMs: 0, subscribe: { event: 'action:request' } } }),
      /the name of an event of yours; it is "action:request"/,
    ],
    ['an event of ours', acting({ polling: { intervalMs: 0, subscribe: { event: 'x-oui:new' } } }), /event of yours/],
    [
      'a filter that is none',
      acting({ polling: { intervalMs: 0, subscribe: { event: 'x', filter: [] } } }),
      /filter must be an object/,
    ],
    ['a resumable job without an end', acting({ polling: { intervalMs: 0 }, resumable: true }), /resumable needs/],
    ['a resumable action that is no job', acting({ resumable: true }), /resumable needs/],
    ['singleFlight of a synchronous action', acting({ singleFlight: true }), /singleFlight is for asynchronous/],
    ['an action id of one character', acting({ id: 'a' }), /action "a": id must match .* have 2 to 64 characters/],
    ['an action id of 65 characters', acting({ id: 'a'.repeat(65) }), /action "a+": id must match/],
    ['a malformed keyword', taking({ p: { type: 'strng' } }), /action "add_todo": input\/properties\/p\/type must be one of/],
    ['a pattern that is none', taking({ p: { pattern: '(' } }), /input\/properties\/p\/pattern is no regular/],
    ['an external $ref', taking({ p: { $ref: 's.json' } }), /input\/properties\/p\/\$ref refers to another document, "s\.json"/],
    ['a $ref to nothing', taking({ p: { $ref: '#/$defs/A' } }), /refers to "#\/\$defs\/A", which is not in this schema/],
    [
      'a misplaced attachment',
      taking({ brand: { type: 'object', properties: { logo: { type: 'string', format: 'oui-attachment' } } } }),
      /action "add_todo": input declares an attachment at brand\.logo, where it would not be resolved/,
    ],
    ['an output that is none', acting({ output: [] }), /action "add_todo": output must be a schema/],
    ['an output with a malformed keyword', acting({ output: { required: 'x' } }), /output\/required must be a list of/],
    ['an output with an external $ref', acting({ output: { $ref: 'x' } }), /output\/\$ref refers to another document/],
    ['an observation without id', showing({ id: undefined }), /observation 1: id is missing/],
    ['an observation id of one character', showing({ id: 'a' }), /observation "a": id must match .* 2 to 64/],
    ['an observation id of 65 characters', showing({ id: 'a'.repeat(65) }), /observation "a+": id must match/],
    ['an observation id in kebab-case', showing({ id: 'open-count' }), /observation "open-count": id must match/],
    ['an observation without description', showing({ description: undefined }), /observation "open_count": description is/],
    ['an update frequency that is none', showing({ updateFrequency: 'often' }), /updateFrequency must be one of realtime, on-/],
    [
      'two observations of one id',
      { ...surface, observations: [observation, observation] },
      /observation "open_count": id is taken by an observation/,
    ],
    ['an entity without type', { ...surface, activation: { entity: {} } }, /activation\/entity\/type is missing/],
    ['a version that is a number', { ...surface, version: 1 }, /: version must be a text, got 1/],
    ['metadata that are a text', { ...surface, metadata: 'x' }, /: metadata must be an object/],
    ['a confirm that is a text', acting({ confirm: 'yes' }), /action "add_todo": confirm must be true or false/],
    ['tags that are a text', acting({ tags: 'write' }), /action "add_todo": tags must be a list/],
    ['an effect that is none', acting({ effect: 'write' }), /effect must be one of view, .*got the text "write"/],
    ['an enabled that is a text', acting({ enabled: 'yes' }), /enabled must be true, false or a function/],
    ['a settle that is none', acting({ settle: 'fast' }), /settle must be "none" or "sync", got the text "fast"/],
    ['observations that are none', { ...surface, observations: {} }, /observations must be a list/],
    ['nothing to define', null as never, /takes an object/],
    ['metadata that are not JSON, by their place', { ...surface, metadata: { a: 1, most: 1n } }, /metadata\/most must be JSON/],
    ['a schema with a BigInt', acting({ input: { const: 1n } }), /action "add_todo": input\/const must be JSON/],
  ])('refuses %s, and says where', (_rule, definition, message) => {
    expect(() => defineSurface(definition as SurfaceDefinition)).toThrow(TypeError);
    expect(() => defineSurface(definition as SurfaceDefinition)).toThrow(message);
  });

  it('names everything that is wrong at once', () => {
    const wrong = { ...acting({ id: 'X', handler: 1 }), name: '' };
    const all = /name is empty.*action "X": id.*action "X": handler/;
    expect(() => defineSurface(wrong as unknown as SurfaceDefinition)).toThrow(all);
  });

  it('freezes a copy and knows it again', () => {
    const actions = [{ ...action }];
    const defined = defineSurface({ ...surface, actions });
    actions.push(action);
    expect(defined.actions).toHaveLength(1);
    expect([defined, defined.actions, defined.actions[0]].every(Object.isFrozen)).toBe(true);
    expect(isDefinedSurface(defined)).toBe(true);
    expect(isDefinedSurface(surface)).toBe(false);
    expect(isDefinedSurface(null)).toBe(false);
  });

  it('keeps what is not the wire\'s out of the manifest, in one order', () => {
    const defined = defineSurface({
      ...surface,
      version: '1.0.0',
      concurrent: false,
      activation: { routes: '/todos' },
      metadata: { most: 1000, skipped: undefined },
      actions: [
        { ...action, settle: 'sync', title: 'Add', tags: ['write'], enabled: true, disabledReason: 'unused' },
        {
          ...action,
          id: 'delete_todo',
          enabled: false,
          disabledReason: 'Nothing to delete.',
          polling: { intervalMs: 5, resolve: () => ({ done: true }) },
        },
      ],
    });
    expect(JSON.stringify(defined[SURFACE_BRAND].manifest)).toBe(
      JSON.stringify({
        id: 'todo-app',
        name: 'Todos',
        description: 'Tasks.',
        version: '1.0.0',
        actions: [
          { id: 'add_todo', title: 'Add', description: 'Add a todo.', input: { type: 'object' }, tags: ['write'] },
          {
            id: 'delete_todo',
            description: 'Add a todo.',
            input: { type: 'object' },
            polling: { intervalMs: 5 },
            enabled: false,
            disabledReason: 'Nothing to delete.',
          },
        ],
        observations: [observation],
        activation: { routes: '/todos' },
        metadata: { most: 1000 },
      }),
    );
  });

  it('lets reads answer at once, and the rest wait for quiet unless it says otherwise', () => {
    const policies = actionPolicies(
      defineSurface({
        ...surface,
        actions: [
          action,
          { ...action, id: 'look_up', effect: 'view' },
          { ...action, id: 'list_all', tags: ['read-only'] },
          { ...action, id: 'go_to', effect: 'navigate' },
          { ...action, id: 'set_it', settle: 'sync' },
          { ...action, id: 'fire_it', settle: 'none' },
        ],
      }),
    );
    expect(policies).toEqual({
      add_todo: { settle: 'quiet' },
      look_up: { settle: 'none' },
      list_all: { settle: 'none' },
      go_to: { settle: 'quiet' },
      set_it: { settle: 'sync' },
      fire_it: { settle: 'none' },
    });
  });

  it('tells the engine of singleFlight, and nothing of what the page does with a job', () => {
    const polling = { intervalMs: 0, subscribe: { event: 'job:complete', filter: { id: '$dispatchResult.id' } } };
    const defined = defineSurface(acting({ polling, singleFlight: true, resumable: true }));
    expect(actionPolicies(defined)).toEqual({ add_todo: { settle: 'quiet', singleFlight: true } });
    expect(defined[SURFACE_BRAND].manifest.actions[0]).toEqual({
      id: 'add_todo',
      description: 'Add a todo.',
      input: { type: 'object' },
      polling,
    });
  });

  it('types jobs: what the handler returned without a cast, and the context', () => {
    interface Page {
      readonly progressOf: (id: string) => number;
    }
    defineSurface<Page>({
      ...surface,
      actions: [
        {
          ...action,
          polling: {
            intervalMs: 1,
            resolve: ({ jobId }: { jobId: string }, { progressOf }) => ({ done: progressOf(jobId) === 1 }),
          },
        },
      ],
    });
    defineSurface<Page>({
      ...surface,
      // @ts-expect-error an answer says whether the job is done
      actions: [{ ...action, polling: { intervalMs: 1, resolve: () => ({ data: 1 }) } }],
    });
  });

  it('types handlers: parameters without a cast, the context of the surface it is mounted with', () => {
    interface Page {
      readonly add: (title: string) => string;
    }
    const typed = defineSurface<Page>({
      ...surface,
      observations: [],
      actions: [
        { ...action, handler: ({ title }: { title: string }, { add }, { signal }) => signal.aborted || add(title) },
        // @ts-expect-error a parameter is unknown until the handler says what it is
        { ...action, id: 'add_more', handler: (params, { add }) => add(params.title) },
      ],
    });
    const runtime = createRuntime({}, { hosts: () => [] });
    const mounts = (): void => {
      runtime.mount(typed, () => ({ add: String }));
      // @ts-expect-error handlers of this surface need their context
      runtime.mount(typed);
      // @ts-expect-error and the right one
      runtime.mount(typed, () => ({ add: 1 }));
      // @ts-expect-error only what defineSurface returned can be mounted
      runtime.mount(surface);
      runtime.mount(defineSurface(surface));
    };
    expect(mounts).toBeTypeOf('function');
  });
});
