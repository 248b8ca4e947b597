import { mkdtemp, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { McpClient } from '../unit/hub/mcp-clients.js';
import { connectAgent, untilTools } from './fixtures/agent-clients.js';
import { startChromium } from './fixtures/chromium.js';
import type { Chromium } from './fixtures/chromium.js';
import { startHub } from './fixtures/hub-process.js';
import type { HubProcess } from './fixtures/hub-process.js';
import { startNode } from './fixtures/node-process.js';
import { openPage } from './fixtures/open-page.js';

/** Inside of the package, so that what is built there finds it by its name. */
const FOLDER = fileURLToPath(new URL('../../dist/.build/rendered-', import.meta.url));
const PROGRAM = fileURLToPath(new URL('rendered/build.mjs', import.meta.url));

let folder: string | undefined;
let chromium: Chromium;
let hub: HubProcess;
let client: McpClient;

beforeAll(async () => {
  folder = await mkdtemp(FOLDER);
  const { code, err } = await startNode([PROGRAM, folder], { env: { NODE_ENV: 'production' } }).ended;
  expect({ code, err }).toEqual({ code: 0, err: '' });
  chromium = await startChromium();
  hub = await startHub({ args: ['--serve', `${folder}:/rendered`] });
  client = await connectAgent(hub);
});
afterAll(async () => {
  await client?.close();
  await hub?.stop();
  await chromium?.stop();
  if (folder) await rm(folder, { recursive: true });
});

/** Whether the markup of the server is what is shown, with every element in it defined. */
const shown = (page: Page): Promise<unknown> => page.evaluate(() => ({
  kept: document.querySelector('p') === (window as { rendered?: unknown }).rendered,
  undefined: document.querySelectorAll(':not(:defined)').length,
  text: document.querySelector('p')!.textContent,
}));

describe('a page that a server rendered comes alive without a warning, and its elements and bindings answer', () => {
  it.each(
    ['vue', 'svelte', 'react'].flatMap((framework) => ['production', 'development'].map((mode) => [framework, mode])),
  )('%s, built for %s', async (framework, mode) => {
    const context = await chromium.browser.newContext();
    // The paragraph as the server sent it, before any script of the page's.
    await context.addInitScript(() => {
      document.addEventListener('readystatechange', () => {
        (window as { rendered?: unknown }).rendered ??= document.querySelector('p');
      });
    });
    const { page, problems } = await openPage(context, `${hub.url}/rendered/${framework}-${mode}/`);
    await untilTools(client, (tools) => (
      ['rendered__raise', 'bound__look_at'].every((name) => tools.some((tool) => tool.name === name))));
    await client.call('rendered__raise', {});
    expect(((await client.call('bound__look_at', {})).structuredContent as { data?: unknown }).data).toBe(1);
    const { observations } = (await client.call('rendered__raise', {})).structuredContent as { observations: unknown };
    expect(observations).toEqual({ rendered: { count: 2 }, bound: { count: 2 } });
    expect(await shown(page)).toEqual({ kept: true, undefined: 0, text: '2' });
    expect(problems()).toEqual([]);
    await context.close();
    await untilTools(client, (tools) => !tools.some(({ name }) => name === 'rendered__raise'));
  });
});
