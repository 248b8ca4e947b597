import { chromeLauncher } from '@web/test-runner-chrome';
import * as puppeteer from 'puppeteer-core';
import { findBrowser, findChromiumShell } from './find.mjs';
import { howToGet } from './install.mjs';
import { WebKitLauncher } from './webdriver-launcher.mjs';

/** @typedef {import('./find.mjs').Engine} Engine */

/** Quiet and the same everywhere: no sandbox in containers, no GPU, no calls home. */
const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--site-per-process',
  '--enable-features=SplitCacheByNetworkIsolationKey,SplitCacheByIncludeCredentials,IsolateSandboxedIframes',
];

/**
 * web-test-runner's launcher for one engine.
 *
 * @param {Engine} engine
 * @returns {import('@web/test-runner-core').BrowserLauncher}
 * @throws {Error} when the engine is not on this machine; the message says how to get it
 */
export function launcherFor(engine) {
  const browser = engine === 'chromium' ? findChromiumShell() : findBrowser(engine);
  if (browser === undefined) throw new Error(howToGet(engine));
  if (engine === 'webkit') return new WebKitLauncher(browser);
  const { executable: executablePath } = browser;
  const options = engine === 'firefox' ? { browser: 'firefox' } : { args: CHROMIUM_ARGS };
  const launcher = chromeLauncher({
    // Given explicitly: without it the launcher would call Firefox by Chrome's protocol.
    puppeteer: /** @type {any} */ (puppeteer),
    launchOptions: /** @type {any} */ ({ executablePath, ...options }),
    concurrency: 1,
  });
  return Object.assign(launcher, { name: engine === 'firefox' ? 'Firefox' : 'Chromium' });
}
