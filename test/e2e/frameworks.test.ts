import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { buildDemos } from '../../demo/frameworks/build.mjs';
import { startChromium } from './fixtures/chromium.js';
import type { Chromium } from './fixtures/chromium.js';
import { serveApp } from './fixtures/framework-app.js';
import type { AppName, FrameworkApp } from './fixtures/framework-app.js';
import { expectedStory, playNotes } from './fixtures/notes-story.js';
import type { NotesUser } from './fixtures/notes-story.js';
import { openPage } from './fixtures/open-page.js';
import type { OpenPage } from './fixtures/open-page.js';
import { goToAndFro, weigh } from './fixtures/page-leaks.js';

/** One small application, written for each framework and built by its own tools: the same for an agent everywhere. */

/** Installing and building where nothing is there yet, on a slow machine. */
const BUILD_MS = 600_000;

/** A story takes some eight seconds; several go on at once, and the machine may be busy. */
const STORY_MS = 240_000;

interface Variant {
  readonly app: AppName;
  readonly way: 'bindings' | 'elements';
}

const FRAMEWORKS: readonly AppName[] = ['react', 'vue', 'svelte', 'angular'];
const VARIANTS: readonly Variant[] = [
  ...FRAMEWORKS.flatMap((app) => [{ app, way: 'bindings' as const }, { app, way: 'elements' as const }]),
  { app: 'html', way: 'elements' },
  { app: 'htmx', way: 'elements' },
];

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
/** For a round: what engines keep of compiled code and the like comes to a tenth of it. */
const HEAP_BYTES_A_MOUNT = 3_000;

let chromium: Chromium;
beforeAll(async () => {
  [chromium] = await Promise.all([startChromium(), buildDemos()]);
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
  it.each(VARIANTS)('$app, $way: adds, edits, is refused, is asked about, runs a job and navigates', async (variant) => {
    const { served, tab, close } = await opened(variant);
    try {
      expect(await playNotes(served, userOf(tab.page))).toEqual(expectedStory(variant.app !== 'htmx'));
      await keepsNothing(tab.page);
      expect(tab.problems()).toEqual([]);
    } finally {
      await close();
    }
  }, STORY_MS);
});

/** Neither listeners, nor nodes, nor memory are left behind by a hundred mounts. */
async function keepsNothing(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await goToAndFro(page, 20);
  const before = await weigh(cdp);
  await goToAndFro(page, MOUNTS);
  const after = await weigh(cdp);
  expect(after.listeners - before.listeners).toBeLessThan(MOUNTS / 5);
  expect(after.nodes - before.nodes).toBeLessThan(MOUNTS / 2);
  expect(after.heapBytes - before.heapBytes).toBeLessThan(MOUNTS * HEAP_BYTES_A_MOUNT);
}
