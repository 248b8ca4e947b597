import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { surfacesHash } from '../../../src/rules/surfaces-hash.js';
import { action, createScene, todos } from './scripted-page.js';

const ADD = 'todo-app__add_todo';
const other = { ...todos, id: 'other' };

beforeEach(() => {
  resetWarnings();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

describe('surfaces', () => {
  it('come with registrations, are replaced in place, and go with deregistrations', () => {
    const { page, agent, events } = createScene({}, { surfaces: [todos, other] });
    events.length = 0;
    page.register(todos);
    expect(events).toEqual([]);
    page.register({ ...todos, name: 'Tasks' });
    expect(agent.surfaces().map(({ name }) => name)).toEqual(['Tasks', 'Todos']);
    expect(events).toEqual([{ type: 'tools' }]);
    page.say('surface:deregister', { surfaceId: 'todo-app', timestamp: 2 });
    page.say('surface:deregister', { surfaceId: 'todo-app', timestamp: 2 });
    expect(agent.surfaces().map(({ id }) => id)).toEqual(['other']);
    expect(events).toEqual([{ type: 'tools' }, { type: 'tools' }]);
  });

  it('are named by their hash, so that a page need not repeat them', () => {
    const { page, call } = createScene({}, { surfaces: [todos, { ...other, concurrent: true }] });
    call(ADD);
    expect(page.requests[0]?.knownSurfaces).toBe(surfacesHash([todos, { ...other, concurrent: true }]));
  });

  it('of a result replace what is held, under the page\'s own hash', async () => {
    const { page, agent, call } = createScene();
    page.say('observation:update', { surfaceId: 'todo-app', observationId: 'open_count', value: 3, timestamp: 5 });
    const { done, requestId } = call(ADD);
    page.result(requestId, {
      surfaces: [other], surfacesHash: 'fnv1a64:00000000000000aa', observations: { other: { open_count: 9 } },
    });
    expect((await done).changed).toEqual({ other: { open_count: 9 } });
    expect(agent.tools().every(({ surfaceId }) => surfaceId === 'other')).toBe(true);
    expect(agent.observation('todo-app', 'open_count')).toBeUndefined();
    call('other__add_todo');
    expect(page.requests[1]?.knownSurfaces).toBe('fnv1a64:00000000000000aa');
  });

  it('stay as registered when a result is older: it was lost, and is sent again', async () => {
    const { page, agent, call } = createScene({}, { surfaces: [] });
    page.say('surface:register', { surface: todos, timestamp: 5 });
    const { done, requestId } = call(ADD, { title: 'x' });
    page.say('surface:register', { surface: other, timestamp: 20 });
    page.result(requestId, { timestamp: 19, surfaces: [todos], surfacesHash: 'fnv1a64:00000000000000aa' });
    await done;
    expect(agent.surfaces()).toEqual([todos, other]);
  });

  it('stay as registered when a result has another hash and no surfaces', async () => {
    const { page, agent, call } = createScene();
    const { done, requestId } = call(ADD);
    page.result(requestId, { surfacesHash: 'fnv1a64:00000000000000aa' });
    await done;
    expect(agent.surfaces()).toEqual([todos]);
    call(ADD);
    expect(page.requests[1]?.knownSurfaces).toBe(surfacesHash([todos]));
  });

  it('of a repeated result change nothing', async () => {
    const { page, agent, call } = createScene();
    const { done, requestId } = call(ADD);
    page.result(requestId);
    await done;
    page.result(requestId, { surfaces: [other], surfacesHash: 'fnv1a64:00000000000000aa' });
    expect(agent.surfaces()).toEqual([todos]);
  });

  it('are not taken without limit, nor under the runtime\'s own id', () => {
    const { page, agent } = createScene();
    page.register({ ...todos, id: 'oui' });
    for (let n = 0; n < 300; n++) page.register({ ...todos, id: `surface-${n}`, actions: [] });
    expect(agent.surfaces()).toHaveLength(200);
    page.register({ ...todos, actions: Array.from({ length: 5_001 }, (_, n) => action(`a${n}`)) });
    expect(agent.tools()).toHaveLength(4);
  });
});

describe('tools', () => {
  it('say everything that the manifest says, in words', () => {
    const rich = action('export_clip', {
      title: 'Export',
      description: 'Renders the clip.',
      usage: 'Choose a width first.',
      preconditions: 'A clip is open.',
      estimatedDuration: '1-5s',
      tags: ['media', 'slow'],
      confirm: true,
      async: true,
      effect: 'file',
      input: { type: 'object', properties: { width: { type: 'number', 'x-unit': 'px' }, name: { type: 'string' } } },
    });
    const surface = { ...todos, metadata: { version: 3, audience: 'editors' }, actions: [rich] };
    const { agent } = createScene({}, { surfaces: [surface] });
    expect(agent.tools()).toEqual([
      {
        name: 'todo-app__export_clip',
        surfaceId: 'todo-app',
        actionId: 'export_clip',
        title: 'Export',
        description: [
          'Renders the clip.',
          'Usage: Choose a width first.',
          'Preconditions: A clip is open.',
          'Takes about: 1-5s',
          'Runs in the background: acknowledged first, answered when it is done.',
          'The user is asked to confirm before it runs.',
          'Units: width in px',
          'Tags: media, slow',
          'Part of "Todos": Create and complete tasks.',
          'About this part of the page: version: 3; audience: editors',
        ].join('\n'),
        inputSchema: rich.input,
        annotations: { readOnly: false, destructive: true, needsApproval: true, effect: 'file' },
        async: true,
      },
    ]);
  });

  it('tell reads from writes', () => {
    const actions = [
      action('a1', { effect: 'view' }), action('a2', { tags: ['read-only'] }), action('a3', { effect: 'navigate' }),
      action('a4', { effect: 'edit' }), action('a5'), action('a6', { effect: 'transaction' }),
    ];
    const { agent } = createScene({}, { surfaces: [{ ...todos, actions }] });
    const flags = agent.tools().map(({ annotations: { readOnly, destructive } }) => [readOnly, destructive]);
    expect(flags).toEqual([[true, false], [true, false], [true, false], [false, false], [false, false], [false, true]]);
  });

  it('have bounded descriptions, whatever the page writes', () => {
    const wordy = action('a1', { description: 'x'.repeat(50_000) });
    const { agent } = createScene({}, { surfaces: [{ ...todos, actions: [wordy] }] });
    expect(agent.tools()[0]?.description).toHaveLength(8_000);
  });
});

describe('observations', () => {
  const update = (value: unknown, timestamp: number, observationId = 'open_count') => ({
    surfaceId: 'todo-app', observationId, value, timestamp,
  });

  it('are the newest by the page\'s clock, and announced when they change', () => {
    const { page, agent, events } = createScene();
    events.length = 0;
    page.say('observation:update', update(1, 5));
    page.say('observation:update', update(2, 7));
    page.say('observation:update', update(3, 6));
    page.say('observation:update', update(2, 9));
    expect(agent.observation('todo-app', 'open_count')).toMatchObject({ value: 2, timestamp: 9, hasValue: true });
    page.say('observation:update', update(null, 9));
    expect(agent.observation('todo-app', 'open_count')).toMatchObject({ value: null, hasValue: true });
    expect(events).toEqual(Array(3).fill({ type: 'observation', surfaceId: 'todo-app', observationId: 'open_count' }));
  });

  it('are listed with their declarations, with or without a value', () => {
    const { page, agent } = createScene();
    page.say('observation:update', update('x', 3, 'undeclared_one'));
    expect(agent.observations()).toEqual([
      {
        surfaceId: 'todo-app', observationId: 'open_count', description: 'How many are open',
        schema: { type: 'integer' }, hasValue: false, value: undefined, timestamp: 0,
      },
      {
        surfaceId: 'todo-app', observationId: 'report', description: 'A slow report', schema: {},
        updateFrequency: 'polling', hasValue: false, value: undefined, timestamp: 0,
      },
      { surfaceId: 'todo-app', observationId: 'undeclared_one', hasValue: true, value: 'x', timestamp: 3 },
    ]);
    expect(agent.observation('todo-app', 'nothing')).toBeUndefined();
    expect(agent.observation('nothing', 'open_count')).toBeUndefined();
  });

  it('that changed between sending and result are the call\'s', async () => {
    const { page, call } = createScene();
    page.say('observation:update', update(1, 5));
    page.say('observation:update', update('old', 5, 'report'));
    const { done, requestId } = call(ADD);
    page.say('observation:update', update(2, 6));
    page.result(requestId, { timestamp: 7, observations: { 'todo-app': { open_count: 2, report: 'old' } } });
    expect((await done).changed).toEqual({ 'todo-app': { open_count: 2 } });
  });

  it('go when a new manifest does not declare them, and with their surface', () => {
    const { page, agent } = createScene();
    page.say('observation:update', update(1, 5));
    page.register({ ...todos, observations: [] });
    expect(agent.observations()).toEqual([]);
    page.register(todos);
    expect(agent.observation('todo-app', 'open_count')?.hasValue).toBe(false);
    page.say('observation:update', update(2, 6));
    page.say('surface:deregister', { surfaceId: 'todo-app', timestamp: 7 });
    page.register(todos);
    expect(agent.observation('todo-app', 'open_count')?.hasValue).toBe(false);
  });

  it('of surfaces that are not registered, and without end, are not kept', () => {
    const { page, agent } = createScene();
    page.say('observation:update', { ...update(1, 5), surfaceId: 'nowhere' });
    for (let n = 0; n < 600; n++) page.say('observation:update', update(n, 5, `o${n}`));
    expect(agent.observations().filter(({ hasValue }) => hasValue)).toHaveLength(500);
    expect(console.warn).toHaveBeenCalledTimes(2);
  });

  it('are read: pushed ones at once, polling ones from the page', async () => {
    const { page, agent, clock } = createScene();
    page.say('observation:update', update(4, 5));
    await expect(agent.read('todo-app', 'open_count')).resolves.toBe(4);
    expect(page.heard('observation:request')).toEqual([]);
    const both = Promise.all([agent.read('todo-app', 'report'), agent.read('todo-app', 'report')]);
    expect(page.heard('observation:request')).toMatchObject([{ surfaceId: 'todo-app', observationId: 'report' }]);
    page.say('observation:update', update({ rows: 1 }, 6, 'report'));
    await expect(both).resolves.toEqual([{ rows: 1 }, { rows: 1 }]);
    expect(clock.open).toBe(0);
  });

  it('that cannot be read say why', async () => {
    const { page, agent, clock } = createScene();
    const late = agent.read('todo-app', 'report');
    clock.advance(5_000);
    await expect(late).rejects.toMatchObject({ code: 'TIMEOUT' });
    await expect(agent.read('todo-app', 'nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(agent.read('nothing', 'report')).rejects.toMatchObject({ code: 'SURFACE_UNAVAILABLE' });
    const left = agent.read('todo-app', 'report');
    page.say('surface:deregister', { surfaceId: 'todo-app', timestamp: 3 });
    await expect(left).rejects.toMatchObject({ code: 'SURFACE_UNAVAILABLE' });
    page.become('disconnected');
    const away = agent.read('todo-app', 'report');
    clock.advance(15_000);
    await expect(away).rejects.toMatchObject({ code: 'SURFACE_UNAVAILABLE' });
    await expect(agent.read('todo-app', 'report')).rejects.toMatchObject({ code: 'SURFACE_UNAVAILABLE' });
  });
});

describe('listeners', () => {
  it('may throw, and may go', () => {
    const { page, agent, events } = createScene();
    agent.subscribe(() => {
      throw new Error('from the application');
    });
    const seen: string[] = [];
    const release = agent.subscribe(({ type }) => seen.push(type));
    page.say('x-shop:cart', { items: 2 });
    expect(events.at(-1)).toEqual({ type: 'extension', event: 'x-shop:cart', payload: { items: 2 } });
    release();
    release();
    page.say('x-shop:cart', { items: 3 });
    expect(seen).toEqual(['extension']);
    expect(console.warn).toHaveBeenCalledTimes(1);
  });
});
