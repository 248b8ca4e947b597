import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDemos } from '../../demo/frameworks/build.mjs';
import { countOf, PAGE_WATCH, problemsOf, startDriven, userOfDriven } from '../e2e/fixtures/driven-page.js';
import type { DrivenBrowser, DrivenEngine, DrivenPage, PageCount } from '../e2e/fixtures/driven-page.js';
import { serveApp, VARIANTS } from '../e2e/fixtures/framework-app.js';
import { expectedStory, playNotes } from '../e2e/fixtures/notes-story.js';
import { goToAndFro } from '../e2e/fixtures/page-leaks.js';

/**
 * The applications of `demo/frameworks` in the engines that `test/e2e/frameworks.test.ts` leaves out: the same story with
 * the same outcome, and nothing that the page can count is left by a hundred mounts.
 */

/** Installing and building where nothing is there yet, on a slow machine. */
const BUILD_MS = 600_000;
const STORY_MS = 240_000;
const MOUNTS = 100;

const ENGINES: readonly DrivenEngine[] = ['firefox', 'webkit'];
const asked = process.env['OUI_ENGINES']?.split(',') ?? ENGINES;

beforeAll(() => buildDemos(), BUILD_MS);

describe.each(ENGINES.filter((engine) => asked.includes(engine)))('in %s', (engine) => {
  let browser: DrivenBrowser;
  beforeAll(async () => {
    browser = await startDriven(engine);
  });
  afterAll(() => browser?.stop());

  it.each(VARIANTS)('$app, $way: adds, is refused, is asked about, runs a job, navigates', async ({ app, way }) => {
    const served = await serveApp(app, PAGE_WATCH);
    const { page } = browser;
    try {
      await page.goTo(`${served.url}?way=${way}`);
      expect(await playNotes(served, userOfDriven(page))).toEqual(expectedStory(app !== 'htmx'));
      await keepsNothing(page);
      expect(await problemsOf(page)).toEqual([]);
    } finally {
      await page.goTo('about:blank');
      await served.stop();
    }
  }, STORY_MS);
});

/** After a hundred mounts the page counts as much of everything as before. */
async function keepsNothing(page: DrivenPage): Promise<void> {
  const goes = (times: number): Promise<unknown> => page.run(`(${goToAndFro.toString()})(${times})`);
  await goes(20);
  const before = await countOf(page);
  await goes(MOUNTS);
  const more = async (): Promise<PageCount> => {
    const after = await countOf(page);
    return {
      listeners: Math.max(0, after.listeners - before.listeners),
      nodes: Math.max(0, after.nodes - before.nodes),
      customElements: Math.max(0, after.customElements - before.customElements),
    };
  };
  await expect.poll(more, { timeout: 15_000, interval: 500 }).toEqual({ listeners: 0, nodes: 0, customElements: 0 });
}
