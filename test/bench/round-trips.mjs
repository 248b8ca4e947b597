import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { WebSocketServer } from 'ws';
import { createAgentRuntime } from '../../dist/src/entries/agent.js';
import { createAcceptedWebSocketTransport } from '../../dist/src/entries/transport.js';
import { percentile } from './statistics.mjs';

const ROUNDS = 400;
const WARM_UP = 50;
/** An action that waits for quiet takes a quarter of a second by design. */
const QUIET_ROUNDS = 20;

const FILES = {
  '/': ['test/bench/page.html', 'text/html'],
  '/oui.js': ['dist/oui.js', 'text/javascript'],
  '/oui.worker.js': ['dist/oui.worker.js', 'text/javascript'],
  '/oui.attachments.js': ['dist/oui.attachments.js', 'text/javascript'],
  '/oui.dialog.js': ['dist/oui.dialog.js', 'text/javascript'],
  '/oui.engine.js': ['dist/oui.engine.js', 'text/javascript'],
  '/oui.lit.js': ['dist/oui.lit.js', 'text/javascript'],
  '/oui.markup.js': ['dist/oui.markup.js', 'text/javascript'],
};

/**
 * Round trips from the agent's side to a page and back: a raw WebSocket echo by the page's thread, a read, a state
 * change that settles by its own work, and one that waits for quiet. One after the other in each round, so that
 * whatever else the machine does falls on all of them alike.
 *
 * @param {string} executablePath of a Chromium
 * @returns {Promise<{ name: string, times: number[] }[]>} ms of each round
 */
export async function measureRoundTrips(executablePath) {
  const server = createServer(async (request, response) => {
    const file = FILES[new URL(request.url, 'http://localhost').pathname];
    if (!file) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': file[1] });
    response.end(await readFile(fileURLToPath(new URL(`../../${file[0]}`, import.meta.url))));
  });
  const sockets = new WebSocketServer({ server });
  const connected = new Promise((resolve) => {
    const ends = {};
    sockets.on('connection', (socket, request) => {
      if (request.url === '/echo') ends.echo = socket;
      else ends.transport = createAcceptedWebSocketTransport(socket);
      if (ends.echo && ends.transport) resolve(ends);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const { echo, transport } = await connected;
    const agent = createAgentRuntime({ transport, rateLimit: { perSecond: 100_000, burst: 100_000 } });
    await transport.connect();
    await new Promise((resolve) => {
      const look = () => agent.tools().length === 3 && resolve();
      agent.subscribe(look);
      look();
    });
    const engine = await page.evaluate(() => document.documentElement.dataset.engine);
    const measured = [
      { name: 'raw WebSocket echo to the page', run: () => echoOnce(echo), times: [] },
      { name: `read (engine in ${engine})`, run: () => call(agent, 'bench-page__read_value'), times: [] },
      { name: 'state change, settle="sync"', run: () => call(agent, 'bench-page__set_value'), times: [] },
    ];
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      for (const { run, times } of measured) {
        const time = await timed(run);
        if (round >= 0) times.push(time);
      }
    }
    const quiet = { name: 'state change, waits for 250 ms of quiet', times: [] };
    for (let round = 0; round < QUIET_ROUNDS; round++) {
      quiet.times.push(await timed(() => call(agent, 'bench-page__set_quietly')));
    }
    agent.dispose();
    return [...measured, quiet].map(({ name, times }) => ({ name, times }));
  } finally {
    await browser.close();
    for (const socket of sockets.clients) socket.terminate();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function timed(run) {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function echoOnce(socket) {
  return new Promise((resolve) => {
    socket.once('message', resolve);
    socket.send('{"type":"echo","payload":{"requestId":"00000000-0000-4000-8000-000000000000"}}');
  });
}

async function call(agent, tool) {
  const { result } = await agent.call(tool, {});
  if (!result.success || !result.settled) throw new Error(`${tool} was not answered well: ${JSON.stringify(result)}`);
}

/** @param {{ name: string, times: number[] }[]} rows the echo first */
export function roundTripTable(rows) {
  const [echo] = rows;
  return rows.map(({ name, times }) => {
    const [p50, p95] = [percentile(times, 50), percentile(times, 95)];
    return {
      'round trip': name,
      rounds: times.length,
      'p50 ms': p50.toFixed(2),
      'p95 ms': p95.toFixed(2),
      'p50 / echo': (p50 / percentile(echo.times, 50)).toFixed(2),
      'p95 / echo': (p95 / percentile(echo.times, 95)).toFixed(2),
    };
  });
}
