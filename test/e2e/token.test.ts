import { afterAll, beforeAll, expect, it } from 'vitest';
import type { McpClient } from '../unit/hub/mcp-clients.js';
import { connectAgent, untilTool } from './fixtures/agent-clients.js';
import { startChromium } from './fixtures/chromium.js';
import type { Chromium } from './fixtures/chromium.js';
import { startHub } from './fixtures/hub-process.js';
import type { HubProcess } from './fixtures/hub-process.js';
import { openPage } from './fixtures/open-page.js';

let chromium: Chromium;
let hub: HubProcess;
let client: McpClient;

beforeAll(async () => {
  chromium = await startChromium();
  hub = await startHub({ args: ['--token', 'mine'] });
  client = await connectAgent(hub);
});
afterAll(async () => {
  await client?.close();
  await hub?.stop();
  await chromium?.stop();
});

it('a page whose token is refused hears why, gives another, and is let in; its worker owns the socket', async () => {
  const context = await chromium.browser.newContext();
  const { page, console } = await openPage(context, `${hub.url}/pages/token.html?token=old&token=mine`);
  await untilTool(client, 'guarded__look_in');
  expect((await client.call('guarded__look_in', {})).structuredContent).toMatchObject({ data: 'inside' });
  expect(await page.evaluate('closings')).toEqual([
    'the connection was closed: the token is not valid here: give another (4401)',
  ]);
  expect(await page.evaluate('document.querySelector("oui-runtime").runtime.engine')).toBe('worker');
  await console.find((line) => /\[OUI1704\] ws:.* refused this page/.test(line));
  expect(console.items.filter((line) => line.includes('mine'))).toEqual([]);
  await hub.run.until('err', /OUI1705.*its token is not valid here/);
  await context.close();
});

it('a page in a sandboxed frame has no origin: refused, told of the way; let in by its token where that is allowed', async () => {
  const context = await chromium.browser.newContext();
  await openPage(context, `${hub.url}/pages/sandboxed.html`);
  await hub.run.until('err', /OUI1501.*"null".*--allow-opaque-origin --token TOKEN/);
  const open = await startHub({ args: ['--token', 'mine', '--allow-opaque-origin'] });
  const agent = await connectAgent(open);
  try {
    await openPage(context, `${open.url}/pages/sandboxed.html`);
    await untilTool(agent, 'guarded__look_in');
    expect((await agent.call('guarded__look_in', {})).structuredContent).toMatchObject({ data: 'inside' });
  } finally {
    await agent.close();
    await open.stop();
    await context.close();
  }
});
