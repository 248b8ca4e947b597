import { request } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';
import type { BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectAgent, untilTool } from './fixtures/agent-clients.js';
import { startChromium } from './fixtures/chromium.js';
import type { Chromium } from './fixtures/chromium.js';
import { listOf, openDemo } from './fixtures/demo-page.js';
import { DIST_FOLDER, startFileServer } from './fixtures/file-server.js';
import { PAGES_FOLDER, startHub } from './fixtures/hub-process.js';
import type { HubProcess } from './fixtures/hub-process.js';
import { openPage } from './fixtures/open-page.js';

/** A hub that goes away and comes back, and whom it does not let in. */

/** A site that is not this machine's, though the browser finds it here. */
const FOREIGN = 'foreign.example';

let chromium: Chromium;
let context: BrowserContext;
const hubs: HubProcess[] = [];

beforeAll(async () => {
  chromium = await startChromium({ flags: [`--host-resolver-rules=MAP ${FOREIGN} 127.0.0.1`] });
});
afterAll(() => chromium?.stop());
beforeEach(async () => {
  context = await chromium.browser.newContext();
});
afterEach(async () => {
  await context.close();
  for (const hub of hubs.splice(0)) await hub.stop();
});

async function hubAt(port?: number, args: readonly string[] = []): Promise<HubProcess> {
  const hub = await startHub({ args, ...(port === undefined ? {} : { port }) });
  hubs.push(hub);
  return hub;
}

/** What the browser itself writes when nobody answers a WebSocket. */
const isBrowsersOwn = (line: string): boolean => line.startsWith('error: WebSocket connection to');

it('a hub that goes away and comes back: the page registers again', async () => {
  const hub = await hubAt();
  const { page, problems } = await openDemo(context, hub.url);
  const before = await connectAgent(hub);
  await untilTool(before, 'todo-app__add_todo');
  await before.call('todo-app__add_todo', { title: 'Before' });
  await before.close();

  await hub.stop();
  await page.locator('#connection:not([data-state=connected])').waitFor();
  await hubAt(hub.port);
  const after = await connectAgent(hub);
  await untilTool(after, 'todo-app__add_todo');
  const titles = listOf(await after.call('todo-app__add_todo', { title: 'After' })).map(({ title }) => title);
  await after.close();
  expect(titles).toEqual(expect.arrayContaining(['Before', 'After']));
  await page.locator('#connection[data-state=connected]').waitFor();
  expect(problems().filter((line) => !isBrowsersOwn(line))).toEqual([]);
});

it('a page of another origin: refused, with the one flag that lets it in', async () => {
  const hub = await hubAt();
  const files = await startFileServer(PAGES_FOLDER, DIST_FOLDER);
  try {
    const origin = `http://${FOREIGN}:${files.port}`;
    const { problems } = await openPage(context, `${origin}/lab.html?hub=${hub.pageUrl}`);
    await hub.run.until('err', /--allow-origin/);
    expect(hub.run.err()).toContain(`[OUI1501] Refused a page from ${origin}`);
    const [flag, ...values] = /--allow-origin \S+/.exec(hub.run.err())?.[0]?.split(' ') ?? [];
    expect([flag, ...values]).toEqual(['--allow-origin', origin]);
    const client = await connectAgent(hub);
    expect(await client.tools()).toEqual([]);
    await client.close();

    // With that flag the page, which is still open, gets in by itself.
    await hub.stop();
    await hubAt(hub.port, [flag as string, ...values]);
    const second = await connectAgent(hub);
    await untilTool(second, 'lab__count_up');
    expect((await second.call('lab__count_up', { by: 3 })).structuredContent).toMatchObject({ data: { count: 3 } });
    await second.close();
    expect(problems().filter((line) => !isBrowsersOwn(line))).toEqual([]);
  } finally {
    await files.stop();
  }
});

describe('an MCP request', () => {
  /** With headers that `fetch` would not let a program set. */
  function post(hub: HubProcess, headers: OutgoingHttpHeaders): Promise<{ status: number; text: string }> {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    });
    return new Promise((resolve, reject) => {
      const sent = request(
        hub.mcpUrl,
        {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
        },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  it('with an Origin or a foreign Host: refused, and one without is served', async () => {
    const hub = await hubAt();
    for (const origin of ['https://evil.example', hub.url, 'null']) {
      expect(await post(hub, { Origin: origin })).toMatchObject({ status: 403 });
    }
    const rebound = await post(hub, { Host: `${FOREIGN}:${hub.port}` });
    expect(rebound.status).toBe(403);
    expect(rebound.text).toContain(`--allow-host ${FOREIGN}`);
    expect((await post(hub, {})).status).toBe(200);
  });

  it('from a page that reaches the hub by a name of its own: refused, the page too', async () => {
    const hub = await hubAt();
    const page = await context.newPage();
    const response = await page.goto(`http://${FOREIGN}:${hub.port}/todos`);
    expect(response?.status()).toBe(403);
    expect(await page.textContent('body')).toContain(`--allow-host ${FOREIGN}`);
    // From there even the same name does not get through.
    expect(await page.evaluate(async () => (await fetch('/mcp', { method: 'POST', body: '{}' })).status)).toBe(403);
  });
});
