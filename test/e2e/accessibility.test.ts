import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { PAGES } from '../../demo/docs/site-pages.mjs';
import { untilTool } from './fixtures/agent-clients.js';
import { approvalDialog, openDemo } from './fixtures/demo-page.js';
import { useLabRoom } from './fixtures/lab-room.js';

/** What people see, judged by axe in both colour schemes; and what the keyboard reaches. */

const room = useLabRoom();
let axe: string;
beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
});

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

interface Runner {
  run(options: object): Promise<{ readonly violations: readonly Finding[] }>;
}

/** What axe finds on the page as it is; in dark it looks at colours only, since the rest is the same. */
async function findings(page: Page, schemes: readonly ('light' | 'dark')[] = ['light', 'dark']): Promise<string[]> {
  const found: string[] = [];
  // Through the debugger: the pages' policies let no script of ours in.
  await page.evaluate(axe);
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const rules = colorScheme === 'light' ? {} : { runOnly: ['color-contrast'] };
    const violations = await page.evaluate(async (options) => {
      const runner = (globalThis as unknown as { axe: Runner }).axe;
      return (await runner.run({ resultTypes: ['violations'], ...options })).violations;
    }, rules);
    for (const { id, help, nodes } of violations) {
      for (const { target, failureSummary } of nodes) {
        found.push(`${page.url()} (${colorScheme}) ${id}: ${help}; ${target.join(' ')}; ${failureSummary}`);
      }
    }
  }
  return found;
}

/** Pages that between them have every colour of the documentation's. */
const COLOURFUL = new Set(['start', 'comparison']);

it('the documentation, each page; and on a phone nothing is wider than the screen but what scrolls', async () => {
  const page = await room.context.newPage();
  for (const { name } of PAGES) {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${room.hub.url}/docs/${name}.html`);
    const tooWide = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
    expect([name, tooWide]).toEqual([name, 0]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.evaluate(() => {
      // Rows of a long table are alike, and so are the words of code: the first of each are judged.
      const alike = document.querySelectorAll('tbody tr:nth-child(n+8), pre span:nth-child(n+12)');
      for (const each of alike) each.remove();
    });
    expect(await findings(page, COLOURFUL.has(name) ? ['light', 'dark'] : ['light'])).toEqual([]);
  }
  // The first stop of the keyboard leads past the navigation.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
  await page.close();
});

it('the demo, and the question that it asks its user', async () => {
  const { page } = await openDemo(room.context, room.hub.url);
  expect(await findings(page)).toEqual([]);
  await untilTool(room.client, 'todo-app__delete_todo');
  const call = room.client.call('todo-app__delete_todo', { todoId: 'todo-1' });
  await approvalDialog(page).waitFor();
  await page.locator('oui-approval button.allow[aria-disabled=false]').waitFor();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  expect((await call).isError).toBe(true);

  const charts = await openDemo(room.context, room.hub.url, '/studio/dataviz');
  expect(await findings(charts.page)).toEqual([]);
});

it('stopping agents from the question, by the keyboard alone; and windows that the page opens are stopped, too', async () => {
  const { page } = await openDemo(room.context, room.hub.url);
  await untilTool(room.client, 'todo-app__delete_todo');
  const call = room.client.call('todo-app__delete_todo', { todoId: 'todo-1' });
  await page.locator('oui-approval button.allow[aria-disabled=false]').waitFor();
  await page.keyboard.press('Shift+Tab');
  expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.textContent)).toBe('Stop agents');
  await page.keyboard.press('Enter');
  expect((await call).text).toContain('ACTION_DENIED');
  const says = (shown: Page, text: string): Promise<void> => (
    shown.locator('oui-presence .text', { hasText: text }).waitFor());
  await says(page, 'Agents stopped');
  expect(await findings(page)).toEqual([]);

  const opens = async (features: string): Promise<Page> => {
    const [popup] = await Promise.all([
      room.context.waitForEvent('page'),
      page.evaluate((given) => void open('/todos', '_blank', given), features),
    ]);
    return popup;
  };
  const popup = await opens('');
  await says(popup, 'Agents stopped');
  // From here on each has its own word.
  await popup.locator('oui-presence .pause').click();
  await says(popup, 'Agent connected');
  await page.reload();
  await says(page, 'Agents stopped');
  await says(await opens('noopener'), 'Agent connected');
});

it('notices what is wrong', async () => {
  const page = await room.context.newPage();
  await page.setContent('<html lang="en"><title>x</title><main><h1>x</h1><img src="data:,"></main>');
  expect((await findings(page)).join('\n')).toContain('image-alt');
  await page.close();
});
