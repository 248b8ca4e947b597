import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { answerSlowly } from '../browsers/slow-answers.mjs';
import { percentile } from './statistics.mjs';

const ROUNDS = 3;
const folder = fileURLToPath(new URL('.', import.meta.url));

/**
 * The corpus as one script, and beside it, as its imports say, what it loads when a pattern asks for it.
 *
 * @returns {Promise<Map<string, string>>}
 */
async function bundle() {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, rollupOptions: { input: `${folder}settle-patterns.ts` } },
  });
  const files = /** @type {any} */ (built).output ?? [];
  return new Map(files.map((/** @type {any} */ { fileName, code, source, isEntry }) => [
    isEntry ? '/assets/corpus.js' : `/${fileName}`,
    code ?? source,
  ]));
}

/**
 * How long the answer to each pattern of the settling corpus takes, from the request to the result, with the engine in
 * the page. A time stands only where the answer is right.
 *
 * @param {string} executablePath of a Chromium
 */
export async function settleLatencyTable(executablePath) {
  const files = await bundle();
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').replace(/\?.*/, '');
    if (answerSlowly(path, response)) return;
    if (path === '/') {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><title>Corpus</title><script type="module" src="/assets/corpus.js"></script>');
    } else {
      response.writeHead(files.has(path) ? 200 : 404, { 'content-type': 'text/javascript' });
      response.end(files.get(path));
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.waitForFunction('globalThis.playAll !== undefined');
    /** @type {Map<string, { pattern: string, track: boolean, answered: string, ms: number }[]>} */
    const plays = new Map();
    for (let round = 0; round < ROUNDS; round++) {
      for (const row of /** @type {any[]} */ (await page.evaluate('playAll()'))) {
        const key = `${row.track} ${row.pattern}`;
        plays.set(key, [...(plays.get(key) ?? []), row]);
      }
    }
    const cell = (/** @type {string} */ key) => {
      const rows = plays.get(key) ?? [];
      const answers = [...new Set(rows.map(({ answered }) => answered))].join('/');
      return answers === 'right' ? percentile(rows.map(({ ms }) => ms), 50).toFixed(0) : answers;
    };
    return [...plays.values()].filter(([first]) => !first?.track).map((rows) => {
      const pattern = rows[0]?.pattern ?? '';
      return { pattern, 'by default, ms': cell(`false ${pattern}`), 'with track, ms': cell(`true ${pattern}`) };
    });
  } finally {
    await browser.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
