import { describe, expect, it } from 'vitest';
import type { OUIActionRequest } from '../../../src/protocol/events.js';
import type { OUIAction, OUISurface } from '../../../src/protocol/manifest.js';
import { surfaceIndex } from '../../../src/rules/index-entry.js';
import { surfacesHash } from '../../../src/rules/surfaces-hash.js';
import { action, createScene, ScriptedPage, todos, turnOfTheLoop, type Scene } from './scripted-page.js';

const ADD = 'todo-app__add_todo';
const LIST = 'todo-app__list_todos';

/** A page that has registered in index form. */
function indexedScene(surface: OUISurface = todos): Scene {
  const scene = createScene({}, { surfaces: [] });
  scene.page.say('surface:register', { index: surfaceIndex(surface), timestamp: 1 });
  return scene;
}

interface Asked {
  readonly requestId: string;
  readonly params: { readonly actions: readonly { readonly surface: string; readonly action: string }[] };
}

const askedOf = (page: ScriptedPage): Asked[] =>
  page.requests.filter(({ surfaceId, actionId }) => surfaceId === 'oui' && actionId === 'describe') as never;
const others = (page: ScriptedPage): OUIActionRequest[] => page.requests.filter(({ surfaceId }) => surfaceId !== 'oui');

function definitionsOf(surface: OUISurface, ...ids: string[]) {
  const found = ids.map((id) => surface.actions.find((each) => each.id === id) as OUIAction);
  return found.map((each) => ({ surface: surface.id, action: each }));
}

/** Answers the newest question for definitions. */
async function define(page: ScriptedPage, data: object): Promise<Asked> {
  await turnOfTheLoop();
  const asked = askedOf(page).at(-1) as Asked;
  page.result(asked.requestId, { data });
  await turnOfTheLoop();
  return asked;
}

