import { afterAll, beforeAll, expect, it } from 'vitest';
import { AGENTS, uriOf, untilTool, untilTools } from './fixtures/agent-clients.js';
import { startChromium } from './fixtures/chromium.js';
import type { Chromium } from './fixtures/chromium.js';
import { inTime } from './fixtures/deadline.js';
import { listOf, openDemo, shownTitles } from './fixtures/demo-page.js';
import { startHub } from './fixtures/hub-process.js';
import type { HubProcess } from './fixtures/hub-process.js';

/** The demo on a tab behind another one, in a whole Chromium: most pages that an agent works with are there. */

let chromium: Chromium;
let hub: HubProcess;
beforeAll(async () => {
  [chromium, hub] = await Promise.all([startChromium({ whole: true }), startHub()]);
});
afterAll(async () => {
  await hub?.stop();
  await chromium?.stop();
});

it.each(AGENTS)('works on a tab in the background, with the official client $name', async ({ connect }) => {
  const client = await connect(hub.port);
  // In the browser's own profile, where a tab behind another one is hidden indeed.
  const { page, problems } = await openDemo(chromium.tabs, hub.url);
  const other = await chromium.tabs.newPage();
  try {
    await other.bringToFront();
    await page.waitForFunction(() => document.visibilityState === 'hidden', undefined, { polling: 50 });
    await untilTool(client, 'todo-app__add_todo');

    const added = await client.call('todo-app__add_todo', { title: 'Behind your back' });
    expect(listOf(added).map(({ title }) => title)).toContain('Behind your back');
    expect(added.structuredContent['settled']).toBe(true);
    expect(await shownTitles(page)).toContain('Behind your back');
    // A job, too: its timers are the page's own, which has but one tick a second here.
    const outcome = await client.call('todo-app__bulk_complete', { todoIds: ['todo-1'] });
    expect(outcome.structuredContent['data']).toEqual({ completed: 1, failed: 0 });
    expect(listOf(outcome).find(({ id }) => id === 'todo-1')?.completed).toBe(true);

    const uri = await uriOf(client, 'todo-app/stats');
    await client.subscribe(uri);
    client.forget();
    // A change from the page's own side, without bringing it to the front.
    await page.evaluate(() => document.querySelector<HTMLInputElement>('li[data-id="todo-2"] input')?.click());
    expect(await inTime(client.notice('updated'), () => 'resources/updated')).toEqual({ type: 'updated', uri });
    expect(await client.read(uri)).toMatchObject({ total: 4, active: 1, completed: 3 });
    expect(await page.evaluate(() => document.visibilityState)).toBe('hidden');
    expect(problems()).toEqual([]);
  } finally {
    // The next client finds the list as it was: tabs of one profile share what the demo keeps.
    await page.evaluate(() => localStorage.clear());
    await page.close();
    await other.close();
    await untilTools(client, (tools) => tools.length === 0);
    await client.close();
  }
});
