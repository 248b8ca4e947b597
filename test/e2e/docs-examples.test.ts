import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../child-process.mjs';
import { untilTool } from './fixtures/agent-clients.js';
import { approvalDialog } from './fixtures/demo-page.js';
import { PATIENCE_MS } from './fixtures/deadline.js';
import { DIST_FOLDER, startFileServer } from './fixtures/file-server.js';
import { useLabRoom } from './fixtures/lab-room.js';
import { startNode, startOui, toEnd } from './fixtures/node-process.js';
import { openPage } from './fixtures/open-page.js';
import type { OpenPage } from './fixtures/open-page.js';
import { createWorkplace } from './fixtures/workplace.js';

/** The examples of the documentation, as its reader opens them. `test/pins/docs.test.ts` sees that none is left out. */

const room = useLabRoom();
const EXAMPLES = join(ROOT, 'demo/docs/examples');

/** Opens an example. What browsers ask for by themselves (an icon) is no problem of its. */
async function open(name: string): Promise<OpenPage> {
  const opened = await openPage(room.context, `${room.hub.url}/docs/examples/${name}`);
  const isProblem = (line: string): boolean => !line.startsWith('error: Failed to load resource');
  const problems = (): string[] => opened.problems().filter(isProblem);
  return { ...opened, problems };
}

it('orders.html and orders.js: defaults are filled in, errors help, and what is final is asked first', async () => {
  const { page, problems } = await open('orders.html');
  await untilTool(room.client, 'orders__cancel_order');
  const found = await room.client.call('orders__find_orders', { text: 'Bread' });
  expect(found.structuredContent['data']).toEqual([
    { number: 'A-2', what: 'Bread and jam' }, { number: 'A-1', what: 'Bread' },
  ]);
  const refused = await room.client.call('orders__find_orders', { limit: 0 });
  expect(refused.structuredContent['error']).toMatchObject({ code: 'VALIDATION_ERROR' });

  const cancelled = room.client.call('orders__cancel_order', { number: 'A-1' });
  await allow(page);
  expect((await cancelled).structuredContent).toMatchObject({
    data: { cancelled: 'A-1' }, observations: { orders: { open: 2 } },
  });
  const again = room.client.call('orders__cancel_order', { number: 'A-1' });
  await allow(page);
  expect((await again).structuredContent['error']).toMatchObject({
    code: 'EXECUTION_ERROR', message: expect.stringContaining('find_orders lists them') as string,
  });
  expect(problems()).toEqual([]);
});

it('strict.html and strict.js: nothing violates the policy', async () => {
  const { problems } = await open('strict.html');
  await untilTool(room.client, 'lamp__press');
  const { structuredContent } = await room.client.call('lamp__press', {});
  expect(structuredContent).toMatchObject({ observations: { lamp: { is_on: true } } });
  // A violation is reported on the console as an error.
  expect(problems()).toEqual([]);
});

it('approval.html and approval.js: the question is asked in German', async () => {
  const { page, problems } = await open('approval.html');
  await untilTool(room.client, 'notes__delete_all');
  const call = room.client.call('notes__delete_all', {});
  const dialog = approvalDialog(page);
  await expect.poll(() => dialog.textContent(), { timeout: PATIENCE_MS }).toContain('Alle Notizen löschen?');
  expect(await dialog.textContent()).toContain('Ein Agent möchte das auf „Notizen“ tun.');
  await allow(page, 'Erlauben');
  expect((await call).isError).not.toBe(true);
  expect(await page.locator('output').textContent()).toBe('0');
  expect(problems()).toEqual([]);
});

it('logo.html and logo.js: a picture is handed in, as the command does it', async () => {
  const { page, problems } = await open('logo.html');
  await untilTool(room.client, 'poster__set_logo');
  const logo = join(ROOT, 'demo/icon.svg');
  const hub = { OUI_HUB_PORT: String(room.hub.port) };
  const { code, out, err } = await toEnd(startOui(['call', 'poster__set_logo', '--attach', `logo=${logo}`], hub));
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('icon.svg');
  expect(await page.locator('img').getAttribute('src')).toMatch(/^blob:/);
  expect(problems()).toEqual([]);
});

