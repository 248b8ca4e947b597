import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OUIActionRequest } from '../../../src/protocol/events.js';
import { createHub } from '../../../src/hub/create-hub.js';
import type { Hub } from '../../../src/hub/create-hub.js';
import { openPage, todoSurface } from './fake-page.js';
import type { FakePage } from './fake-page.js';
import { CLIENT_KINDS, connectClient } from './mcp-clients.js';
import type { McpClient } from './mcp-clients.js';

// Real sockets on a machine that may be busy with other tests.
vi.setConfig({ testTimeout: 30_000 });

let hub: Hub;
let page: FakePage;
let client: McpClient;

beforeEach(async () => {
  hub = await createHub({ port: 0, onLog: () => undefined });
});
afterEach(async () => {
  await client?.close();
  await page?.close();
  await hub.close();
});

/** A page whose adding changes its list, in the way of a real one: updates first, then the result. */
function addsTodo(request: OUIActionRequest, on: FakePage): void {
  if (request.actionId !== 'add_todo') return;
  on.observe('todo-app', 'todo_list', ['milk']);
  on.answer(request, { data: { todoId: 't1' }, durationMs: 3 });
}

/** Waits until the client sees the tool. */
async function whenListed(name: string): Promise<void> {
  while (!(await client.tools()).some((tool) => tool.name === name)) await client.notice('tools');
}

