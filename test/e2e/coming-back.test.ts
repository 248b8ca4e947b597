import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { McpClient } from '../unit/hub/mcp-clients.js';
import { connectAgent, untilTool, untilTools } from './fixtures/agent-clients.js';
import { startChromium } from './fixtures/chromium.js';
import type { Chromium } from './fixtures/chromium.js';
import { startHub } from './fixtures/hub-process.js';
import type { HubProcess } from './fixtures/hub-process.js';
import { openPage } from './fixtures/open-page.js';

/** What a page has when it is there again: what its worker kept on the device, and what it was itself running. */

let chromium: Chromium;
let hub: HubProcess;
let client: McpClient;
let page: Page;
let problems: () => string[];

beforeAll(async () => {
  chromium = await startChromium({ whole: true });
  hub = await startHub();
  client = await connectAgent(hub);
});
afterAll(async () => {
  await client?.close();
  await hub?.stop();
  await chromium?.stop();
});
beforeEach(async () => {
  // The profile as a user has it: its back/forward cache too.
  const tabs: BrowserContext = chromium.tabs;
  ({ page, problems } = await openPage(tabs, `${hub.url}/pages/away.html`));
  await untilTool(client, 'away__wait_long');
});
afterEach(async () => {
  expect(problems()).toEqual([]);
  await page.close();
  await untilTools(client, (tools) => tools.length === 0);
});

it('an outcome that is too long for the tab\'s storage comes whole with the next document', async () => {
  const { structuredContent } = await client.call('away__at_length', {});
  expect(structuredContent['data']).toBe('x'.repeat(100_000));
  expect(await page.evaluate('performance.getEntriesByType("navigation")[0].type')).toBe('reload');
});

it('a handler goes on when its user was somewhere else meanwhile', async () => {
  const outcome = client.call('away__wait_long', {});
  await page.waitForFunction('window.end');
  await page.goto(`${hub.url}/pages/elsewhere.html`);
  await page.goBack({ waitUntil: 'commit' });
  await page.evaluate('window.end("still here")');
  expect((await outcome).structuredContent).toMatchObject({ data: 'still here' });
});
