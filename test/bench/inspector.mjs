import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { WebSocketServer } from 'ws';
import { createAgentRuntime } from '../../dist/src/entries/agent.js';
import { createAcceptedWebSocketTransport } from '../../dist/src/entries/transport.js';

const ACTIONS = 1_000;
const VALUE_LENGTH = 1_000_000;
const SECONDS = 4;
const TABS = ['surfaces', 'calls', 'frames', 'observations', 'connection'];

const PAGE = `<!doctype html><title>Inspector</title>
  <script type="module">
    import { createSurfaceRuntime, defineSurface } from '/oui.js';

    const actions = Array.from({ length: ${ACTIONS} }, (_, at) => ({
      id: 'act_' + at, description: 'Does one of many things', handler: () => at,
      input: { type: 'object', properties: { title: { type: 'string', maxLength: 99, description: 'What it is about' } } },
    }));
    const runtime = createSurfaceRuntime({ url: location.origin.replace('http', 'ws') + '/oui/v1' });
    const mounted = runtime.mount(defineSurface({
      id: 'busy', name: 'Busy', description: 'Changes with every frame.', actions,
      observations: [{ id: 'large', description: 'A large value', schema: { type: 'object' } }],
    }));
    const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, text: 'x'.repeat(${VALUE_LENGTH / 10_000 - 22}) }));
    globalThis.busy = (tick) => {
      mounted.pushObservation('large', { tick, rows });
      requestAnimationFrame(() => busy(tick + 1));
    };
    const inspector = document.createElement('oui-inspector');
    inspector.runtime = runtime;
    globalThis.show = (tab) => {
      inspector.open = tab !== null;
      if (!inspector.isConnected) document.body.append(inspector);
      requestAnimationFrame(() => setTimeout(() => inspector.shadowRoot.querySelector('#tab-' + tab)?.click(), 100));
    };
  </script>`;

/**
 * What an inspector costs the page's thread (scripts, styles, layout, painting: all of its tasks) beside a page that
 * changes a large value with every frame: closed, and with each of its tabs. An agent is connected.
 *
 * @param {string} executablePath of a Chromium
 */
export async function inspectorTable(executablePath) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (pathname === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
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
    const spent = async () => {
      const { metrics } = await client.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
    };
    await page.evaluate(() => globalThis.busy(0));
    const measure = async () => {
      // What the change of the inspector itself takes is over by then.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const [before, frames] = [await spent(), page.evaluate((ms) => new Promise((resolve) => {
        let count = 0;
        const until = performance.now() + ms;
        const next = () => {
          count += 1;
          if (performance.now() < until) requestAnimationFrame(next);
          else resolve(count);
        };
        requestAnimationFrame(next);
      }), SECONDS * 1000)];
      const count = await frames;
      return { perFrame: ((await spent()) - before) / count, perSecond: count / SECONDS };
    };
    const without = await measure();
    const row = (what, { perFrame, perSecond }) => ({
      'page thread, all tasks': what,
      'ms per frame': perFrame.toFixed(2),
      'frames per second': perSecond.toFixed(0),
      'ratio': (perFrame / without.perFrame).toFixed(2),
    });
    const rows = [row(`${ACTIONS} actions, 1 MB that changes with each frame, no inspector`, without)];
    await page.evaluate(() => globalThis.show(null));
    rows.push(row('the same with a closed inspector', await measure()));
    for (const tab of TABS) {
      await page.evaluate((each) => globalThis.show(each), tab);
      rows.push(row(`open: ${tab}`, await measure()));
      if (tab !== 'observations') continue;
      await page.locator('oui-inspector .row .head').first().click();
      rows.push(row('open: observations, the large one unfolded', await measure()));
    }
    agent.dispose();
    return rows;
  } finally {
    await browser.close();
    for (const socket of sockets.clients) socket.terminate();
    await new Promise((resolve) => server.close(resolve));
  }
}
