import { join } from 'node:path';
import * as puppeteer from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBrowser } from '../browsers/find.mjs';
import { ROOT } from '../child-process.mjs';
import { startChromium } from './fixtures/chromium.js';
import type { Chromium } from './fixtures/chromium.js';
import { DIST_FOLDER, startFileServer } from './fixtures/file-server.js';
import type { FileServer } from './fixtures/file-server.js';
import { openPage } from './fixtures/open-page.js';

/** The script tag on pages that a browser gives less to. `test/browser/script-tag.test.ts` imitates some in three engines. */

let chromium: Chromium;
let files: FileServer;

beforeAll(async () => {
  chromium = await startChromium({
    whole: true,
    flags: ['--host-resolver-rules=MAP oui.test 127.0.0.1'],
    preferences: { profile: { default_content_setting_values: { cookies: 2 } } },
  });
  files = await startFileServer(join(ROOT, 'test/e2e/pages'), DIST_FOLDER);
});
afterAll(async () => {
  await files?.stop();
  await chromium?.stop();
});

/** One call through the page's runtime, and who answered it. Runs in the page, as a text: it is compiled for tests. */
const CALL = `(async () => {
  const { runtime } = document.querySelector('oui-runtime');
  while (!runtime.snapshot().surfaces.some(({ actions }) => actions.length > 0)) {
    await new Promise(requestAnimationFrame);
  }
  const result = await runtime.execute({ surfaceId: 'lamp', actionId: 'press', params: {} });
  return { success: result.success, heading: runtime.snapshot().observations.lamp.heading, engine: runtime.engine };
})()`;
const ANSWER = { success: true, heading: 'Lamp', engine: 'worker' };

it('works over plain http, where the browser has no locks and no crypto.randomUUID', async () => {
  const { page, problems } = await openPage(chromium.tabs, `http://oui.test:${files.port}/script-tag.html`);
  expect(await page.evaluate('[isSecureContext, typeof navigator.locks]')).toEqual([false, 'undefined']);
  expect(await page.evaluate(CALL)).toEqual(ANSWER);
  expect(problems()).toEqual([]);
});

it('works where the user has forbidden cookies and with them all storage', async () => {
  const { page, problems } = await openPage(chromium.tabs, `http://127.0.0.1:${files.port}/script-tag.html`);
  const forbidden = `['localStorage', 'sessionStorage'].filter((name) => {
    try { return !window[name]; } catch { return true; }
  })`;
  expect(await page.evaluate(forbidden)).toEqual(['localStorage', 'sessionStorage']);
  expect(await page.evaluate(CALL)).toEqual(ANSWER);
  expect(problems()).toEqual([]);
});

it('works in a private window', async () => {
  const context = await chromium.browser.newContext();
  const { page, problems } = await openPage(context, `http://127.0.0.1:${files.port}/script-tag.html`);
  expect(await page.evaluate(CALL)).toEqual(ANSWER);
  expect(problems()).toEqual([]);
  await context.close();
});

for (const firefox of [findBrowser('firefox')].filter((found) => found !== undefined)) {
  it('works in a private window of Firefox', async () => {
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: firefox.executable,
      extraPrefsFirefox: { 'browser.privatebrowsing.autostart': true },
    });
    try {
      const page = await browser.newPage();
      const problems: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'warn' && !message.text().includes('[OUI1305]')) problems.push(message.text());
      });
      await page.goto(`http://127.0.0.1:${files.port}/script-tag.html`);
      expect(await page.evaluate(CALL)).toEqual(ANSWER);
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
  });
}
