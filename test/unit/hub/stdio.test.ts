import { createServer } from 'node:http';
import { once } from 'node:events';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as FirstStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, describe, expect, it } from 'vitest';
import type { OUIActionRequest } from '../../../src/protocol/events.js';
import { CLI, startCli } from './built-cli.js';
import { openPage, todoSurface } from './fake-page.js';
import type { FakePage, FakePageOptions } from './fake-page.js';
import { freePort } from './free-port.js';
import { CLIENT_KINDS, connectClient } from './mcp-clients.js';
import type { ClientKind, McpClient } from './mcp-clients.js';

/** Starting processes takes its time on a busy machine. */
const PROCESS_MS = 60_000;
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface StdioClient extends McpClient {
  readonly pid: number;
}

async function connectStdio(kind: ClientKind, port: number): Promise<StdioClient> {
  const Transport = kind === 'v1' ? FirstStdio : StdioClientTransport;
  const transport = new Transport({
    command: process.execPath,
    args: [CLI, 'mcp', '--port', String(port)],
    stderr: 'ignore',
  });
  const client = await connectClient(kind, '', transport);
  closers.push(() => client.close());
  return { ...client, pid: transport.pid as number };
}

async function open(port: number, options: FakePageOptions): Promise<FakePage> {
  const page = await openPage(`ws://127.0.0.1:${port}/oui/v1`, options);
  closers.push(() => page.close());
  return page;
}

async function whenListed(client: McpClient, name: string): Promise<void> {
  while (!(await client.tools()).some((tool) => tool.name === name)) await client.notice('tools');
}

async function uriOf(client: McpClient, name: string): Promise<string> {
  return (await client.resources()).find((resource) => resource.name === name)?.uri as string;
}

/** The page's next request for an action; those for others are passed over. */
async function requestFor(page: FakePage, actionId: string): Promise<OUIActionRequest> {
  for (;;) {
    const { payload } = await page.next('action:request');
    if ((payload as OUIActionRequest).actionId === actionId) return payload as OUIActionRequest;
  }
}

describe.each(CLIENT_KINDS)('the official client %s over stdio', (kind) => {
  it('has a hub of its own where there is none, and everything passes through', { timeout: PROCESS_MS }, async () => {
    const port = await freePort();
    const client = await connectStdio(kind, port);
    expect(await client.tools()).toEqual([]);
    const page = await open(port, {
      clientId: 'tab-1',
      surfaces: [todoSurface()],
      onRequest(request, on) {
        if (request.actionId === 'bulk_complete') on.answer(request, { interim: true, data: { total: 2 } });
        if (request.actionId === 'list_todos') on.answer(request, { data: ['milk'] });
      },
    });
    await whenListed(client, 'todo-app__list_todos');
    expect((await client.call('todo-app__list_todos', {})).structuredContent).toMatchObject({ data: ['milk'] });

    const invalid = await client.call('todo-app__add_todo', {});
    expect(invalid).toMatchObject({ isError: true, structuredContent: { error: { code: 'VALIDATION_ERROR' } } });

    let job: Promise<unknown> = Promise.resolve();
    const progress = await new Promise<string>((resolve) => {
      job = client.call('todo-app__bulk_complete', {}, { onprogress: resolve });
    });
    expect(progress).toContain('"total":2');
    page.answer(await requestFor(page, 'bulk_complete'), { interim: false, data: { completed: 2 } });
    expect(await job).toMatchObject({ structuredContent: { data: { completed: 2 } } });

    const controller = new AbortController();
    const cancelled = client.call('todo-app__add_todo', { title: 'x' }, { signal: controller.signal });
    const refused = expect(cancelled).rejects.toThrow();
    await requestFor(page, 'add_todo');
    controller.abort();
    await refused;
    await page.next('x-oui:cancel');

    const uri = await uriOf(client, 'todo-app/todo_list');
    await client.subscribe(uri);
    client.forget();
    // The subscription travels to the hub on its own: the page speaks until it is heard.
    const heard = client.notice('updated');
    let count = 0;
    const speaking = setInterval(() => page.observe('todo-app', 'todo_list', [(count += 1)]), 100);
    expect(await heard).toEqual({ type: 'updated', uri });
    clearInterval(speaking);
    expect(await client.read(uri)).toEqual([expect.any(Number)]);
    await expect(client.read('oui://p00000000/a/b')).rejects.toThrow(/No resource/);
  });
});

