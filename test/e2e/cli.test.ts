import { exec } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../child-process.mjs';
import { CLI } from '../unit/hub/built-cli.js';
import { freePort } from '../unit/hub/free-port.js';
import { connectClient } from '../unit/hub/mcp-clients.js';
import type { McpClient } from '../unit/hub/mcp-clients.js';
import { connectAgent, errorOf, untilTool, untilTools } from './fixtures/agent-clients.js';
import { startChromium } from './fixtures/chromium.js';
import type { Chromium } from './fixtures/chromium.js';
import { approvalDialog, openDemo, shownTitles } from './fixtures/demo-page.js';
import { DEMO_FOLDER, PAGES_FOLDER, startHub } from './fixtures/hub-process.js';
import type { HubProcess } from './fixtures/hub-process.js';
import { openLab } from './fixtures/lab-page.js';
import { startNode, startOui, toEnd } from './fixtures/node-process.js';
import type { Ended } from './fixtures/node-process.js';
import { openPage } from './fixtures/open-page.js';

/** The `oui` command with a real page: what it prints, how it ends, and how its processes stand in for each other. */

let chromium: Chromium;
let hub: HubProcess;
let context: BrowserContext;

beforeAll(async () => {
  chromium = await startChromium();
  hub = await startHub();
});
afterAll(async () => {
  await hub?.stop();
  await chromium?.stop();
});
beforeEach(async () => {
  context = await chromium.browser.newContext();
});
afterEach(() => context.close());

/** Runs `oui` to its end; by default with the hub of these tests. */
function oui(args: readonly string[], port = hub.port): Promise<Ended> {
  return toEnd(startOui(args, { OUI_HUB_PORT: String(port) }));
}

