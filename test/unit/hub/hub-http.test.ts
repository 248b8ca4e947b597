import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createHub } from '../../../src/hub/create-hub.js';
import type { Hub } from '../../../src/hub/create-hub.js';
import { PortTakenError } from '../../../src/hub/port-owner.js';
import { openPage, todoSurface } from './fake-page.js';
import { connectClient } from './mcp-clients.js';

// Real sockets on a machine that may be busy with other tests.
vi.setConfig({ testTimeout: 30_000 });

const quiet = { onLog: () => undefined };
let hub: Hub | undefined;
const closers: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  await hub?.close();
  hub = undefined;
  for (const close of closers.splice(0)) await close();
});

interface Asking {
  readonly method?: string;
  readonly headers?: object;
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** A request with exactly the path and headers given: `fetch` would tidy them. */
function ask(base: string, path: string, options: Asking = {}): Promise<Answer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const outgoing = request({
      hostname,
      port,
      path,
      method: options.method ?? 'GET',
      headers: options.headers as Record<string, string>,
    });
    outgoing.on('error', reject);
    outgoing.on('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += String(chunk);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    outgoing.end(options.body);
  });
}

const INITIALIZE = {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  }),
};

describe('/mcp', () => {
  it('refuses any Origin and a foreign Host', async () => {
    hub = await createHub({ port: 0, ...quiet });
    for (const Origin of ['https://evil.example', 'http://localhost:3000', 'null']) {
      const answer = await ask(hub.url, '/mcp', { ...INITIALIZE, headers: { ...INITIALIZE.headers, Origin } });
      expect(answer.status, Origin).toBe(403);
    }
    const rebound = { ...INITIALIZE, headers: { ...INITIALIZE.headers, Host: 'rebound.example' } };
    expect((await ask(hub.url, '/mcp', rebound)).status).toBe(403);
    expect((await ask(hub.url, '/mcp', INITIALIZE)).status).toBe(200);
  });

  it('answers what is no MCP with an error, and goes on', async () => {
    hub = await createHub({ port: 0, ...quiet });
    const { headers } = INITIALIZE;
    expect((await ask(hub.url, '/mcp', { ...INITIALIZE, body: '{"jsonrpc"' })).status).toBe(400);
    expect((await ask(hub.url, '/mcp', { ...INITIALIZE, headers: { 'Content-Type': 'text/plain' } })).status).toBe(415);
    expect((await ask(hub.url, '/mcp', { method: 'PUT', headers, body: '{}' })).status).toBeGreaterThanOrEqual(400);
    expect((await ask(hub.url, '/mcp')).status).toBe(400);
    const huge = { ...INITIALIZE, body: `"${'x'.repeat(5 * 1024 * 1024)}"` };
    expect((await ask(hub.url, '/mcp', huge)).status).toBe(413);
    expect((await ask(hub.url, '/mcp', INITIALIZE)).status).toBe(200);
  });

  it('ends a session on DELETE and does not know it afterwards', async () => {
    hub = await createHub({ port: 0, ...quiet });
    const session = (await ask(hub.url, '/mcp', INITIALIZE)).headers['mcp-session-id'] as string;
    const headers = { ...INITIALIZE.headers, 'Mcp-Session-Id': session };
    const list = { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":2,"method":"tools/list"}' };
    expect((await ask(hub.url, '/mcp', list)).status).toBe(200);
    expect((await ask(hub.url, '/mcp', { method: 'DELETE', headers })).status).toBe(200);
    expect((await ask(hub.url, '/mcp', list)).status).toBe(404);
  });

  it('drops the session that was idle longest when there are too many', async () => {
    hub = await createHub({ port: 0, ...quiet });
    const sessions: string[] = [];
    for (let count = 0; count < 101; count += 1) {
      sessions.push((await ask(hub.url, '/mcp', INITIALIZE)).headers['mcp-session-id'] as string);
    }
    const list = (session: string | undefined) => ({
      method: 'POST',
      headers: { ...INITIALIZE.headers, 'Mcp-Session-Id': session },
      body: '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
    });
    expect((await ask(hub.url, '/mcp', list(sessions[0]))).status).toBe(404);
    expect((await ask(hub.url, '/mcp', list(sessions[100]))).status).toBe(200);
  });
});

describe('static files', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'oui-static-'));
    await mkdir(join(root, 'site', 'sub'), { recursive: true });
    await writeFile(join(root, 'secret.txt'), 'secret');
    await writeFile(join(root, 'site', '.env'), 'secret');
    await writeFile(join(root, 'site', 'index.html'), '<title>home</title>');
    await writeFile(join(root, 'site', 'app.js'), 'export {};');
    await writeFile(join(root, 'site', 'sub', 'a b.css'), 'a{}');
    await symlink(join(root, 'secret.txt'), join(root, 'site', 'link.txt'));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('are served with their types, uncached; routes get index.html', async () => {
    hub = await createHub({ port: 0, ...quiet, static: [{ folder: join(root, 'site') }] });
    expect(await ask(hub.url, '/')).toMatchObject({ status: 200, text: '<title>home</title>' });
    const script = await ask(hub.url, '/app.js?v=1');
    expect(script).toMatchObject({ status: 200, text: 'export {};' });
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
    });
    expect((await ask(hub.url, '/sub/a%20b.css')).headers['content-type']).toContain('text/css');
    expect(await ask(hub.url, '/todos/t1')).toMatchObject({ status: 200, text: '<title>home</title>' });
    expect((await ask(hub.url, '/missing.js')).status).toBe(404);
    expect((await ask(hub.url, '/app.js', { method: 'HEAD' })).text).toBe('');
    expect((await ask(hub.url, '/app.js', { method: 'POST' })).status).toBe(404);
    expect((await ask(hub.url, '/', { headers: { Host: 'rebound.example' } })).status).toBe(403);
  });

  it.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/sub/..%5c..%5csecret.txt',
    '/.env',
    '/link.txt',
    '/%00',
    '/%zz',
    '//secret.txt',
  ])('never leave their folder: %s', async (path) => {
    hub = await createHub({ port: 0, ...quiet, static: [{ folder: join(root, 'site') }] });
    const answer = await ask(hub.url, path);
    expect(answer.text).not.toContain('secret');
  });

  it('must be there', async () => {
    const missing = createHub({ port: 0, ...quiet, static: [{ folder: join(root, 'nowhere') }] });
    await expect(missing).rejects.toThrow(/there is no folder .*nowhere/);
  });

  it('appear below their prefix', async () => {
    hub = await createHub({ port: 0, ...quiet, static: [{ folder: join(root, 'site'), prefix: '/demo/' }] });
    expect((await ask(hub.url, '/demo/app.js')).status).toBe(200);
    expect(await ask(hub.url, '/demo')).toMatchObject({ status: 200, text: '<title>home</title>' });
    expect((await ask(hub.url, '/app.js')).status).toBe(404);
    expect((await ask(hub.url, '/demonstration/app.js')).status).toBe(404);
  });

  it('include the bundles, for pages of any origin', async () => {
    hub = await createHub({ port: 0, ...quiet });
    const answer = await ask(hub.url, '/oui.js', { headers: { Origin: 'http://localhost:3000' } });
    if (answer.status === 200) expect(answer.headers['access-control-allow-origin']).toBe('*');
    else expect(answer.text).toContain('npm run build');
  });
});

