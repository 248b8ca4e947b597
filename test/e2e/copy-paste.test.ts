import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { build } from 'vite';
import { program, ROOT } from '../child-process.mjs';
import { freePort } from '../unit/hub/free-port.js';
import { untilTool } from './fixtures/agent-clients.js';
import { PATIENCE_MS } from './fixtures/deadline.js';
import { approvalDialog } from './fixtures/demo-page.js';
import { startFileServer } from './fixtures/file-server.js';
import { useLabRoom } from './fixtures/lab-room.js';
import { startNode, startOui, toEnd } from './fixtures/node-process.js';
import { openPage } from './fixtures/open-page.js';
import { readmeBlock, readmeBlocks } from './fixtures/readme.js';
import { createWorkplace } from './fixtures/workplace.js';
import type { Workplace } from './fixtures/workplace.js';

/** What the README says to copy works when it is copied; only the hub's port is another. */

const room = useLabRoom();
let place: Workplace;

beforeEach(async () => {
  place = await createWorkplace();
});
afterEach(() => place.remove());

const withPort = (code: string): string => code.replaceAll(':7410/', `:${room.hub.port}/`);

it('the page in HTML, from a plain file server, and the commands below it', async () => {
  const html = await readmeBlock('html', '<oui-runtime');
  expect(html.trim().split('\n').length).toBeLessThanOrEqual(25);
  await place.write('counter.html', withPort(html));
  const files = await startFileServer(place.folder);
  try {
    const opened = await openPage(room.context, `http://127.0.0.1:${files.port}/counter.html`);
    await untilTool(room.client, 'counter__add');

    const commands = (await readmeBlock('sh', 'oui-elements ls')).trim().split('\n');
    expect(commands.length).toBeGreaterThanOrEqual(2);
    for (const command of commands) {
      const [npx, name, ...args] = command.split(' ');
      expect([npx, name]).toEqual(['npx', 'oui-elements']);
      const { code, out, err } = await toEnd(startOui(args, { OUI_HUB_PORT: String(room.hub.port) }));
      expect(code, `${command}: ${err}`).toBe(0);
      expect(out).toContain(command.includes(' read ') ? '5' : 'count');
    }
    expect(await opened.page.locator('output').textContent()).toBe('5');
    // The script comes from the hub's origin, so there is no worker: said once.
    expect(opened.problems().filter((line) => !line.startsWith('error: Failed to load resource'))).toEqual([
      expect.stringMatching(/^warning: \[OUI1001\]/),
    ]);
  } finally {
    await files.stop();
  }
});

it('the page of markup alone, whose script knows of no agent', async () => {
  await place.write('guests.html', withPort(await readmeBlock('html', 'from="#list"')));
  const files = await startFileServer(place.folder);
  try {
    await openPage(room.context, `http://127.0.0.1:${files.port}/guests.html`);
    await untilTool(room.client, 'guests__add_guest');
    const { structuredContent } = await room.client.call('guests__add_guest', { name: 'Ada', eats: 'veg' });
    expect(structuredContent).toMatchObject({
      settled: true, observations: { guests: { list: [{ Name: 'Ada', More: '0', Eats: 'veg' }] } },
    });
  } finally {
    await files.stop();
  }
});

it('the page with a plugin in a frame, whose user is asked for it', async () => {
  const [shop, map] = [await startFileServer(place.folder), await startFileServer(place.folder)];
  const withPorts = (code: string): string =>
    withPort(code).replaceAll(':8000', `:${shop.port}`).replaceAll(':8001', `:${map.port}`);
  await place.write('shop.html', withPorts(await readmeBlock('html', '<oui-frame')));
  await place.write('map.html', withPorts(await readmeBlock('html', 'createPostMessageTransport(parent')));
  try {
    const { page } = await openPage(room.context, `http://127.0.0.1:${shop.port}/shop.html`);
    await untilTool(room.client, 'city-map--map__set_mark');
    const call = room.client.call('city-map--map__set_mark', { place: 'Town hall' });
    const dialog = approvalDialog(page);
    await dialog.getByText('City map: Map').waitFor();
    await dialog.getByText('Town hall').waitFor();
    const output = page.frameLocator('oui-frame iframe').locator('output');
    expect(await output.textContent()).toBe('nothing');
    await dialog.getByRole('button', { name: 'Allow' }).click();
    expect((await call).structuredContent).toMatchObject({
      data: { marked: 'Town hall' }, observations: { 'city-map--map': { mark: 'Town hall' } },
    });
    expect(await output.textContent()).toBe('Town hall');
  } finally {
    await Promise.all([shop.stop(), map.stop()]);
  }
});