it('oui-worker.js and integrity.mjs: a script from elsewhere, with a worker, and only as it was reviewed', async () => {
  const place = await createWorkplace();
  const files = await startFileServer(place.folder);
  try {
    await copyFile(join(EXAMPLES, 'integrity.mjs'), join(place.folder, 'integrity.mjs'));
    const printed = await toEnd(startNode(['integrity.mjs'], { cwd: place.folder }));
    const ofFile = ['integrity.mjs', join(DIST_FOLDER, 'oui.js')];
    expect(await toEnd(startNode(ofFile, { cwd: place.folder }))).toEqual(printed);
    const integrity = printed.out.trim();
    expect(integrity).toMatch(/^sha384-[\w+/]{64}$/);
    const line = await readFile(join(EXAMPLES, 'oui-worker.js'), 'utf8');
    expect(line.trim().split('\n')).toHaveLength(1);
    await place.write('oui-worker.js', line.replace('127.0.0.1:7410', `127.0.0.1:${room.hub.port}`));
    const html = (hash: string): string => `<!doctype html><title>Lamp</title><link rel="icon" href="data:,">
      <script type="module" src="${room.hub.url}/oui.js" integrity="${hash}" crossorigin></script>
      <oui-runtime url="${room.hub.pageUrl}" worker-src="/oui-worker.js"></oui-runtime>
      <oui-surface surface-id="lamp" name="Lamp" description="A lamp.">
        <oui-action action-id="press" description="Press" for="lamp"></oui-action>
      </oui-surface><button id="lamp">On</button>`;
    await place.write('good.html', html(integrity));
    await place.write('bad.html', html(`sha384-${'A'.repeat(64)}`));

    const good = await room.context.newPage();
    const written: string[] = [];
    good.on('console', (message) => written.push(message.text()));
    const started = good.waitForEvent('worker');
    await good.goto(`http://127.0.0.1:${files.port}/good.html`);
    expect(new URL((await started).url()).pathname).toBe('/oui-worker.js');
    await untilTool(room.client, 'lamp__press');
    // Not a word of a worker that could not be had.
    expect(written.filter((text) => text.includes('OUI1001'))).toEqual([]);

    const bad = await openPage(room.context, `http://127.0.0.1:${files.port}/bad.html`);
    await expect.poll(() => bad.problems().join('\n'), { timeout: PATIENCE_MS }).toContain('integrity');
    expect(await bad.page.evaluate(() => customElements.get('oui-runtime') === undefined)).toBe(true);
  } finally {
    await files.stop();
    await place.remove();
  }
});

/** Answers when an answer counts. */
async function allow(page: OpenPage['page'], name = 'Allow'): Promise<void> {
  const button = approvalDialog(page).getByRole('button', { name, exact: true });
  await page.locator('oui-approval button.allow[aria-disabled=false]').waitFor();
  await button.click();
  await approvalDialog(page).waitFor({ state: 'hidden' });
}

it('import-map.html: what the script loads runs only as it was reviewed', async () => {
  const place = await createWorkplace();
  const files = await startFileServer(place.folder, DIST_FOLDER);
  try {
    const hashes = JSON.parse(await readFile(join(DIST_FOLDER, 'integrity.json'), 'utf8')) as { [file: string]: string };
    const example = (await readFile(join(EXAMPLES, 'import-map.html'), 'utf8'))
      .replace('integrity="sha384-…"', `integrity="${hashes['oui.js']}"`)
      .replace(/"\/(.*)": "sha384-…"/g, (_, file: string) => `"/${file}": "${hashes[file]}"`)
      .replace('/oui/v1', room.hub.pageUrl);
    expect(example).not.toContain('…');
    await place.write('good.html', example);
    await place.write('bad.html', example.replace(hashes['oui.markup.js']!, `sha384-${'A'.repeat(64)}`));

    const good = await openPage(room.context, `http://127.0.0.1:${files.port}/good.html`);
    await untilTool(room.client, 'lamp__press');
    expect((await room.client.call('lamp__press', {})).isError).not.toBe(true);
    expect(good.problems().filter((line) => line.includes('OUI'))).toEqual([]);
    const bad = await openPage(room.context, `http://127.0.0.1:${files.port}/bad.html`);
    await bad.console.find((line) => line.includes('[OUI2004]'));
  } finally {
    await files.stop();
    await place.remove();
  }
});
