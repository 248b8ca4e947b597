import { afterAll, beforeAll, describe, it, vi } from 'vitest';
import type { ExpectStatic } from 'vitest';
import type { Page } from 'playwright-core';
import { buildDemos } from '../../demo/frameworks/build.mjs';
import { startChromium } from './fixtures/chromium.js';
import type { Chromium } from './fixtures/chromium.js';
import { serveApp, VARIANTS } from './fixtures/framework-app.js';
import type { FrameworkApp, Variant } from './fixtures/framework-app.js';
import { expectedStory, playNotes } from './fixtures/notes-story.js';
import type { NotesUser } from './fixtures/notes-story.js';
import { openPage } from './fixtures/open-page.js';
import type { OpenPage } from './fixtures/open-page.js';
import { goToAndFro, NO_FLOOD_PROTECTION, weigh } from './fixtures/page-leaks.js';

/** One small application, written for each framework and built by its own tools: the same for an agent everywhere. */

/** Installing and building where nothing is there yet, on a slow machine. */
const BUILD_MS = 600_000;

/** A story takes some eight seconds; several go on at once, and the machine may be busy. */
const STORY_MS = 240_000;

/** A person in front of the page. */
function userOf(page: Page): NotesUser {
  return {
    answer: (button) => page.getByRole('alertdialog').getByRole('button', { name: button, exact: true }).click(),
    async addNote(text) {
      await page.getByLabel('New note').fill(text);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
    },
  };
}

/** Going to and fro so often, a leak of one listener or node each time shows. */
const MOUNTS = 100;
/** For a round: what engines keep of compiled code and the like was seen to come to 500 to 3,600. */
const HEAP_BYTES_A_MOUNT = 8_000;

// Each is a page of its own at work; more at once would only wait for each other.
vi.setConfig({ maxConcurrency: 3 });

let chromium: Chromium;
beforeAll(async () => {
  [chromium] = await Promise.all([startChromium({ flags: [NO_FLOOD_PROTECTION] }), buildDemos()]);
}, BUILD_MS);
afterAll(() => chromium?.stop());

async function opened({ app, way }: Variant): Promise<{ served: FrameworkApp; tab: OpenPage; close(): Promise<void> }> {
  const served = await serveApp(app);
  const context = await chromium.browser.newContext();
  const tab = await openPage(context, `${served.url}?way=${way}`);
  return {
    served,
    tab,
    async close() {
      await context.close();
      await served.stop();
    },
  };
}

describe.concurrent('a page of each framework, for an agent', () => {
  const options = { timeout: STORY_MS };
  it.for(VARIANTS)('$app, $way: adds, is refused, is asked about, runs a job, navigates', options, async (
    variant,
    { expect },
  ) => {
    const { served, tab, close } = await opened(variant);
    try {
      expect(await playNotes(served, userOf(tab.page))).toEqual(expectedStory(variant.app !== 'htmx'));
      await keepsNothing(tab.page, expect);
      expect(tab.problems()).toEqual([]);
    } finally {
      await close();
    }
  });
});

/** Neither listeners, nor nodes, nor memory are left behind by a hundred mounts. */
async function keepsNothing(page: Page, expect: ExpectStatic): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await page.evaluate(goToAndFro, 20);
  const before = await weigh(cdp);
  await page.evaluate(goToAndFro, MOUNTS);
  const kept = async () => {
    const after = await weigh(cdp);
    return {
      listeners: after.listeners - before.listeners >= MOUNTS / 5,
      nodes: after.nodes - before.nodes >= MOUNTS / 2,
      heap: after.heapBytes - before.heapBytes >= MOUNTS * HEAP_BYTES_A_MOUNT,
    };
  };
  // Elements look a second later whether something of theirs is missing, and are held until then.
  await expect.poll(kept, { timeout: 15_000, interval: 500 }).toEqual({ listeners: false, nodes: false, heap: false });
}
