import { describe, expect, it } from 'vitest';
import { createAgentRuntime } from '../../../src/agent/agent-runtime.js';
import type { AgentCallResult, AgentTimeouts } from '../../../src/agent/agent-types.js';
import { createAttachmentStore } from '../../../src/hub/attachment-store.js';
import { createObservationResources } from '../../../src/hub/observation-resources.js';
import { createOwnTools } from '../../../src/hub/own-tools.js';
import { createMemoryRoom } from '../../../src/hub/page-directory.js';
import type { HubPage } from '../../../src/hub/page-directory.js';
import { resultRest } from '../../../src/hub/read-on-text.js';
import { createToolCatalog } from '../../../src/hub/tool-catalog.js';
import { createToolCaller } from '../../../src/hub/tool-caller.js';
import type { Cut } from '../../../src/protocol/events.js';
import { surfaceIndex } from '../../../src/rules/index-entry.js';
import { createLinearValidator } from '../../../src/validation/linear.js';
import { ScriptedPage, todos, turnOfTheLoop } from '../agent/scripted-page.js';

/** A hub's room with pages whose other ends the test plays. */
function createRoom(timeouts: AgentTimeouts = {}) {
  const room = createMemoryRoom();
  const validator = createLinearValidator();
  const own = createOwnTools(room, validator, createAttachmentStore());
  const catalog = createToolCatalog(room, own);
  const caller = createToolCaller(room, catalog);
  const open = (id: string): ScriptedPage => {
    const page = new ScriptedPage();
    const agent = createAgentRuntime({ transport: page, validator, timeouts });
    room.join(Object.create(agent, { id: { value: id } }) as HubPage);
    page.hello({ clientId: id });
    return page;
  };
  const names = () => catalog.list().map(({ name }) => name);
  return { room, own, catalog, caller, open, names };
}

const cut: Cut = { surface: 'todo-app', observation: 'open_count', path: '', kind: 'list', total: 90, kept: 1 };
const cutUpdate = { surfaceId: 'todo-app', observationId: 'open_count', value: [1], fit: { observations: [cut] } };

describe('oui_read', () => {
  it('is there with pages that have observations', () => {
    const { open, names } = createRoom();
    const page = open('p1');
    page.register({ ...todos, observations: [] });
    expect(names()).not.toContain('oui_read');
    page.register(todos);
    expect(names()).toContain('oui_read');
    expect(names()).not.toContain('oui_describe');
  });

  it('gives a value that is here without asking, and what was cut in parts, with the way to the rest', async () => {
    const { own, open } = createRoom();
    const page = open('p1');
    page.register(todos);
    page.say('observation:update', { ...cutUpdate, value: 3, fit: undefined, timestamp: 1 });
    const args = { surface: 'todo-app', observation: 'open_count' };
    expect(await own.call('oui_read', args)).toEqual({ data: { value: 3 }, settled: true, observations: {} });
    page.say('observation:update', { ...cutUpdate, timestamp: 2 });
    const part = own.call('oui_read', args);
    await turnOfTheLoop();
    const [request] = page.requests;
    expect(request).toMatchObject({ surfaceId: 'oui', params: { ...args, path: '' } });
    const data = { rows: [1, 2], total: 90, offset: 0, more: true, next: 2 };
    page.result(request?.requestId ?? '', { data });
    const next =
      'There is more, 90 in all. ' +
      'Read on with oui_read {"surface":"todo-app","observation":"open_count","offset":2}.';
    expect(await part).toEqual({ data, settled: true, observations: {}, next });
  });

  it('reads the page that is named, else the newest that has the surface, also one that is away', async () => {
    const { own, open } = createRoom();
    const pages = [open('p1'), open('p2'), open('p3')];
    const value = (page: ScriptedPage | undefined, count: number) => {
      page?.register(todos);
      page?.say('observation:update', { ...cutUpdate, value: count, fit: undefined, timestamp: 1 });
    };
    value(pages[0], 1);
    value(pages[1], 2);
    const args = { surface: 'todo-app', observation: 'open_count' };
    expect(await own.call('oui_read', args)).toMatchObject({ data: { value: 2 }, page: 'p2' });
    expect(await own.call('oui_read', { ...args, page: 'p1' })).toMatchObject({ data: { value: 1 }, page: 'p1' });
    expect((await own.call('oui_read', { ...args, page: 'p9' }))?.error?.message).toContain('p1');
    pages[1]?.become('disconnected');
    const away = own.call('oui_read', args);
    await turnOfTheLoop();
    pages[1]?.become('connected');
    pages[1]?.hello({ clientId: 'p2' });
    value(pages[1], 22);
    expect(await away).toMatchObject({ data: { value: 22 }, page: 'p2' });
  });

  it('says what is wrong', async () => {
    const { own, open } = createRoom();
    const args = { surface: 'todo-app', observation: 'open_count' };
    expect((await own.call('oui_read', args))?.error?.code).toBe('SURFACE_UNAVAILABLE');
    open('p1').register(todos);
    const wrong = await own.call('oui_read', { ...args, offset: -1, depth: 1 });
    expect(wrong?.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { errors: [{}, {}] } });
    const none = await own.call('oui_read', { ...args, observation: 'nothing' });
    expect(none?.error).toMatchObject({ code: 'NOT_FOUND' });
    expect(own.call('todo-app__add_todo', {})).toBeUndefined();
  });
});

