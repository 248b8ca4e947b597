import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { OUIActionRequest } from '../../../src/protocol/events.js';
import { createHub } from '../../../src/hub/create-hub.js';
import type { Hub, HubOptions } from '../../../src/hub/create-hub.js';
import type { HubLogEntry } from '../../../src/hub/hub-log.js';
import type { HubPage } from '../../../src/hub/page-directory.js';
import { openPage, todoSurface } from './fake-page.js';
import type { FakePage, FakePageOptions } from './fake-page.js';
import { connectClient } from './mcp-clients.js';
import type { McpClient } from './mcp-clients.js';
import { until } from '../../until.js';

// Real sockets on a machine that may be busy with other tests.
vi.setConfig({ testTimeout: 30_000 });

let hub: Hub;
let client: McpClient | undefined;
const pages: FakePage[] = [];
const log: HubLogEntry[] = [];

beforeEach(() => start({}));
afterEach(async () => {
  await client?.close();
  client = undefined;
  for (const page of pages.splice(0)) await page.close();
  await hub.close();
  log.length = 0;
});

async function start(options: HubOptions): Promise<void> {
  await hub?.close();
  hub = await createHub({ port: 0, onLog: (entry) => log.push(entry), ...options });
}

async function open(options: FakePageOptions = {}): Promise<FakePage> {
  const page = await openPage(hub.pageUrl, options);
  pages.push(page);
  return page;
}

/** Waits until what the hub knows of its pages satisfies. */
function untilPages(satisfied: (list: readonly HubPage[]) => boolean): Promise<readonly HubPage[]> {
  return new Promise((resolve) => {
    const release = hub.pages.onChange(look);
    look();
    function look(): void {
      const list = hub.pages.pages();
      if (!satisfied(list)) return;
      queueMicrotask(() => release?.());
      resolve(list);
    }
  });
}
const hasTool = (count: number) => (list: readonly HubPage[]) =>
  list.filter((page) => page.tools().some(({ name }) => name === 'todo-app__add_todo')).length === count;

/** The status with which a connection is refused. */
async function refusal(headers: Record<string, string>): Promise<{ status: number; body: string }> {
  const socket = new WebSocket(hub.pageUrl, { headers });
  const [, response] = await once(socket, 'unexpected-response');
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  return { status: (response as { statusCode: number }).statusCode, body: Buffer.concat(chunks).toString() };
}

describe('who is let in', () => {
  it('refuses other origins, and says which and the flag that allows it', async () => {
    const { status, body } = await refusal({ Origin: 'https://app.example' });
    expect(status).toBe(403);
    expect(body).toContain('--allow-origin https://app.example');
    expect(log).toContainEqual(expect.objectContaining({ level: 'warn', code: 'OUI1501', message: body.trim() }));
  });

  it('refuses pages without an origin of their own', async () => {
    const { status, body } = await refusal({ Origin: 'null' });
    expect(status).toBe(403);
    expect(body).toContain('--allow-opaque-origin --token TOKEN');
  });

  it('refuses a rebound name', async () => {
    const { status, body } = await refusal({ Host: 'rebound.example:7410', Origin: 'http://rebound.example:7410' });
    expect(status).toBe(403);
    expect(body).toContain('rebound.example');
  });

  it('lets an allowed origin in', async () => {
    await start({ allowOrigin: ['https://app.example'] });
    await open({ origin: 'https://app.example', surfaces: [todoSurface()] });
    await untilPages(hasTool(1));
  });

  it('refuses more pages than it may hold', async () => {
    await start({ maxPages: 2 });
    await open();
    await open();
    expect(await refusal({ Origin: 'http://localhost' })).toMatchObject({ status: 503 });
    await pages.pop()?.close();
    await open({ surfaces: [todoSurface()] });
    await untilPages(hasTool(1));
  });
});

describe('what comes on a socket', () => {
  it('ignores garbage and goes on', async () => {
    const socket = new WebSocket(hub.pageUrl, { origin: 'http://localhost' });
    await once(socket, 'open');
    socket.send('not json');
    socket.send('[]');
    socket.send('"x"');
    socket.send(Buffer.from([1, 2, 3]));
    socket.send(JSON.stringify({ type: 'x-oui:hello', payload: { clientId: 7 } }));
    socket.send(JSON.stringify({ type: 'surface:register', payload: { surface: null } }));
    socket.send(JSON.stringify({ type: 'future:event', payload: {} }));
    socket.send(JSON.stringify({ type: 'surface:register', payload: { surface: todoSurface(), timestamp: 1 } }));
    await untilPages(hasTool(1));
    const closed = once(socket, 'close');
    socket.close();
    await closed;
  });

  it('closes a socket whose frame is far too large, and lives', async () => {
    const page = await open({ surfaces: [todoSurface()] });
    await untilPages(hasTool(1));
    const closed = once(page.socket, 'close');
    page.socket.send('x'.repeat(5 * 1024 * 1024));
    expect((await closed)[0]).toBe(1009);
    await untilPages((list) => list.length === 0);
    await open({ surfaces: [todoSurface()] });
    await untilPages(hasTool(1));
  });

  it('serves a page that speaks only v1', async () => {
    await open({
      v1: true,
      surfaces: [todoSurface()],
      onRequest: (request, page) => page.answer(request, { data: 1 }),
    });
    const [page] = await untilPages(hasTool(1));
    const { result } = await (page as HubPage).call('todo-app__add_todo', { title: 'milk' });
    expect(result).toMatchObject({ success: true, data: 1 });
  });
});