describe('an action that is known by its index entry', () => {
  it('is a tool that takes any object, with a line that says what it takes', () => {
    const { agent } = indexedScene();
    const tool = agent.tools().find(({ name }) => name === ADD);
    expect(tool).toMatchObject({ inputSchema: { type: 'object' }, indexed: true, async: false });
    expect(tool?.description).toBe(
      'Does add_todo.\nTakes: title: string\nPart of "Todos": Create and complete tasks.',
    );
    expect(agent.tools().map(({ async, annotations }) => [async, annotations.needsApproval])).toEqual([
      [false, false], [false, false], [false, true], [true, false],
    ]);
    expect(agent.observations().map(({ observationId }) => observationId)).toEqual(['open_count', 'report']);
  });

  it('is fetched when it is called, and its params are validated then', async () => {
    const { agent, page, events } = indexedScene();
    const wrong = agent.call(ADD, {});
    const right = agent.call(ADD, { title: 'Milk' });
    events.length = 0;
    const { params } = await define(page, { definitions: definitionsOf(todos, 'add_todo') });
    expect(params).toEqual({ actions: [{ surface: 'todo-app', action: 'add_todo' }] });
    expect((await wrong).result.error?.code).toBe('VALIDATION_ERROR');
    expect(others(page)).toHaveLength(1);
    page.result(others(page)[0]?.requestId ?? '');
    expect((await right).result.success).toBe(true);
    expect(events[0]).toEqual({ type: 'tools' });
    expect(agent.tools().find(({ name }) => name === ADD)).toMatchObject({ inputSchema: { required: ['title'] } });
    expect(agent.tools().find(({ name }) => name === ADD)).not.toHaveProperty('indexed');
    void agent.call(ADD, { title: 'Eggs' });
    expect(others(page)).toHaveLength(2);
    expect(askedOf(page)).toHaveLength(1);
  });

  it('is known again after a reload, by its hash, and fetched anew when that has changed', async () => {
    const scene = indexedScene();
    const { agent, page } = scene;
    void agent.call(LIST);
    await define(page, { definitions: definitionsOf(todos, 'list_todos') });
    const next = new ScriptedPage();
    agent.attach(next);
    next.hello();
    const changed = { ...todos, actions: [action('add_todo'), action('list_todos', { effect: 'view' })] };
    next.say('surface:register', { index: surfaceIndex(changed), timestamp: 1 });
    void agent.call(LIST);
    expect(others(next)).toHaveLength(2);
    void agent.call(ADD, {});
    await define(next, { definitions: definitionsOf(changed, 'add_todo') });
    expect(others(next).map(({ actionId }) => actionId)).toContain('add_todo');
    next.say('surface:register', { index: surfaceIndex(todos), timestamp: 2 });
    void agent.call(ADD, {});
    await turnOfTheLoop();
    expect(askedOf(next)).toHaveLength(2);
  });

  it.each(['1', 'sha256:', 'x'.repeat(300)])('is compared by its hash as a text, whatever that looks like: %.9s', async (hash) => {
    const { agent, page } = createScene({}, { surfaces: [] });
    const form = surfaceIndex({ ...todos, actions: [action('list_todos', { effect: 'view' })] });
    const index = (definitionHash: string) => ({ ...form, index: form.index.map((entry) => ({ ...entry, definitionHash })) });
    page.say('surface:register', { index: index(hash), timestamp: 1 });
    void agent.describe([LIST]);
    await define(page, { definitions: definitionsOf(todos, 'list_todos') });
    expect(agent.tools()[0]).not.toHaveProperty('indexed');
    page.say('surface:register', { index: index(`${hash}0`), timestamp: 2 });
    expect(agent.tools()[0]).toHaveProperty('indexed');
    page.say('surface:register', { index: index(hash), timestamp: 3 });
    expect(agent.tools()[0]).not.toHaveProperty('indexed');
  });

  it('that changed while it was asked for is not taken for what it was before', async () => {
    const { agent, page } = indexedScene();
    void agent.describe([ADD]);
    await turnOfTheLoop();
    const changed = { ...todos, actions: [action('add_todo')] };
    page.say('surface:register', { index: surfaceIndex(changed), timestamp: 2 });
    await define(page, { definitions: definitionsOf(changed, 'add_todo') });
    page.say('surface:register', { index: surfaceIndex(todos), timestamp: 3 });
    expect(agent.tools().find(({ name }) => name === ADD)).toMatchObject({ indexed: true });
  });

  it('of another page is not known, whatever that calls it', async () => {
    const { agent, page } = indexedScene();
    void agent.describe([LIST]);
    await define(page, { definitions: definitionsOf(todos, 'list_todos') });
    const next = new ScriptedPage();
    agent.attach(next);
    next.hello({ clientId: 'tab-2' });
    next.say('surface:register', { index: surfaceIndex(todos), timestamp: 1 });
    void agent.call(LIST);
    await turnOfTheLoop();
    expect(askedOf(next)).toHaveLength(1);
  });

  it('that needs the user is asked about with its whole definition', async () => {
    const questions: string[] = [];
    const scene = createScene(
      { confirm: ({ description }) => questions.push(description) > 0 },
      { hello: { confirmBy: 'agent' }, surfaces: [] },
    );
    const long = { ...todos, actions: [action('delete_todo', { confirm: true, description: 'Deletes. For good.' })] };
    scene.page.say('surface:register', { index: surfaceIndex(long), timestamp: 1 });
    void scene.agent.call('todo-app__delete_todo', {});
    await define(scene.page, { definitions: definitionsOf(long, 'delete_todo') });
    expect(questions).toEqual(['Deletes. For good.']);
  });
});