describe.each(CLIENT_KINDS)('the official client %s over HTTP', (kind) => {
  it('lists tools with their schemas as they are, and calls one', async () => {
    client = await connectClient(kind, hub.mcpUrl);
    expect(await client.tools()).toEqual([]);
    page = await openPage(hub.pageUrl, { surfaces: [todoSurface()], onRequest: addsTodo });
    await whenListed('todo-app__list_todos');
    const tools = await client.tools();
    expect(tools.map(({ name }) => name)).toEqual([
      'todo-app__add_todo',
      'todo-app__bulk_complete',
      'todo-app__delete_todo',
      'todo-app__list_todos',
      'oui_read',
    ]);
    expect(tools[0]).toMatchObject({
      title: 'Add a todo',
      inputSchema: todoSurface().actions[0]?.input,
      annotations: { readOnlyHint: false, destructiveHint: false },
    });
    expect(tools[0]).not.toHaveProperty('outputSchema');
    expect(tools[2]?.annotations).toMatchObject({ destructiveHint: true });
    expect(tools[3]?.annotations).toMatchObject({ readOnlyHint: true });

    page.observe('todo-app', 'todo_list', []);
    const held = await client.call('oui_read', { surface: 'todo-app', observation: 'todo_list' });
    expect(held.structuredContent).toEqual({ data: { value: [] }, settled: true, observations: {} });
    const { isError, structuredContent, text } = await client.call('todo-app__add_todo', { title: 'milk' });
    expect(isError ?? false).toBe(false);
    expect(structuredContent).toEqual({
      data: { todoId: 't1' },
      settled: true,
      observations: { 'todo-app': { todo_list: ['milk'] } },
    });
    expect(JSON.parse(text)).toEqual(structuredContent);
    const request = await page.next('action:request');
    expect(request.payload).toMatchObject({ surfaceId: 'todo-app', actionId: 'add_todo', params: { title: 'milk' } });
  });

  it('answers bad arguments with every path, without asking the page', async () => {
    page = await openPage(hub.pageUrl, { surfaces: [todoSurface()] });
    client = await connectClient(kind, hub.mcpUrl);
    await whenListed('todo-app__add_todo');
    const { isError, structuredContent } = await client.call('todo-app__add_todo', { priority: 'urgent', x: 1 });
    expect(isError).toBe(true);
    const { code, details } = structuredContent['error'] as { code: string; details: { errors: { path: string }[] } };
    expect(code).toBe('VALIDATION_ERROR');
    expect(details.errors.map(({ path }) => path).sort()).toEqual(['/priority', '/title', '/x']);
    expect(page.received.some(({ type }) => type === 'action:request')).toBe(false);
  });

  it('passes on a failure with its code and details', async () => {
    const error = { code: 'todo:not_found', message: 'There is no todo "t9".', details: { known: ['t1'] } };
    page = await openPage(hub.pageUrl, {
      surfaces: [todoSurface()],
      onRequest: (request, on) => on.answer(request, { success: false, error }),
    });
    client = await connectClient(kind, hub.mcpUrl);
    await whenListed('todo-app__delete_todo');
    const { isError, structuredContent } = await client.call('todo-app__delete_todo', { todoId: 't9' });
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ error, settled: true });
  });

  it('says what there is when a tool has gone, and that no page is connected', async () => {
    client = await connectClient(kind, hub.mcpUrl);
    const nobody = await client.call('todo-app__add_todo', {});
    expect(nobody.isError).toBe(true);
    expect(nobody.structuredContent['error']).toMatchObject({ code: 'SURFACE_UNAVAILABLE' });
    expect(nobody.text).toContain('No page is connected');
    page = await openPage(hub.pageUrl, { surfaces: [todoSurface()] });
    await whenListed('todo-app__add_todo');
    const unknown = await client.call('todo-app__ad_todo', {});
    expect(unknown.isError).toBe(true);
    expect(unknown.text).toContain('add_todo');
  });

  it('hears of tools that come and go with their surfaces, once for a burst', async () => {
    client = await connectClient(kind, hub.mcpUrl);
    page = await openPage(hub.pageUrl, { surfaces: [todoSurface()] });
    await whenListed('todo-app__add_todo');
    client.forget();
    const more = ['a-one', 'b-two', 'c-three'].map((id) => todoSurface({ id, observations: [] }));
    for (const surface of more) page.register(surface);
    await whenListed('c-three__add_todo');
    page.send('surface:deregister', { surfaceId: 'todo-app', timestamp: Date.now() });
    await client.notice('tools');
    expect((await client.tools()).some(({ name }) => name.startsWith('todo-app'))).toBe(false);
    await page.close();
    await client.notice('tools');
    expect(await client.tools()).toEqual([]);
  });

  it('reports acknowledgment and progress, and returns the outcome', async () => {
    page = await openPage(hub.pageUrl, { surfaces: [todoSurface()] });
    client = await connectClient(kind, hub.mcpUrl);
    await whenListed('todo-app__bulk_complete');
    // One after the other, as in life: a client may drop progress that comes together with the result.
    const waiting: ((message: string) => void)[] = [];
    const onprogress = (message: string) => waiting.shift()?.(message);
    const nextMessage = () => new Promise<string>((resolve) => waiting.push(resolve));
    const accepted = nextMessage();
    const job = client.call('todo-app__bulk_complete', {}, { onprogress });
    const request = (await page.next('action:request')).payload as OUIActionRequest;
    page.answer(request, { interim: true, data: { total: 2 } });
    expect(await accepted).toContain('{"total":2}');
    const running = nextMessage();
    page.observe('todo-app', 'todo-app:bulk_complete:status', {
      requestId: request.requestId,
      status: 'running',
      done: 1,
    });
    expect(await running).toContain('"done":1');
    page.answer(request, { interim: false, data: { completed: 2 } });
    expect((await job).structuredContent).toMatchObject({ data: { completed: 2 }, settled: true });
  });

  it('cancels the call at the page when the client cancels it', async () => {
    page = await openPage(hub.pageUrl, { surfaces: [todoSurface()] });
    client = await connectClient(kind, hub.mcpUrl);
    await whenListed('todo-app__add_todo');
    const controller = new AbortController();
    const call = client.call('todo-app__add_todo', { title: 'milk' }, { signal: controller.signal });
    const refused = expect(call).rejects.toThrow();
    const request = (await page.next('action:request')).payload as OUIActionRequest;
    controller.abort();
    await refused;
    expect((await page.next('x-oui:cancel')).payload).toEqual({ requestId: request.requestId });
  });

  it('has observations as resources: listed, read, pulled and subscribed to', async () => {
    page = await openPage(hub.pageUrl, { surfaces: [todoSurface()], clientId: 'tab-1' });
    client = await connectClient(kind, hub.mcpUrl);
    await whenListed('todo-app__add_todo');
    const resources = await client.resources();
    const uri = resources.find(({ name }) => name === 'todo-app/todo_list')?.uri as string;
    expect(uri).toMatch(/^oui:\/\/p[0-9a-f]{8}\/todo-app\/todo_list$/);
    expect(resources.find((each) => each.uri === uri)).toMatchObject({ mimeType: 'application/json' });
    expect(resources.find((each) => each.uri === uri)?.description).toContain('All todos.');

    await client.subscribe(uri);
    client.forget();
    page.observe('todo-app', 'todo_list', ['bread']);
    expect(await client.notice('updated')).toEqual({ type: 'updated', uri });
    expect(await client.read(uri)).toEqual(['bread']);

    const polling = resources.find(({ name }) => name === 'todo-app/server_time')?.uri as string;
    const reading = client.read(polling);
    const pull = await page.next('observation:request');
    expect(pull.payload).toMatchObject({ surfaceId: 'todo-app', observationId: 'server_time' });
    page.observe('todo-app', 'server_time', 'noon');
    expect(await reading).toBe('noon');

    await expect(client.read('oui://p00000000/todo-app/todo_list')).rejects.toThrow(/No resource/);
    const [described] = (await client.read('oui://hub/pages')) as { id: string; title: string }[];
    expect(described).toMatchObject({ title: 'Todos', id: uri.slice('oui://'.length).split('/')[0] });
  });

  it('keeps a subscription over a reload of the page', async () => {
    page = await openPage(hub.pageUrl, { surfaces: [todoSurface()], clientId: 'tab-1' });
    client = await connectClient(kind, hub.mcpUrl);
    await whenListed('todo-app__add_todo');
    const uri = (await client.resources()).find(({ name }) => name === 'todo-app/todo_list')?.uri as string;
    await client.subscribe(uri);
    await page.close();
    page = await openPage(hub.pageUrl, { surfaces: [todoSurface()], clientId: 'tab-1' });
    await whenListed('todo-app__add_todo');
    expect((await client.resources()).map((each) => each.uri)).toContain(uri);
    client.forget();
    page.observe('todo-app', 'todo_list', ['after']);
    expect(await client.notice('updated')).toEqual({ type: 'updated', uri });
    expect(await client.read(uri)).toEqual(['after']);
  });
});
