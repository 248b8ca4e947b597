import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { WebSocketServer } from 'ws';
import { createAgentRuntime } from '../../dist/src/entries/agent.js';
import { createAcceptedWebSocketTransport } from '../../dist/src/entries/transport.js';

/**
 * Opens a page that loads the built bundles and connects to an agent, and closes everything once it was measured.
 *
 * @param {string} executablePath of a Chromium
 * @param {string} html of the page
 * @param {(page: import('playwright-core').Page, spent: (metric: string) => Promise<number>) => Promise<object[]>} run
 *   `spent`: the time that the page's thread has taken so far for what Chromium calls so, ms
 */
export async function measuredPage(executablePath, html, run) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (pathname === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    if (!/^\/oui(\.\w+)?\.js$/.test(pathname)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/javascript' });
    response.end(await readFile(fileURLToPath(new URL(`../../dist${pathname}`, import.meta.url))));
  });
  const sockets = new WebSocketServer({ server });
  const transports = new Promise((resolve) => {
    sockets.once('connection', (socket) => resolve(createAcceptedWebSocketTransport(socket)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const transport = await transports;
    const agent = createAgentRuntime({ transport });
    await transport.connect();
    const client = await page.context().newCDPSession(page);
    await client.send('Performance.enable', { timeDomain: 'threadTicks' });
    const rows = await run(page, async (metric) => {
      const { metrics } = await client.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === metric).value * 1000;
    });
    agent.dispose();
    return rows;
  } finally {
    await browser.close();
    for (const socket of sockets.clients) socket.terminate();
    await new Promise((resolve) => server.close(resolve));
  }
}