describe('with the demo open', () => {
  let client: McpClient;
  beforeAll(async () => {
    client = await connectAgent(hub);
  });
  afterAll(() => client?.close());
  afterEach(async () => {
    await context.close();
    await untilTools(client, (tools) => tools.length === 0);
  });

  it('`oui ls` lists its tools and observations, and `--json` the same for programs', async () => {
    await openDemo(context, hub.url);
    await untilTool(client, 'todo-app__add_todo');
    const text = await oui(['ls']);
    expect(text.code).toBe(0);
    expect(text.out).toContain(`${hub.url}/`);
    expect(text.out).toContain('todo-app__add_todo(title, priority?, dueDate?)');
    expect(text.out).toContain('todo-app__bulk_complete(todoIds)');
    expect(text.out).toMatch(/reads {2}oui:\/\/p[0-9a-f]+\/todo-app\/todo_list/);

    const json = await oui(['ls', '--json']);
    expect(json.code).toBe(0);
    expect(JSON.parse(json.out)).toMatchObject({
      pages: [{ title: 'Todos', mayBeFrozen: false, surfaces: [{ id: 'todo-app' }] }],
      tools: [
        { name: 'todo-app__add_todo' },
        { name: 'todo-app__complete_todo' },
        { name: 'todo-app__delete_todo' },
        { name: 'todo-app__bulk_complete' },
        { name: 'oui_read' },
      ],
      resources: [{ name: 'todo-app/todo_list' }, { name: 'todo-app/active_filter' }, { name: 'todo-app/stats' }],
    });
  });

  it('`oui read` and `oui describe` print a part of a value, and a definition', async () => {
    await openDemo(context, hub.url);
    await untilTool(client, 'todo-app__add_todo');
    const part = await oui(['read', 'todo-app', 'todo_list', '--offset', '1', '--limit', '1']);
    expect(part).toMatchObject({ code: 0, err: expect.stringMatching(/^There is more, \d+ in all: --offset 2\n$/) as string });
    expect(JSON.parse(part.out)).toHaveLength(1);
    const title = await oui(['read', 'todo-app', 'todo_list', '--path', '/0/title', '--json']);
    expect(JSON.parse(title.out)).toMatchObject({ data: { value: expect.any(String) as string } });
    const nothing = await oui(['read', 'todo-app', 'todo_list', '--path', '/0/nothing']);
    expect(nothing).toMatchObject({ code: 1, out: '', err: expect.stringContaining('NOT_FOUND') as string });
    const definition = await oui(['describe', 'todo-app', 'add_todo']);
    expect(definition.out).toContain('todo-app__add_todo {');
  });

  it('`oui call` runs an action: key=value or JSON in, text or JSON out', async () => {
    const { page } = await openDemo(context, hub.url);
    await untilTool(client, 'todo-app__add_todo');
    const text = await oui(['call', 'todo-app__add_todo', 'title=Water the plants', 'priority=high']);
    expect(text).toMatchObject({ code: 0, err: '' });
    expect(text.out).toContain('"created": true');
    expect(text.out).toContain('todo-app/todo_list = ');

    const json = await oui(['call', 'todo-app__bulk_complete', '{"todoIds":["todo-1","todo-4"]}', '--json']);
    expect(json.code).toBe(0);
    expect(JSON.parse(json.out)).toMatchObject({
      data: { completed: 2, failed: 0 },
      observations: { 'todo-app': { stats: { total: 4, completed: 3 } } },
    });
    expect(await shownTitles(page)).toContain('Water the plants');
  });

  it('`oui call` tells what went wrong, and ends with 1', async () => {
    const { page } = await openDemo(context, hub.url);
    await untilTool(client, 'todo-app__add_todo');
    const bad = await oui(['call', 'todo-app__add_todo', 'title=', 'priority=urgent']);
    expect(bad).toMatchObject({ code: 1, out: '' });
    expect(bad.err).toMatch(/^VALIDATION_ERROR: /);
    expect(bad.err).toContain('/title');
    expect(bad.err).toContain('/priority');
    const json = await oui(['call', 'todo-app__nothing', '--json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({ error: { code: 'ACTION_NOT_FOUND' } });

    const denied = startOui(['call', 'todo-app__delete_todo', 'todoId=todo-1'], { OUI_HUB_PORT: String(hub.port) });
    await approvalDialog(page).getByRole('button', { name: 'Deny' }).click();
    const { code, err } = await toEnd(denied);
    expect(code).toBe(1);
    expect(err).toContain('asking its user');
    expect(err).toContain('ACTION_DENIED');
  });
});

describe('without what it needs', () => {
  it('a wrong command line ends with 2 and says where to look', async () => {
    for (const args of [['dance'], ['ls', '--jsno'], ['call'], ['hub', '--allow-origin', 'evil']]) {
      const { code, out, err } = await oui(args);
      expect({ args, code, out }).toEqual({ args, code: 2, out: '' });
      expect(err).not.toBe('');
    }
  });

  it('no hub ends with 3 and says how to start one', async () => {
    const port = await freePort();
    for (const args of [['ls'], ['call', 'todo-app__add_todo', 'title=x']]) {
      expect(await oui(args, port)).toEqual({
        code: 3,
        out: '',
        err: `No hub is running at http://127.0.0.1:${port}. Start one with: oui hub --port ${port}\n`,
      });
    }
  });

  it('a port that a hub has: says so and ends with 1', async () => {
    const { code, out, err } = await oui(['hub'], hub.port);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(new RegExp(`^An OUI hub \\(oui-elements/\\S+\\) is already running at ${hub.url}\\.`));
    expect(err).toContain('--port N');
  });

  it('a port that another program has: says so and ends with 1, `oui mcp` too', async () => {
    const other = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    try {
      for (const command of ['hub', 'mcp']) {
        const { code, out, err } = await oui([command], port);
        expect({ code, out }).toEqual({ code: 1, out: '' });
        expect(err).toContain(`Port ${port} on 127.0.0.1 is in use by another program. Choose another port: --port N`);
      }
      expect(await oui(['ls'], port)).toMatchObject({ code: 3, err: expect.stringContaining('no OUI hub') });
    } finally {
      other.closeAllConnections();
      other.close();
    }
  });
});

it('ends a call when the hub is killed meanwhile, and says what is not known', async () => {
  const killed = await startHub();
  const { page } = await openLab(context, killed.url);
  const call = startOui(['call', 'lab__hold_on', '--port', String(killed.port)]);
  await page.waitForFunction('lab.holding');
  await killed.run.kill();
  const { code, err } = await toEnd(call);
  expect(code).toBe(3);
  expect(err).toContain('went away');
});

describe('`oui mcp`', () => {
  async function startMcp(port: number, args: readonly string[] = []): Promise<McpClient> {
    const all = [CLI, 'mcp', '--port', String(port), ...args];
    const transport = new StdioClientTransport({ command: process.execPath, args: all, stderr: 'ignore' });
    return connectClient('v2', '', transport);
  }

  it('is a hub where there is none, for pages and for the other commands', async () => {
    const port = await freePort();
    const client = await startMcp(port, ['--serve', DEMO_FOLDER]);
    try {
      await openDemo(context, `http://127.0.0.1:${port}`);
      await untilTool(client, 'todo-app__add_todo');
      expect((await client.call('todo-app__add_todo', { title: 'Over stdio' })).isError).toBeFalsy();
      expect(await oui(['call', 'todo-app__complete_todo', 'todoId=todo-4'], port)).toMatchObject({ code: 0 });
    } finally {
      await client.close();
    }
    expect(await oui(['ls'], port)).toMatchObject({ code: 3 });
  });

  it('joins a hub that runs; when that dies it takes its place, and the page comes back to it', async () => {
    const first = await startHub();
    const client = await startMcp(first.port, ['--serve', `${PAGES_FOLDER}:/pages`]);
    try {
      const { page } = await openLab(context, first.url);
      await untilTool(client, 'lab__hold_on');
      const cutOff = client.call('lab__hold_on', {});
      await page.waitForFunction('lab.holding');
      client.forget();
      await first.run.kill();
      // The call is answered honestly: nobody knows here what becomes of it.
      expect(errorOf(await cutOff)).toMatchObject({ code: 'SURFACE_UNAVAILABLE', details: { ran: 'unknown' } });
      await page.evaluate('lab.finish()');

      await untilTool(client, 'lab__count_up');
      const outcome = await client.call('lab__count_up', { by: 2 });
      expect(outcome.structuredContent).toMatchObject({ data: { count: 2 }, observations: { lab: { count: 2 } } });
    } finally {
      await client.close();
      await first.run.kill();
    }
  });
});

it('what `npm start` prints to open, to paste and to try works', async () => {
  const run = startNode([`${DEMO_FOLDER}/start.mjs`, '--port', '0']);
  try {
    await run.until('out', /Ctrl-C/);
    const [address] = /http:\/\/\S+\/todos/.exec(run.out()) ?? [];
    const { page } = await openPage(context, address as string);
    await page.locator('#connection[data-state=connected]').waitFor();

    const [http, command] = [...run.out().matchAll(/^ {4}\{[\s\S]*?^ {4}\}/gm)].map(([json]) => JSON.parse(json)) as [
      { mcpServers: { oui: { url: string } } },
      { mcpServers: { oui: { command: string; args: string[] } } },
    ];
    const overHttp = await connectClient('v2', http.mcpServers.oui.url);
    await untilTool(overHttp, 'todo-app__add_todo');
    await overHttp.close();
    const transport = new StdioClientTransport({ ...command.mcpServers.oui, stderr: 'ignore' });
    const overStdio = await connectClient('v2', '', transport);
    await untilTool(overStdio, 'todo-app__add_todo');
    await overStdio.close();

    const [line] = /^ {4}node .* call .*$/m.exec(run.out()) ?? [];
    await promisify(exec)(line as string, { cwd: ROOT });
    expect(await shownTitles(page)).toContain('Water the plants');
  } finally {
    await run.stop();
  }
});