describe('a page that goes', () => {
  it('takes its tools with it', async () => {
    const page = await open({ surfaces: [todoSurface()] });
    await untilPages(hasTool(1));
    await page.close();
    await untilPages((list) => list.length === 0);
  });

  it('without a client id ends its calls at once', async () => {
    const page = await open({ surfaces: [todoSurface()] });
    await untilPages(hasTool(1));
    client = await connectClient('v2', hub.mcpUrl);
    const call = client.call('todo-app__add_todo', { title: 'milk' });
    await page.next('action:request');
    await page.close();
    const { isError, structuredContent } = await call;
    expect(isError).toBe(true);
    expect(structuredContent['error']).toMatchObject({ code: 'SURFACE_UNAVAILABLE' });
  });

  it('is told when the hub closes, and so is whoever waits for it', async () => {
    const page = await open({ surfaces: [todoSurface()], clientId: 'tab-1' });
    await untilPages(hasTool(1));
    client = await connectClient('v2', hub.mcpUrl);
    const call = client.call('todo-app__add_todo', { title: 'milk' });
    await page.next('action:request');
    const closed = once(page.socket, 'close');
    await hub.close();
    expect((await call).structuredContent['error']).toMatchObject({ code: 'SURFACE_UNAVAILABLE' });
    await closed;
  });

  it('is the same page when it comes back, and may still answer', async () => {
    const before = await open({ surfaces: [todoSurface()], clientId: 'tab-1' });
    const [first] = await untilPages(hasTool(1));
    client = await connectClient('v2', hub.mcpUrl);
    const call = client.call('todo-app__add_todo', { title: 'milk' });
    const request = (await before.next('action:request')).payload as OUIActionRequest;
    await before.close();
    await untilPages((list) => list.length === 0);
    const after = await open({ surfaces: [todoSurface()], clientId: 'tab-1' });
    after.answer(request, { data: 'from the new document' });
    expect((await call).structuredContent).toMatchObject({ data: 'from the new document' });
    const [again] = await untilPages(hasTool(1));
    expect(again?.id).toBe(first?.id);
  });

  it('is waited for by a call that comes while it reloads', async () => {
    const before = await open({ surfaces: [todoSurface()], clientId: 'tab-1' });
    await untilPages(hasTool(1));
    client = await connectClient('v2', hub.mcpUrl);
    await before.close();
    await untilPages((list) => list.length === 0);
    expect(await client.tools()).toEqual([]);
    const call = client.call('todo-app__add_todo', { title: 'milk' });
    const value = client.read(`oui://${hub.pages.known()[0]?.id}/todo-app/todo_list`);
    const after = await open({ clientId: 'tab-1' });
    after.register(todoSurface());
    after.observe('todo-app', 'todo_list', ['eggs']);
    const request = (await after.next('action:request')).payload as OUIActionRequest;
    expect(request).toMatchObject({ actionId: 'add_todo', params: { title: 'milk' } });
    after.answer(request, { data: 'in the new document' });
    expect((await call).structuredContent).toMatchObject({ data: 'in the new document' });
    expect(await value).toEqual(['eggs']);
  });

  it('ends a call that waited for its user, with the word of its next document', async () => {
    const before = await open({ surfaces: [todoSurface()], clientId: 'tab-1' });
    await untilPages(hasTool(1));
    client = await connectClient('v2', hub.mcpUrl);
    const reports: string[] = [];
    const onprogress = (message: string): void => void reports.push(message);
    const call = client.call('todo-app__delete_todo', { todoId: 't1' }, { onprogress });
    const { requestId } = (await before.next('action:request')).payload as OUIActionRequest;
    const expiresAt = Date.now() + 300_000;
    before.send('x-oui:approval', { requestId, argsHash: 'h', expiresAt, state: 'pending' });
    await until(() => expect(reports).toContain('The page is asking its user for approval.'));
    await before.close();
    const after = await open({ surfaces: [todoSurface()], clientId: 'tab-1' });
    const repeat = (await after.next('action:request')).payload as OUIActionRequest;
    expect(repeat.requestId).toBe(requestId);
    const error = { code: 'SURFACE_UNAVAILABLE', message: 'The page was left before it ran.', details: { ran: false } };
    after.answer(repeat, { success: false, error });
    const { structuredContent } = await call;
    expect(structuredContent).toEqual({ error, settled: true, observations: {} });
    expect(await after.next('x-oui:ack')).toMatchObject({ payload: { requestId, ok: true } });
  });

  it('has its calls told why they ended', async () => {
    const page = await open({ surfaces: [todoSurface()] });
    const [first] = await untilPages(hasTool(1));
    const call = (first as HubPage).call('todo-app__add_todo', { title: 'milk' });
    await page.next('action:request');
    await page.close();
    expect((await call).result.error?.message).toContain('The page has disconnected');
  });

  it('is another page when another site claims its client id', async () => {
    await open({ surfaces: [todoSurface()], clientId: 'tab-1' });
    await open({ surfaces: [todoSurface()], clientId: 'tab-1', origin: 'http://localhost:9999' });
    const list = await untilPages(hasTool(2));
    expect(new Set(list.map(({ id }) => id)).size).toBe(2);
  });

  it('yields to its newer connection, but two that fight are kept apart', async () => {
    const first = await open({ surfaces: [todoSurface()], clientId: 'tab-1' });
    await untilPages(hasTool(1));
    let last = first;
    for (let turn = 0; turn < 3; turn += 1) {
      const closed = once(last.socket, 'close');
      last = await open({ surfaces: [todoSurface()], clientId: 'tab-1' });
      await closed;
      await untilPages(hasTool(1));
    }
    await open({ surfaces: [todoSurface()], clientId: 'tab-1' });
    await untilPages(hasTool(2));
    expect(last.socket.readyState).toBe(WebSocket.OPEN);
    expect(log).toContainEqual(expect.objectContaining({ code: 'OUI1504' }));
  });
});

