import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectClient } from '../unit/hub/mcp-clients.js';
import type { McpClient } from '../unit/hub/mcp-clients.js';
import { untilTool } from './fixtures/agent-clients.js';
import { startChromium } from './fixtures/chromium.js';
import type { Chromium } from './fixtures/chromium.js';
import { approvalDialog, openDemo } from './fixtures/demo-page.js';
import { startHub } from './fixtures/hub-process.js';
import type { HubProcess } from './fixtures/hub-process.js';

/** The inspector in the demo: a strict policy, a worker that owns the connection, and an agent at the other end. */

const TABS = ['Surfaces', 'Calls', 'Frames', 'Observations', 'Connection'];

let axe: string;
let chromium: Chromium;
let hub: HubProcess;
let client: McpClient;
let context: BrowserContext | undefined;
beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  [chromium, hub] = await Promise.all([startChromium(), startHub()]);
  client = await connectClient('v2', hub.mcpUrl);
});
afterAll(async () => {
  await client?.close();
  await Promise.all([hub?.stop(), chromium?.stop()]);
});
afterEach(async () => {
  await context?.close();
  context = undefined;
});

async function open() {
  context = await chromium.browser.newContext({ viewport: { width: 1280, height: 800 } });
  const opened = await openDemo(context, hub.url, '/todos?inspect');
  await opened.page.getByRole('tree').waitFor();
  await untilTool(client, 'todo-app__add_todo');
  return opened;
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();

/** The names by which the browser tells a screen reader of all with this role. */
async function computedNames(page: Page, role: string): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  return nodes.filter((node) => node.role?.value === role).map((node) => String(node.name?.value));
}

/** What axe finds in the inspector, in words. `rules`: only these. */
async function axeFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  const found = await page.evaluate(async (only) => {
    const { axe: library } = window as unknown as { axe: { run(context: object, options: object): Promise<AxeResults> } };
    return library.run({ include: ['oui-inspector'] }, only ? { runOnly: only } : {});
  }, rules);
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}

describe('the inspector in the demo', () => {
  it('shows an agent\'s call and its frames across the worker, under a strict policy', async () => {
    const { page, problems } = await open();
    await client.call('todo-app__add_todo', { title: 'Seen from inside' });
    await tab(page, 'Calls');
    const call = page.locator('oui-inspector .row', { hasText: 'Seen from inside' });
    await call.getByRole('button').click();
    await call.getByText('The page was quiet for 250 ms').waitFor();
    await call.getByText('todo-app.todo_list changed').waitFor();
    await tab(page, 'Frames');
    await page.locator('oui-inspector .row', { hasText: 'action:result' }).waitFor();
    const request = page.locator('oui-inspector .row', { hasText: 'action:request' });
    await request.getByRole('button').click();
    expect(await request.locator('pre').textContent()).toContain('"Seen from inside"');
    expect(await computedNames(page, 'tab')).toEqual([
      'Surfaces', 'Calls, 1', expect.stringMatching(/^Frames, \d+$/), 'Observations', 'Connection',
    ]);
    await tab(page, 'Connection');
    await page.getByText('in a worker', { exact: true }).last().waitFor();
    // The dialog draws with the same copy of lit: its policy is there already, and there can be no second one.
    const deleted = client.call('todo-app__delete_todo', { todoId: 'todo-1' });
    await approvalDialog(page).getByRole('button', { name: 'Deny' }).waitFor();
    await page.keyboard.press('Escape');
    await deleted;
    await page.keyboard.press('Escape');
    expect(problems()).toEqual([]);
  });

  it('has nothing that axe finds wrong, light and dark, wide and as narrow as a phone', async () => {
    const { page, problems } = await open();
    const inspector = page.locator('oui-inspector');
    await page.getByRole('treeitem', { name: 'add_todo' }).click();
    await inspector.getByLabel('title').fill('');
    await inspector.getByRole('button', { name: 'Try it' }).click();
    await inspector.locator('[part=error]').waitFor();
    await page.evaluate(axe);
    const found: string[] = [];
    for (const name of TABS) {
      await tab(page, name);
      await page.getByRole('tabpanel', { name }).waitFor();
      if (name === 'Calls' || name === 'Observations') await inspector.locator('.row button').first().click();
      await page.emulateMedia({ colorScheme: 'light' });
      found.push(...await axeFindings(page));
      await page.emulateMedia({ colorScheme: 'dark' });
      found.push(...await axeFindings(page, ['color-contrast']));
    }
    await page.setViewportSize({ width: 390, height: 800 });
    for (const name of TABS) {
      await tab(page, name);
      await page.getByRole('tabpanel', { name }).waitFor();
      // Nothing sticks out at the side.
      const sticksOut = await inspector.evaluate((element) => {
        const content = element.shadowRoot!.querySelector('.content')!;
        return Math.max(content.scrollWidth - content.clientWidth, content.getBoundingClientRect().right - innerWidth);
      });
      expect([name, sticksOut]).toEqual([name, 0]);
    }
    found.push(...await axeFindings(page));
    await inspector.getByRole('button', { name: 'Close the inspector' }).click();
    found.push(...await axeFindings(page));
    expect(found).toEqual([]);
    expect(problems()).toEqual([]);
  });
});
