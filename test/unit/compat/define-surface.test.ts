import { beforeEach, describe, expect, it, vi } from 'vitest';
import { defineSurface } from '../../../src/compat/define-surface.js';
import type { ActionDefinition } from '../../../src/compat/surface-types.js';
import { resetWarnings } from '../../../src/protocol/warn-once.js';

const warn = vi.spyOn(console, 'warn');
beforeEach(() => {
  resetWarnings();
  warn.mockReset().mockImplementation(() => {});
});

const action = (id: string, more: Partial<ActionDefinition> = {}): ActionDefinition => ({
  id,
  description: 'Does it.',
  input: { type: 'object' },
  handler: () => ({ success: true }),
  ...more,
});
const surface = (more: object = {}) =>
  defineSurface({ id: 'todo-app', name: 'Todos', description: 'Tasks.', actions: [action('add_todo')], ...more });

describe('what oui-spec refuses', () => {
  it.each([
    ['the runtime\'s own id', { id: 'oui' }, '"oui"'],
    ['one action id twice', { actions: [action('add_todo'), action('add_todo')] }, 'Action id "add_todo"'],
    [
      'one observation id twice',
      { observations: [1, 2].map(() => ({ id: 'count', description: 'C', schema: {} })) },
      'Observation id "count"',
    ],
  ])('%s', (_what, more, message) => {
    expect(() => surface(more)).toThrow(message);
  });
});

describe('what it lets pass', () => {
  const circle: { [name: string]: unknown } = {};
  circle['self'] = circle;

  it.each([
    ['a surface id with a colon', { id: 'app:navigation' }],
    ['an id of one character', { actions: [action('a')] }],
    ['an action and an observation with one id', { observations: [{ id: 'add_todo', description: 'C', schema: {} }] }],
    ['no actions', { actions: [] }],
    ['a missing name and description', { name: undefined, description: '' }],
    ['a schema that is not JSON', { actions: [action('add_todo', { input: circle as never })] }],
  ])('%s, with a warning that says what is wrong', (_what, more) => {
    const { id } = surface(more).toManifest();
    expect(warn.mock.calls.flat().join('\n')).toContain(`[OUI1802] Surface "${id}": `);
  });

  it.each([
    ['an action without an input', { actions: [action('add_todo', { input: undefined as never })] }],
    ['polling without sense', { actions: [action('add_todo', { polling: { intervalMs: NaN, resolve: () => ({ done: true }) } })] }],
  ])('%s, which is filled in', (_what, more) => {
    const [mended] = surface(more).toManifest().actions;
    expect(mended).toMatchObject({ input: {} });
    expect(mended?.polling?.intervalMs ?? 1).toBe(1);
    expect(warn).not.toHaveBeenCalled();
  });

  it('a sound definition, without a word', () => {
    surface();
    expect(warn).not.toHaveBeenCalled();
  });
});

describe('what comes out', () => {
  it('has the definition\'s members, and a manifest without functions that is the caller\'s own', () => {
    const resolve = () => ({ done: true });
    const defined = surface({
      version: '1.0.0',
      actions: [action('add_todo', { title: 'Add', polling: { intervalMs: 500, resolve }, tags: ['a'] })],
      observations: [{ id: 'count', description: 'C', schema: {}, getValue: () => 1 }],
    });
    expect(defined).toMatchObject({ id: 'todo-app', name: 'Todos', version: '1.0.0' });
    const manifest = defined.toManifest();
    expect(manifest).toEqual({
      id: 'todo-app',
      name: 'Todos',
      description: 'Tasks.',
      version: '1.0.0',
      actions: [
        {
          id: 'add_todo',
          title: 'Add',
          description: 'Does it.',
          input: { type: 'object' },
          polling: { intervalMs: 500 },
          tags: ['a'],
        },
      ],
      observations: [{ id: 'count', description: 'C', schema: {} }],
    });
    manifest.actions.length = 0;
    expect(defined.toManifest().actions).toHaveLength(1);
    expect(defined.getActionIds()).toEqual(['add_todo']);
    expect(defined.getPollingConfig('add_todo')).toMatchObject({ intervalMs: 500 });
    expect(defined.getPollingConfig('gone')).toBeUndefined();
  });

  it('executeAction runs a handler alone, and never rejects', async () => {
    const defined = surface({
      actions: [
        action('add_todo', { handler: (params, context) => Promise.resolve({ success: true, data: [params, context] }) }),
        action('break_it', { handler: () => { throw new Error('Broke.'); } }),
      ],
    });
    expect(await defined.executeAction('add_todo', { a: 1 }, 'context')).toEqual({ success: true, data: [{ a: 1 }, 'context'] });
    expect(await defined.executeAction('break_it', {}, null)).toEqual({
      success: false,
      error: { code: 'ACTION_EXECUTION_ERROR', message: 'Broke.' },
    });
    expect(await defined.executeAction('gone', {}, null)).toMatchObject({ error: { code: 'ACTION_NOT_FOUND' } });
  });
});
