import { afterEach, describe, expect, it, vi } from 'vitest';
import { runCommand } from '../../../src/hub/cli-main.js';
import { createHub } from '../../../src/hub/create-hub.js';
import type { Hub } from '../../../src/hub/create-hub.js';
import type { OUIActionRequest } from '../../../src/protocol/events.js';
import { openPage, todoSurface } from './fake-page.js';
import type { FakePage } from './fake-page.js';
import { freePort } from './free-port.js';
import { connectClient } from './mcp-clients.js';
import { until } from '../../until.js';

// Real sockets on a machine that may be busy with other tests.
vi.setConfig({ testTimeout: 30_000 });

let hub: Hub | undefined;
let page: FakePage | undefined;
afterEach(async () => {
  await page?.close();
  await hub?.close();
  page = hub = undefined;
});

/** Runs a command to its end, in this process. */
async function oui(args: readonly string[], env: Record<string, string> = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const output = { print: (line: string) => void out.push(line), tell: (line: string) => void err.push(line) };
  const code = await runCommand(args, { output, env, stopped: Promise.resolve() });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

async function hubWithPage(onRequest: (request: OUIActionRequest, on: FakePage) => void): Promise<string> {
  hub = await createHub({ port: 0, onLog: () => undefined });
  page = await openPage(hub.pageUrl, { clientId: 'tab-1', surfaces: [todoSurface()], onRequest });
  const client = await connectClient('v2', hub.mcpUrl);
  while ((await client.tools()).length === 0) await client.notice('tools');
  await client.close();
  return new URL(hub.url).port;
}

describe('oui ls, call, read and describe', () => {
  it('say that no hub runs, and how to start one', async () => {
    const port = String(await freePort());
    const ls = await oui(['ls', '--port', port]);
    expect(ls).toMatchObject({ code: 3, out: '' });
    expect(ls.err).toContain(`oui hub --port ${port}`);
  });

  it('list and call', async () => {
    const port = await hubWithPage((request, on) => {
      if (request.actionId === 'delete_todo') {
        const error = { code: 'todo:not_found', message: 'There is no such todo.' };
        return on.answer(request, { success: false, error });
      }
      on.observe('todo-app', 'todo_list', ['milk']);
      on.answer(request, { data: { todoId: 't1', params: request.params } });
    });
    const ls = await oui(['ls', '--port', port]);
    expect(ls.code).toBe(0);
    expect(ls.out).toContain('todo-app__add_todo(title, priority?)  Add a todo');
    expect(ls.out).toMatch(/reads {2}oui:\/\/p[0-9a-f]{8}\/todo-app\/todo_list/);
    const list = await oui(['ls', '--json', '--port', port]);
    const json = JSON.parse(list.out) as { tools: unknown[]; pages: unknown[] };
    expect(json.tools).toHaveLength(5);
    expect(json.pages).toHaveLength(1);

    const call = await oui(['call', 'todo-app__add_todo', 'title=42', '--json'], { OUI_HUB_PORT: port });
    expect(call.code).toBe(0);
    expect(JSON.parse(call.out)).toEqual({
      data: { todoId: 't1', params: { title: '42' } },
      settled: true,
      observations: { 'todo-app': { todo_list: ['milk'] } },
    });
    const words = await oui(['call', 'todo-app__add_todo', '{"title":"milk"}', '--port', port]);
    expect(words.out).toContain('"todoId": "t1"');

    const failed = await oui(['call', 'todo-app__delete_todo', 'todoId=t9', '--port', port]);
    expect(failed).toMatchObject({ code: 1, out: '' });
    expect(failed.err).toContain('todo:not_found: There is no such todo.');
    const invalid = await oui(['call', 'todo-app__add_todo', '--port', port]);
    expect(invalid.code).toBe(1);
    expect(invalid.err).toMatch(/VALIDATION_ERROR.*\n {2}\/title: /);
  });

  it('read and describe', async () => {
    const port = await hubWithPage((request, on) => {
      if (request.surfaceId !== 'oui') return;
      const data = { rows: ['b'], total: 3, offset: 1, more: true, next: 2 };
      const error = { code: 'NOT_FOUND', message: 'There is nothing at "/x".' };
      on.answer(request, (request.params as { path?: string }).path === '/x' ? { success: false, error } : { data });
    });
    page?.observe('todo-app', 'todo_list', ['a', 'b', 'c']);
    const held = () => hub?.pages.pages()[0]?.observation('todo-app', 'todo_list')?.hasValue;
    await until(() => expect(held()).toBe(true));
    const all = await oui(['read', 'todo-app', 'todo_list', '--json', '--port', port]);
    expect(JSON.parse(all.out)).toEqual({ data: { value: ['a', 'b', 'c'] }, settled: true, observations: {} });
    const part = await oui(['read', 'todo-app', 'todo_list', '--offset', '1', '--limit', '1', '--port', port]);
    expect(part).toMatchObject({ code: 0, out: '[\n  "b"\n]', err: 'There is more, 3 in all: --offset 2' });
    const nothing = await oui(['read', 'todo-app', 'todo_list', '--path', '/x', '--port', port]);
    expect(nothing).toMatchObject({ code: 1, out: '', err: 'NOT_FOUND: There is nothing at "/x".' });

    const one = await oui(['describe', 'todo-app', 'add_todo', '--json', '--port', port]);
    const [add] = todoSurface().actions;
    expect(JSON.parse(one.out)).toEqual([{ tool: 'todo-app__add_todo', surface: 'todo-app', definition: add }]);
    const every = await oui(['describe', 'todo-app', '--port', port]);
    expect(every.out).toContain('todo-app__list_todos {');
    const none = await oui(['describe', 'todo-app', 'ad_todo', '--port', port]);
    expect(none.code).toBe(1);
    expect(none.err).toContain('No page has the action "ad_todo" on surface "todo-app"');
  });

  it('gives up when told to, and cancels', async () => {
    const port = await hubWithPage(() => undefined);
    const call = await oui(['call', 'todo-app__add_todo', 'title=x', '--timeout', '0.5', '--port', port]);
    expect(call.code).toBe(1);
    expect(call.err).toContain('longer than 0.5 s');
    await page?.next('x-oui:cancel');
  });

  it('name a mistake in the command line', async () => {
    expect(await oui(['frobnicate'])).toMatchObject({ code: 2 });
    expect(await oui(['call'])).toMatchObject({ code: 2 });
    expect(await oui(['ls', '--nope'])).toMatchObject({ code: 2 });
    expect(await oui(['read', 'todo-app'])).toMatchObject({ code: 2 });
    expect(await oui(['read', 'todo-app', 'todo_list', '--offset', '-1'])).toMatchObject({ code: 2 });
    expect(await oui(['describe'])).toMatchObject({ code: 2 });
    expect(await oui(['--help'])).toMatchObject({ code: 0, err: '' });
    expect(await oui(['hub', '--serve', '/no/such/folder'])).toMatchObject({ code: 2 });
    expect(await oui([])).toMatchObject({ code: 2, out: '' });
    expect((await oui(['--version'])).out.trim()).toMatch(/^\d+\.\d+\.\d+/);
  });
});