describe('definitions', () => {
  it('that are wanted together are asked for together, and what is deferred again', async () => {
    const { agent, page } = indexedScene();
    const described = agent.describe([ADD, LIST, { surfaceId: 'todo-app', actionId: 'bulk_complete' }, 'todo-app__no']);
    const all = [ADD, LIST, 'todo-app__bulk_complete'].map((name) => ({ surface: 'todo-app', action: name.slice(10) }));
    const first = await define(page, { definitions: definitionsOf(todos, 'add_todo'), deferred: all.slice(1) });
    expect(first.params.actions).toEqual(all);
    const second = await define(page, { definitions: definitionsOf(todos, 'list_todos', 'bulk_complete') });
    expect(second.params.actions).toEqual(all.slice(1));
    const list = await described;
    expect(list.map((each) => each.action?.id ?? each.error?.code)).toEqual([
      'add_todo', 'list_todos', 'bulk_complete', 'ACTION_NOT_FOUND',
    ]);
    expect(list[0]?.action).toEqual(todos.actions[0]);
  });

  it('of a page in full form are there', async () => {
    const { agent, page } = createScene();
    expect(await agent.describe([ADD])).toEqual([{ surfaceId: 'todo-app', action: todos.actions[0] }]);
    expect(page.requests).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['missing', { definitions: [], missing: [{ surface: 'todo-app', action: 'add_todo' }] }, 'ACTION_NOT_FOUND'],
    ['not spoken of', {}, 'ACTION_NOT_FOUND'],
    ['deferred for ever', { definitions: [], deferred: [{ surface: 'todo-app', action: 'add_todo' }] }, 'ACTION_NOT_FOUND'],
    ['malformed', { definitions: [{ surface: 'todo-app', action: { id: 'add_todo' } }] }, 'INTERNAL_ERROR'],
  ])('that are %s end the call, which sends nothing', async (_name, answer, code) => {
    const { agent, page } = indexedScene();
    const done = agent.call(ADD, { title: 'x' });
    await define(page, answer);
    expect((await done).result.error).toMatchObject({ code, details: { ran: false } });
    expect(others(page)).toEqual([]);
  });

  it('that cannot be asked for end the call with the reason', async () => {
    const { agent, page, clock } = indexedScene();
    const done = agent.call(ADD, { title: 'x' });
    await turnOfTheLoop();
    clock.advance(5_000);
    const { result } = await done;
    expect(result.error).toMatchObject({ code: 'TIMEOUT', details: { ran: false } });
    expect(result.error?.message).toContain('It did not run');
    expect(others(page)).toEqual([]);
    expect(clock.open).toBe(0);
  });

  it('that change each time they are asked for are given up', async () => {
    const { agent, page } = indexedScene();
    const done = agent.call(ADD, { title: 'x' });
    for (let version = 0; version < 3; version++) {
      await turnOfTheLoop();
      const next = { ...todos, actions: [action('add_todo', { description: `Version ${version}.` })] };
      page.say('surface:register', { index: surfaceIndex(next), timestamp: 2 });
      await define(page, { definitions: definitionsOf(next, 'add_todo') });
    }
    expect((await done).result.error).toMatchObject({ code: 'PRECONDITION_FAILED', details: { ran: false } });
    expect(askedOf(page)).toHaveLength(3);
  });

  it('do not keep other calls waiting', async () => {
    const { agent, page } = indexedScene({ ...todos, id: 'indexed' });
    page.register(todos);
    void agent.call('indexed__add_todo', { title: 'x' });
    void agent.call(ADD, { title: 'y' });
    expect(others(page).map(({ surfaceId }) => surfaceId)).toEqual(['todo-app']);
  });
});

describe('the hash of surfaces in index form', () => {
  it('is that of their index forms, and the page\'s own after a result', async () => {
    const { agent, page } = indexedScene();
    void agent.describe([LIST]);
    await define(page, { definitions: definitionsOf(todos, 'list_todos') });
    const done = agent.call(LIST);
    const [request] = others(page);
    expect(request?.knownSurfaces).toBe(surfacesHash([surfaceIndex(todos)]));
    const other = { ...todos, id: 'other' };
    page.result(request?.requestId ?? '', {
      index: [surfaceIndex(todos), surfaceIndex(other)], surfacesHash: 'the-page-says',
    });
    await done;
    expect(agent.surfaces().map(({ id }) => id)).toEqual(['todo-app', 'other']);
    expect(agent.tools().find(({ name }) => name === LIST)).not.toHaveProperty('indexed');
    void agent.call(LIST);
    expect(others(page)[1]?.knownSurfaces).toBe('the-page-says');
  });
});
