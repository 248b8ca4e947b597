import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import * as Vue from 'vue';
import { WebSocketServer } from 'ws';
import { createAgentRuntime } from '../../dist/src/entries/agent.js';
import { createAcceptedWebSocketTransport } from '../../dist/src/entries/transport.js';
import { encodeValue } from '../../dist/src/rules/encode-value.js';
import { percentile } from './statistics.mjs';

/** @param {number} count */
const rows = (count) => Array.from({ length: count }, (_, id) => ({
  id, name: `Row number ${id}`, price: id / 7, tags: ['new', 'sale'], open: id % 2 === 0, note: 'short text',
}));

class Row {
  /** @param {number} id */
  constructor(id) {
    Object.assign(this, { id, name: `Row number ${id}`, price: id / 7, open: id % 2 === 0, note: 'short text' });
  }
}

/** Values of so many rows: what JSON takes as it is, and what it does not. @type {Record<string, (count: number) => unknown>} */
const SHAPES = {
  'plain rows': rows,
  'plain, a text a row': (count) => rows(count).map(({ name }) => name.repeat(20)),
  'plain, one object of many members': (count) => Object.fromEntries(rows(count).map(({ id, price }) => [`row${id}`, price])),
  'instances of a class': (count) => Array.from({ length: count }, (_, id) => new Row(id)),
  'a Map of plain rows': (count) => new Map(rows(count).map((row) => [row.id, row])),
  'rows with a Date each': (count) => rows(count).map((row) => ({ ...row, when: new Date(row.id) })),
  'rows with a Set each': (count) => rows(count).map((row) => ({ ...row, seen: new Set(row.tags) })),
  'rows in a Vue proxy': (count) => Vue.reactive(rows(count)),
};

/** The processor's time of a run in ms, garbage and all; the median of several. @param {() => string | undefined} run */
function time(run) {
  const times = [];
  for (let index = 0; index < 15; index++) {
    const start = process.cpuUsage();
    // Reading a unit puts the text together, as sending it would.
    run()?.charCodeAt(9);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1_000);
  }
  return percentile(times.slice(3), 50);
}

/** The encoder against one `JSON.stringify` of the same value (of the same rows, where that loses what is in them). */
export function encoderTable() {
  return Object.entries(SHAPES).map(([shape, make]) => {
    const measure = (/** @type {number} */ count) => {
      const value = make(count);
      const native = value instanceof Map ? [...value.values()] : value;
      const { text, problems } = encodeValue(value);
      if (text === undefined || problems.length > 0) throw new Error(`${shape}: ${JSON.stringify(problems)}`);
      return {
        bytes: text.length,
        native: time(() => JSON.stringify(native)),
        encode: time(() => encodeValue(value).text),
      };
    };
    // The first run warms the machine up.
    measure(1_000);
    const small = measure(1_000);
    const large = measure(10_000);
    return {
      value: shape,
      MB: (large.bytes / 1024 / 1024).toFixed(1),
      'stringify ms': large.native.toFixed(1),
      'encode / stringify': (large.encode / large.native).toFixed(2),
      'growth over × 10': (large.encode / small.encode).toFixed(1),
    };
  });
}

const CHANGES = 30;
const PAGE = `<!doctype html><title>A large observation</title><script type="module">
  import { createSurfaceRuntime, defineSurface } from '/oui.js';
  const { searchParams } = new URL(location.href);
  const count = Number(searchParams.get('rows'));
  const list = (${rows})(count);
  // How often the page's thread writes all of it.
  const stringify = JSON.stringify;
  globalThis.written = 0;
  JSON.stringify = (...given) => {
    const text = stringify(...given);
    if (text?.length > count * 50) globalThis.written += 1;
    return text;
  };
  const runtime = createSurfaceRuntime({
    url: location.origin.replace('http', 'ws') + '/oui/v1', worker: searchParams.get('worker') === 'true',
  });
  const mounted = runtime.mount(defineSurface({
    id: 'bench-page', name: 'Bench', description: 'Measured',
    actions: [{ id: 'read_it', description: 'Reads', effect: 'view', input: {}, handler: () => list.length }],
    observations: [{ id: 'all_rows', description: 'All rows', schema: { type: 'array', items: { type: 'object', required: ['id'] } } }],
  }));
  mounted.pushObservation('all_rows', list);
  globalThis.change = (index) => {
    list[index % list.length].note = 'changed ' + index;
    mounted.pushObservation('all_rows', list);
  };
  globalThis.ready = true;
</script>`;