describe('the hub behind oui mcp', () => {
  it('is joined where one runs, and followed by another when it goes', { timeout: PROCESS_MS }, async () => {
    const port = await freePort();
    const hub = startCli(['hub', '--port', String(port)]);
    closers.push(() => Promise.resolve(hub.child.kill('SIGKILL')));
    await hub.until('out', /Ctrl-C/);
    const options: FakePageOptions = { clientId: 'tab-1', surfaces: [todoSurface()] };
    const page = await open(port, options);
    const client = await connectStdio('v2', port);
    await whenListed(client, 'todo-app__add_todo');
    const uri = await uriOf(client, 'todo-app/todo_list');
    await client.subscribe(uri);

    const cutOff = client.call('todo-app__add_todo', { title: 'milk' });
    await page.next('action:request');
    client.forget();
    hub.child.kill('SIGKILL');
    const { isError, structuredContent } = await cutOff;
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ error: { details: { ran: 'unknown' } } });

    // The tools of the old hub are gone, and the client is told.
    await client.notice('tools');
    expect(await client.tools()).toEqual([]);
    const back = await open(port, {
      ...options,
      onRequest: (request, on) => on.answer(request, { data: 'by the new hub' }),
    });
    await whenListed(client, 'todo-app__add_todo');
    expect(await uriOf(client, 'todo-app/todo_list')).toBe(uri);
    client.forget();
    back.observe('todo-app', 'todo_list', ['again']);
    expect(await client.notice('updated')).toEqual({ type: 'updated', uri });
    const result = await client.call('todo-app__add_todo', { title: 'milk' });
    expect(result.structuredContent).toMatchObject({ data: 'by the new hub' });
  });

  it('passes from one oui mcp to the next when it is killed', { timeout: PROCESS_MS }, async () => {
    const port = await freePort();
    const first = await connectStdio('v1', port);
    await first.tools();
    const second = await connectStdio('v2', port);
    const page = await open(port, { surfaces: [todoSurface()] });
    await whenListed(first, 'todo-app__add_todo');
    await whenListed(second, 'todo-app__add_todo');
    second.forget();
    const closed = once(page.socket, 'close');
    process.kill(first.pid, 'SIGKILL');
    await closed;
    await second.notice('tools');
    expect(await second.tools()).toEqual([]);
    await open(port, { surfaces: [todoSurface()] });
    await whenListed(second, 'todo-app__add_todo');
  });

  it('writes JSON-RPC alone to stdout, and ends with its input', { timeout: PROCESS_MS }, async () => {
    const port = await freePort();
    const run = startCli(['mcp', '--port', String(port)]);
    const request = (id: number, method: string, params: object) =>
      run.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    run.child.stdin.write('this is not JSON\n');
    request(1, 'initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'by hand', version: '1' },
    });
    run.child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    request(2, 'tools/list', {});
    await run.until('out', /"id":2/);
    const page = await open(port, { origin: 'http://localhost', surfaces: [todoSurface()] });
    await run.until('out', /list_changed/);
    await page.close();
    run.child.stdin.end();
    expect(await run.ended).toBe(0);
    for (const line of run.out().trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    expect(run.err()).toContain(`http://127.0.0.1:${port}`);
    await expect(fetch(`http://127.0.0.1:${port}/oui/v1`)).rejects.toThrow();
  });

  it('says whose the port is when it can neither join nor be one', { timeout: PROCESS_MS }, async () => {
    const other = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    closers.push(() => new Promise((resolve) => other.close(resolve)));
    const { port } = other.address() as { port: number };
    const run = startCli(['mcp', '--port', String(port)]);
    expect(await run.ended).toBe(1);
    expect(run.err()).toContain(`Port ${port} on 127.0.0.1 is in use by another program`);
    expect(run.out()).toBe('');
  });
});
