import { describe, expect, it } from 'vitest';
import { SURFACE_BRAND } from '../../../src/surface/definition.js';
import type { SurfaceDefinition } from '../../../src/surface/definition.js';
import { defineSurface, isDefinedSurface } from '../../../src/surface/define-surface.js';
import { actionPolicies } from '../../../src/surface/manifest.js';
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

describe('defineSurface', () => {
  it.each<[rule: string, definition: object, message: RegExp]>([
    ['an id that breaks its pattern', { ...surface, id: 'Todo App' }, /Surface "Todo App": id "Todo App" must match/],
    ['an id of one character', { ...surface, id: 't' }, /have 2 to 64 characters/],
    ['an id of 65 characters', { ...surface, id: 'a'.repeat(65) }, /have 2 to 64 characters/],
    ['no id', { ...surface, id: undefined }, /id undefined must match/],
    ['the reserved id', { ...surface, id: 'oui' }, /id "oui" is the runtime's own/],
    ['no name', { ...surface, name: ' ' }, /"todo-app": name is missing/],
    ['no description', { ...surface, description: '' }, /"todo-app": description is missing/],
    ['no actions', { ...surface, actions: [] }, /actions is empty/],
    ['actions that are none', { ...surface, actions: undefined }, /actions is empty/],
    ['a kebab-case action', acting({ id: 'add-todo' }), /action "add-todo": id "add-todo"/],
    ['an action without id', acting({ id: undefined }), /action 1: id undefined/],
    ['a null action', { ...surface, actions: [null] }, /action 1: id undefined/],
    ['two actions of one id', { ...surface, actions: [action, action] }, /action "add_todo": id is taken by an action/],
    [
      'an observation with an action\'s id',
      { ...surface, observations: [{ ...observation, id: 'add_todo' }] },
      /observation "add_todo": id is taken by an action/,
    ],
    ['an action without description', acting({ description: undefined }), /description is/],
    ['an action without input', acting({ input: undefined }), /input must be a JSON Schema/],
    ['an array as input', acting({ input: [] }), /input must be a JSON Schema/],
    ['a handler that is none', acting({ handler: 'x' }), /"add_todo": handler must be/],
    [
      'an observation without schema',
      { ...surface, observations: [{ ...observation, schema: null }] },
      /observation "open_count": schema must be/,
    ],
    ['a schema with a BigInt', acting({ input: { const: 1n } }), /must be JSON/],
  ])('refuses %s, and says where', (_rule, definition, message) => {
    expect(() => defineSurface(definition as SurfaceDefinition)).toThrow(TypeError);
    expect(() => defineSurface(definition as SurfaceDefinition)).toThrow(message);
  });

  it('names everything that is wrong at once', () => {
    const wrong = { ...acting({ id: 'X', handler: 1 }), name: '' };
    const all = /name is missing.*action "X": id.*action "X": handler/;
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
          polling: { intervalMs: 5, resolve: () => ({}) } as never,
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