describe('several pages with the same tool', () => {
  const answersAs = (data: string) => (request: OUIActionRequest, page: FakePage) => page.answer(request, { data });

  it('are one tool with a choice of page, the newest by default', async () => {
    await open({ title: 'First', surfaces: [todoSurface()], onRequest: answersAs('first') });
    const [one] = await untilPages(hasTool(1));
    await open({ title: 'Second', surfaces: [todoSurface()], onRequest: answersAs('second') });
    const list = await untilPages(hasTool(2));
    const two = list.find(({ id }) => id !== one?.id);
    client = await connectClient('v2', hub.mcpUrl);
    const tools = await client.tools();
    expect(tools.filter(({ name }) => name === 'todo-app__add_todo')).toHaveLength(1);
    const { properties, required } = tools[0]?.inputSchema as { properties: object; required: string[] };
    expect(properties).toMatchObject({ oui_page: { enum: [one?.id, two?.id] } });
    expect(required).toEqual(['title']);

    const byDefault = await client.call('todo-app__add_todo', { title: 'milk' });
    expect(byDefault.structuredContent).toMatchObject({ data: 'second', page: two?.id });
    const chosen = await client.call('todo-app__add_todo', { title: 'milk', oui_page: one?.id });
    expect(chosen.structuredContent).toMatchObject({ data: 'first', page: one?.id });
    expect(pages[0]?.received.find(({ type }) => type === 'action:request')?.payload).toMatchObject({
      params: { title: 'milk' },
    });

    await pages[1]?.close();
    await untilPages(hasTool(1));
    const gone = await client.call('todo-app__add_todo', { title: 'milk', oui_page: two?.id });
    expect(gone.isError).toBe(true);
    expect(gone.text).toContain(one?.id ?? 'no id');
    const left = await client.call('todo-app__add_todo', { title: 'milk', oui_page: one?.id });
    expect(left.structuredContent).toMatchObject({ data: 'first' });
  });
});

describe('approval that the page leaves to the agent\'s side', () => {
  it('does not run without a callback, and is asked of it otherwise', async () => {
    const options: FakePageOptions = {
      v1: true,
      surfaces: [todoSurface()],
      onRequest: (request, page) => page.answer(request, { data: 'deleted' }),
    };
    const page = await open(options);
    const [unasked] = await untilPages(hasTool(1));
    const no = await (unasked as HubPage).call('todo-app__delete_todo', { todoId: 't1' });
    expect(no.result.error).toMatchObject({ code: 'APPROVAL_REQUIRED', details: { ran: false } });
    expect(page.received.some(({ type }) => type === 'action:request')).toBe(false);

    await page.close();
    await start({ confirm: ({ actionId, params }) => actionId === 'delete_todo' && 'todoId' in (params as object) });
    await open(options);
    const [asked] = await untilPages(hasTool(1));
    const yes = await (asked as HubPage).call('todo-app__delete_todo', { todoId: 't1' });
    expect(yes.result).toMatchObject({ success: true, data: 'deleted' });
  });
});