describe('the page in TypeScript, compiled in strict mode', () => {
  let project: Workplace;
  beforeAll(async () => {
    project = await createWorkplace();
    await project.write('main.ts', withPort(await readmeBlock('ts', 'createSurfaceRuntime')));
    await project.write('package.json', '{ "type": "module" }');
    const compilerOptions = { strict: true, target: 'ES2022', module: 'NodeNext', lib: ['ES2023', 'DOM'], types: [] };
    await project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['main.ts'] }));
    const compiled = await toEnd(startNode([program('typescript/bin/tsc'), '-p', '.'], { cwd: project.folder }));
    expect(compiled).toEqual({ code: 0, out: '', err: '' });
  });
  afterAll(() => project?.remove());

  it('works in a page that a bundler made', async () => {
    const head = '<!doctype html><title>Counter</title><link rel="icon" href="data:,">';
    await project.write('index.html', `${head}<script type="module" src="./main.js"></script>`);
    await build({ root: project.folder, base: './', configFile: false, logLevel: 'warn' });
    const files = await startFileServer(`${project.folder}/dist`);
    try {
      const { problems } = await openPage(room.context, `http://127.0.0.1:${files.port}/index.html`);
      await untilTool(room.client, 'counter__add');
      const outcome = await room.client.call('counter__add', { amount: 2 });
      expect(outcome.structuredContent).toMatchObject({ data: { count: 2 }, observations: { counter: { count: 2 } } });
      expect(problems()).toEqual([]);
    } finally {
      await files.stop();
    }
  });

  it('runs in Node as it is', async () => {
    const page = startNode(['main.js'], { cwd: project.folder });
    try {
      await untilTool(room.client, 'counter__add');
      const outcome = await room.client.call('counter__add', { amount: 3 });
      expect(outcome.structuredContent).toMatchObject({ data: { count: 3 }, observations: { counter: { count: 3 } } });
      expect(page.err()).toBe('');
    } finally {
      await page.stop();
    }
  });
});

it('the hub in a server of one\'s own', async () => {
  const port = await freePort();
  const code = await readmeBlock('js', 'createHub({ server })');
  await place.write('server.mjs', code.replace('8080', String(port)));
  const own = startNode(['server.mjs'], { cwd: place.folder });
  const url = `http://127.0.0.1:${port}`;
  try {
    await expect.poll(() => fetch(url).then((response) => response.text()), { timeout: PATIENCE_MS }).toBe('my application');
    await openPage(room.context, `${room.hub.url}/pages/lab.html?hub=${url.replace('http', 'ws')}/oui/v1`);
    await own.until('out', /p[0-9a-f]{8} .*lab__count_up/s);
  } finally {
    await own.stop();
  }
});

it('the configurations for MCP clients', async () => {
  const configurations = (await readmeBlocks('json')).map((text) => JSON.parse(text) as object);
  expect(configurations.length).toBeGreaterThanOrEqual(3);
  const servers = configurations.flatMap((each) => Object.values(Object.values(each)[0] as object)) as {
    url?: string;
    command?: string;
    args?: string[];
  }[];
  for (const { url, command, args } of servers) {
    if (url !== undefined) expect(withPort(`${url}/`)).toBe(`${room.hub.mcpUrl}/`);
    else expect([command, args?.at(-1)]).toEqual(['npx', 'mcp']);
  }
  const [claude] = (await readmeBlock('sh', 'claude mcp add')).match(/http:\S+/) ?? [];
  expect(claude).toBe('http://127.0.0.1:7410/mcp');
  // Whatever command names this package finds it.
  const { name, bin } = JSON.parse(await readFile(`${ROOT}package.json`, 'utf8')) as { name: string; bin: object };
  expect([name, Object.keys(bin)]).toEqual(['oui-elements', ['oui']]);
});
