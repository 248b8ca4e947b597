import { signal } from '@preact/signals-core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSurfaceRuntime, defineSurface } from '../../../src/entries/core.js';
import { createTestAgent } from '../../../src/entries/testing.js';
import type { PageTestAgent, TestAgentOptions } from '../../../src/entries/testing.js';
import '../../../src/entries/testing-vitest.js';

const agents: PageTestAgent[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const agent of agents.splice(0)) agent.dispose();
});

const titled = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };

/** A todo page, as an application has it. */
function todoPage(options: TestAgentOptions = {}) {
  const agent = createTestAgent(options);
  agents.push(agent);
  const todos = signal<readonly string[]>([]);
  let jobAt = 0;
  const mounted = agent.runtime.mount(
    defineSurface({
      id: 'todo-app',
      name: 'Todos',
      description: 'A list.',
      actions: [
        {
          id: 'add_todo',
          description: 'Adds.',
          input: titled,
          async handler({ title }: { title: string }) {
            await Promise.resolve();
            todos.value = [...todos.value, title];
            return { count: todos.value.length };
          },
        },
        { id: 'list_todos', description: 'Lists.', effect: 'view', input: {}, handler: () => todos.value },
        { id: 'never_ends', description: 'Hangs.', input: {}, handler: () => new Promise(() => {}) },
        {
          id: 'clear_all',
          description: 'Clears.',
          confirm: true,
          input: titled,
          handler: () => void (todos.value = []),
        },
        {
          id: 'import_all',
          description: 'A job.',
          input: {},
          polling: {
            intervalMs: 2_000,
            resolve: () => (++jobAt < 3 ? { done: false, data: { at: jobAt } } : { done: true, data: { at: jobAt } }),
          },
          handler: () => ({ job: 1 }),
        },
      ],
      observations: [
        { id: 'todo_list', description: 'All.', schema: { type: 'array' } },
        { id: 'weight', description: 'Asked for.', schema: {}, updateFrequency: 'polling' },
      ],
    }),
  );
  mounted.observe('todo_list', todos);
  mounted.observe('weight', { get: () => todos.value.length * 2, subscribe: () => () => {} });
  return { agent, todos };
}