describe('oui_describe', () => {
  it('is there with pages in index form, and gives definitions by the tools\' names', async () => {
    const { own, open, names } = createRoom();
    const page = open('p1');
    page.say('surface:register', { index: surfaceIndex(todos), timestamp: 1 });
    expect(names()).toContain('oui_describe');
    const described = own.call('oui_describe', { tools: ['todo-app__add_todo', 'todo-app__nothing'] });
    await turnOfTheLoop();
    const definitions = [{ surface: 'todo-app', action: todos.actions[0] }];
    page.result(page.requests[0]?.requestId ?? '', { data: { definitions } });
    expect(await described).toMatchObject({
      data: {
        tools: [
          { tool: 'todo-app__add_todo', surface: 'todo-app', definition: todos.actions[0] },
          { tool: 'todo-app__nothing', error: { code: 'ACTION_NOT_FOUND' } },
        ],
      },
    });
    expect((await own.call('oui_describe', { tools: [] }))?.error?.code).toBe('VALIDATION_ERROR');
  });
});

describe('a tool call', () => {
  it('whose values were cut says where, and how to read the rest', async () => {
    const { caller, open } = createRoom();
    const page = open('p1');
    page.register(todos);
    const call = caller.call('todo-app__list_todos', {}, { signal: new AbortController().signal });
    await turnOfTheLoop();
    page.result(page.requests[0]?.requestId ?? '', {
      observations: { 'todo-app': { open_count: [1] } },
      fit: { observations: [cut], data: { bytes: 900_000, limit: 400_000 } },
    });
    expect(await call).toEqual({
      settled: true,
      observations: { 'todo-app': { open_count: [1] } },
      fit: { observations: [cut], data: { bytes: 900_000, limit: 400_000 } },
      next:
        'Values were cut to fit. Read the rest with oui_read: {"surface":"todo-app","observation":"open_count",' +
        '"offset":1} (rows here: 1 of 90). ' +
        'The action\'s own data was left out: it has 900000 bytes, 400000 could be sent.',
    });
  });

  it('whose page did not come back names the other page that has the tool, and how to choose it', async () => {
    const { caller, open } = createRoom({ pageReturnMs: 20 });
    const [older, newer] = [open('p1'), open('p2')];
    older.register(todos);
    newer.register(todos);
    newer.become('disconnected');
    const { error } = await caller.call('todo-app__list_todos', {}, { signal: new AbortController().signal });
    expect(error).toMatchObject({ code: 'SURFACE_UNAVAILABLE', details: { ran: false } });
    expect(error?.message).toContain('did not come back');
    expect(error?.message).toContain('"oui_page": "p1"');
    expect(older.requests).toEqual([]);
  });

  it('that had reached its page names no other: nobody knows whether it ran', async () => {
    const { caller, open } = createRoom({ pageReturnMs: 20 });
    const [older, newer] = [open('p1'), open('p2')];
    older.register(todos);
    newer.register(todos);
    const call = caller.call('todo-app__list_todos', {}, { signal: new AbortController().signal });
    await turnOfTheLoop();
    newer.become('disconnected');
    const { error } = await call;
    expect(error).toMatchObject({ code: 'SURFACE_UNAVAILABLE', details: { ran: 'unknown' } });
    expect(error?.message).not.toContain('p1');
  });

  it('waits for the newest page that has the tool, also when that reloads and another has it too', async () => {
    const { caller, open } = createRoom();
    const [older, newer] = [open('p1'), open('p2')];
    older.register(todos);
    newer.register(todos);
    newer.become('disconnected');
    const call = caller.call('todo-app__list_todos', {}, { signal: new AbortController().signal });
    await turnOfTheLoop();
    expect(older.requests).toEqual([]);
    newer.become('connected');
    newer.hello({ clientId: 'p2' });
    newer.register(todos);
    await turnOfTheLoop();
    newer.result(newer.requests[0]?.requestId ?? '', { data: 'newer' });
    expect(await call).toMatchObject({ data: 'newer', page: 'p2' });
  });
});

