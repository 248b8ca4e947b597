/**
 * `npm run screenshots`: pictures of what people see, in light and dark and on a phone, in `test-results/screenshots`.
 * `npm run screenshots -- docs` takes those whose name begins so. Expects that the build has run.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { chromium } from 'playwright-core';
import { findBrowser } from '../browsers/find.mjs';
import { ROOT } from '../child-process.mjs';
import { SCENES } from './scenes.mjs';

/** @typedef {import('./scenes.mjs').Scene} Scene */

const LOOKS = /** @type {const} */ ([
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 375, height: 812 } },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 375, height: 812 } },
]);

const FOLDER = join(ROOT, 'test-results/screenshots');
const HUB = join(ROOT, 'dist/src/entries/hub.js');
const found = findBrowser('chromium');
if (!existsSync(HUB)) end('The project is not built yet. Run: npm run build');
if (found === undefined) end('There is no Chromium here. Install one, or name it in CHROME_PATH.');

const [start = ''] = process.argv.slice(2);
const scenes = SCENES.filter(({ name }) => name.startsWith(start));
const names = SCENES.map(({ name }) => name).join(', ');
if (scenes.length === 0) end(`No scene begins with "${start}". There are: ${names}`);

const { createHub } = await import(HUB);
const hub = await createHub({
  port: 0,
  static: [
    { folder: join(ROOT, 'demo') },
    { folder: join(ROOT, 'dist/docs'), prefix: '/docs' },
  ],
  onLog: () => {},
});
const agent = new Client({ name: 'screenshots', version: '1.0.0' });
await agent.connect(new StreamableHTTPClientTransport(new URL(hub.mcpUrl)));
const browser = await chromium.launch({ executablePath: found.executable, args: ['--no-sandbox', '--disable-gpu'] });

try {
  if (start === '') rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const look of LOOKS) {
    const { name, ...options } = look;
    const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
    for (const scene of scenes) console.log(await take(context, scene, name));
    await context.close();
  }
} finally {
  await browser.close();
  await agent.close();
  await hub.close();
}

/**
 * @param {import('playwright-core').BrowserContext} context
 * @param {Scene} scene
 * @param {string} look
 * @returns {Promise<string>} what became of it
 */
async function take(context, { name, path, whole = false, prepare }, look) {
  const page = await context.newPage();
  try {
    await page.goto(hub.url + path);
    await prepare?.(page, call);
    const file = `${name}.${look}.png`;
    await page.screenshot({ path: join(FOLDER, file), fullPage: whole });
    return join('test-results/screenshots', file);
  } finally {
    await page.close();
  }
}

/**
 * Calls a tool of the page, as an agent does. Not awaited: the page may ask its user first.
 *
 * @param {string} name
 * @param {Record<string, unknown>} parameters
 */
function call(name, parameters) {
  // The page is closed when its picture is taken, and then the call fails.
  agent.callTool({ name, arguments: parameters }).catch(() => undefined);
}

/** @param {string} message @returns {never} */
function end(message) {
  console.error(message);
  process.exit(1);
}