describe('createTestAgent', () => {
  it('calls actions, without waiting for the time that a page is given to settle', async () => {
    const { agent } = todoPage();
    for (const title of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      const result = await agent.call('todo-app__add_todo', { title });
      expect(result).toSucceed();
      expect(result).toMatchObject({ settled: true, changed: { 'todo-app': { todo_list: expect.arrayContaining([title]) } } });
      // Of virtual time.
      expect(result.durationMs).toBe(250);
    }
    expect(agent).toHaveObservation('todo-app', 'todo_list', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
    expect(await agent.read('todo-app', 'weight')).toBe(16);
    expect(await agent.call({ surfaceId: 'todo-app', actionId: 'list_todos' })).toSucceed((list: string[]) => list.length === 8);
  });

  it('gets what a page answers when something is wrong', async () => {
    const { agent } = todoPage();
    expect(await agent.call('todo-app__add_todo', { title: 7 })).toFailWith('VALIDATION_ERROR', 'title');
    expect(await agent.call('todo-app__ad_todo')).toFailWith('ACTION_NOT_FOUND', /add_todo/);
    expect(agent.tools().map(({ actionId }) => actionId)).toContain('add_todo');
    expect(agent).toOffer('todo-app__add_todo');
  });

  it('awaits observations: a value, or what a function says yes to', async () => {
    const { agent, todos } = todoPage({ untilMs: 20_000 });
    const value = agent.until('todo-app', 'todo_list', ['x']);
    todos.value = ['x'];
    expect(await value).toEqual(['x']);
    const long = agent.until('todo-app', 'todo_list', (list: string[]) => list?.length > 1);
    todos.value = ['x', 'y'];
    expect(await long).toEqual(['x', 'y']);
  });

  it('says what an observation is instead', async () => {
    const { agent, todos } = todoPage({ untilMs: 1 });
    todos.value = ['x'];
    await agent.call('todo-app__list_todos');
    await expect(agent.until('todo-app', 'todo_list', [])).rejects.toThrow(
      'todo-app/todo_list did not come to be [] within 1 ms; it is ["x"].',
    );
  });

  it('is the user: says yes and no, before it is asked too', async () => {
    const { agent, todos } = todoPage();
    todos.value = ['x'];
    const refused = agent.call('todo-app__clear_all', { title: 't' });
    expect(await agent.deny()).toMatchObject({ actionId: 'clear_all', params: { title: 't' } });
    expect(await refused).toFailWith('ACTION_DENIED');
    expect(todos.value).toEqual(['x']);
    const yes = agent.grant();
    expect(await agent.call('todo-app__clear_all', { title: 't' })).toSucceed();
    expect((await yes).surfaceName).toBe('Todos');
    expect(todos.value).toEqual([]);
    const open = agent.call('todo-app__clear_all', { title: 'u' });
    await agent.advance(1_000);
    expect(agent.questions()).toMatchObject([{ params: { title: 'u' } }]);
    await agent.advance(5 * 60_000);
    expect(await open).toFailWith('APPROVAL_REQUIRED');
    expect(agent.questions()).toEqual([]);
  });

  it('lets time pass: for jobs, and for deadlines', async () => {
    const { agent } = todoPage();
    const job = agent.call('todo-app__import_all');
    await agent.advance(4_100);
    expect(agent.observation('todo-app', 'todo-app:import_all:status')).toMatchObject({ status: 'running', at: 2 });
    await agent.advance(2_000);
    const ended = await job;
    expect(ended).toSucceed({ at: 3 });
    expect(ended.acknowledgment).toMatchObject({ interim: true, data: { job: 1 } });
    const hanging = agent.call('todo-app__never_ends');
    await agent.advance(30_000);
    expect(await hanging).toFailWith('TIMEOUT');
  });

  it('brings attachments along, and asks the host for its own', async () => {
    const agent = createTestAgent();
    agents.push(agent);
    const file = { type: 'string', format: 'oui-attachment', 'x-oui-attachment': { as: 'text' } };
    const input = { type: 'object', properties: { note: file } };
    const action = { id: 'keep_note', description: 'Keeps.', input, handler: ({ note }: { note: string }) => note };
    agent.runtime.mount(defineSurface({ id: 'notes', name: 'Notes', description: 'Notes.', actions: [action] }));
    const attachments = { 'a-note-1': new File(['words'], 'note.txt') };
    expect(await agent.call('notes__keep_note', { note: 'a-note-1' }, { attachments })).toSucceed('words');
  });

  it('works while a test has put its own timers in place', async () => {
    vi.useFakeTimers();
    const { agent } = todoPage();
    expect(await agent.call('todo-app__add_todo', { title: 'a' })).toSucceed({ count: 1 });
  });

  it('speaks with a runtime of the page\'s own, in real time', async () => {
    const runtime = createSurfaceRuntime({ worker: false, settle: { quietMs: 5 }, approve: () => true });
    const { agent } = todoPage({ runtime });
    expect(await agent.call('todo-app__add_todo', { title: 'a' })).toSucceed({ count: 1 });
    await expect(agent.grant()).rejects.toThrow('asks its user in its own way');
    await expect(agent.advance(1)).rejects.toThrow('Time is real here');
    agent.dispose();
    expect(runtime.connection).toBe('disconnected');
    expect(await runtime.execute({ surfaceId: 'todo-app', actionId: 'list_todos' })).toSucceed(['a']);
    runtime.dispose();
    expect(() => createTestAgent({ runtime, time: 'virtual' })).toThrow('real time');
  });

  it('has real time where the page needs it', async () => {
    const { agent, todos } = todoPage({ time: 'real', settle: { quietMs: 20 } });
    const late = agent.call('todo-app__add_todo', { title: 'a' });
    setTimeout(() => (todos.value = [...todos.value, 'later']), 5);
    expect(await late).toMatchObject({ changed: { 'todo-app': { todo_list: expect.arrayContaining(['later']) } } });
  });
});