describe('a resource', () => {
  it('of a page that is away is read when it is back; of one that is gone there is none', async () => {
    const { room, open } = createRoom();
    const resources = createObservationResources(room);
    const page = open('p1');
    page.become('disconnected');
    const value = resources.read('oui://p1/todo-app/open_count');
    const other = resources.read('oui://p1/todo-app/nothing');
    await turnOfTheLoop();
    page.become('connected');
    page.hello({ clientId: 'p1' });
    page.register(todos);
    page.say('observation:update', { ...cutUpdate, value: 4, fit: undefined, timestamp: 1 });
    expect(await value).toBe('4');
    page.hello({ clientId: 'p2' });
    expect(await other).toBeUndefined();
    for (const uri of ['oui://p1/todo-app', 'oui://p1/a/b/c', 'oui://p1/%/b', 'oui://p9/todo-app/open_count']) {
      expect(await resources.read(uri)).toBeUndefined();
    }
  });

  it('whose value was cut is read whole', async () => {
    const { room, open } = createRoom();
    const resources = createObservationResources(room);
    const page = open('p1');
    page.register(todos);
    page.say('observation:update', { ...cutUpdate, timestamp: 1 });
    const value = resources.read('oui://p1/todo-app/open_count');
    await turnOfTheLoop();
    page.result(page.requests[0]?.requestId ?? '', { data: { rows: [1, 2], total: 2, offset: 0 } });
    expect(await value).toBe('[1,2]');
  });
});

describe('what is said of the rest', () => {
  const result = (more: object): AgentCallResult => ({
    requestId: 'r', changed: {}, result: { requestId: 'r', success: true, timestamp: 1 }, ...more,
  });

  it('is nothing when nothing was left out', () => {
    expect(resultRest(result({}), undefined)).toBeUndefined();
  });

  it('names a few places, the page among several, and what was trimmed', () => {
    const cuts = Array.from({ length: 7 }, (_, index): Cut => ({ ...cut, kind: 'value', path: `/${index}`, kept: 0 }));
    const delivery = { trimmed: true, reason: 'too large', omitted: ['surfaces', 'observations'] };
    const words = resultRest(result({ cuts, result: { requestId: 'r', success: true, timestamp: 1, delivery } }), 'p1');
    expect(words).toContain('"path":"/4","page":"p1"} (nothing of it is here) and 2 more.');
    expect(words).toContain('Left out of the result (too large): surfaces, observations. Read observations with oui_read.');
  });
});