/**
 * The time of the page's thread for one change of a large observation, ten changes a second, each sent to an agent and
 * followed by a call: with the engine in a worker, and with all of it on the page.
 *
 * @param {string} executablePath of a Chromium
 */
export async function largeObservationTable(executablePath) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const isPage = path === '/';
    if (!isPage && !/^\/oui\.[a-z.]*js$/.test(path)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': isPage ? 'text/html' : 'text/javascript' });
    response.end(isPage ? PAGE : await readFile(fileURLToPath(new URL(`../../dist${path}`, import.meta.url))));
  });
  const sockets = new WebSocketServer({ server });
  /** @type {(socket: import('ws').WebSocket) => void} */
  let take = () => {};
  sockets.on('connection', (socket) => take(socket));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });

  const measure = async (/** @type {number} */ count, /** @type {boolean} */ worker) => {
    const page = await browser.newPage();
    const arrived = new Promise((resolve) => (take = resolve));
    await page.goto(`http://127.0.0.1:${port}/?rows=${count}&worker=${worker}`);
    const transport = createAcceptedWebSocketTransport(await arrived);
    const agent = createAgentRuntime({ transport });
    await transport.connect();
    const seen = (/** @type {string} */ note) => JSON.stringify(agent.observations()[0]?.value)?.includes(`"${note}"`);
    const until = (/** @type {() => boolean | undefined} */ met) => new Promise((resolve) => {
      const look = () => void (met() && resolve(release()));
      const release = agent.subscribe(look);
      look();
    });
    await until(() => agent.tools().length === 1 && seen('short text'));
    const session = await page.context().newCDPSession(page);
    // The thread's own time: what else the machine does is not counted.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const taken = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1_000;
    };
    const change = async (/** @type {number} */ index) => {
      await page.evaluate(`change(${index})`);
      await until(() => seen(`changed ${index}`));
      await agent.call('bench-page__read_it', {});
    };
    for (let index = 0; index < 5; index++) await change(index);
    const before = await taken();
    const written = Number(await page.evaluate('written'));
    for (let index = 5; index < 5 + CHANGES; index++) {
      const next = new Promise((resolve) => setTimeout(resolve, 100));
      await change(index);
      await next;
    }
    const ms = (await taken() - before) / CHANGES;
    const times = (Number(await page.evaluate('written')) - written) / CHANGES;
    agent.dispose();
    await page.close();
    return { ms, times };
  };

  try {
    // A change must be within what is left of a fitted value: the first rows.
    const table = [];
    for (const worker of [true, false]) {
      const small = await measure(1_000, worker);
      const large = await measure(10_000, worker);
      if (worker && large.times !== 1) throw new Error(`It was written ${large.times} times a change on the page's thread.`);
      table.push({ worker, small, large });
    }
    const whole = table[1]?.large.ms ?? NaN;
    return table.map(({ worker, small, large }) => ({
      engine: worker ? 'in a worker' : 'in the page',
      '0.1 MB, ms of the page\'s thread a change': small.ms.toFixed(1),
      '1 MB, ms': large.ms.toFixed(1),
      'to all on the page': worker ? (large.ms / whole).toFixed(2) : '1',
      reach: worker ? '≤ 0.5' : '',
      'written, times a change': large.times,
      'growth over × 10': (large.ms / small.ms).toFixed(1),
    }));
  } finally {
    await browser.close();
    server.close();
    sockets.close();
    for (const socket of sockets.clients) socket.terminate();
  }
}