describe('a port that is taken', () => {
  it('by another hub: says so, and to use that', async () => {
    hub = await createHub({ port: 0, ...quiet });
    const port = Number(new URL(hub.url).port);
    const failure = await createHub({ port, ...quiet }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PortTakenError);
    expect(failure).toMatchObject({ code: 'EADDRINUSE', port, owner: { kind: 'hub' } });
    expect((failure as Error).message).toMatch(/already running at .*Use that one/);
  });

  it('by another program: says so, and to choose another', async () => {
    const other = createServer((_, response) => response.end('hello'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise((resolve) => other.close(resolve)));
    const failure = await createHub({ port: portOf(other), ...quiet }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ owner: { kind: 'other' } });
    expect((failure as Error).message).toContain('--port');
  });

  it('by something that is no web server', async () => {
    const other = createSocketServer((socket) => socket.on('error', () => undefined).resume().end('garbage\r\n'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise((resolve) => other.close(resolve)));
    const { port } = other.address() as AddressInfo;
    const failure = await createHub({ port, ...quiet }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ owner: { kind: 'other' } });
  });
});

describe('in somebody\'s own server', () => {
  it('answers its own paths and leaves the rest', async () => {
    const server = createServer((incoming, response) => response.end(`theirs: ${incoming.url}`));
    hub = await createHub({ server, ...quiet });
    const unknown = hub;
    expect(() => unknown.url).toThrow(/listen/);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${portOf(server)}`;
    expect(hub.mcpUrl).toBe(`${url}/mcp`);
    expect(await ask(url, '/hello')).toMatchObject({ text: 'theirs: /hello' });
    expect(await ask(url, '/hello', { headers: { Host: 'any.example' } })).toMatchObject({ text: 'theirs: /hello' });
    expect((await ask(url, '/oui/v1')).status).toBe(426);

    const page = await openPage(hub.pageUrl, {
      surfaces: [todoSurface()],
      onRequest: (incoming, on) => on.answer(incoming, { data: 1 }),
    });
    const client = await connectClient('v2', hub.mcpUrl);
    while ((await client.tools()).length === 0) await client.notice('tools');
    expect((await client.call('todo-app__list_todos', {})).structuredContent).toMatchObject({ data: 1 });
    await client.close();
    await page.close();

    await hub.close();
    expect(await ask(url, '/oui/v1')).toMatchObject({ text: 'theirs: /oui/v1' });
    await new Promise((resolve) => server.close(resolve));
  });
});

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
