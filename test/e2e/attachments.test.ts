import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { McpClient } from '../unit/hub/mcp-clients.js';
import { connectAgent, errorOf, untilTool } from './fixtures/agent-clients.js';
import { startChromium } from './fixtures/chromium.js';
import type { Chromium } from './fixtures/chromium.js';
import { startHub } from './fixtures/hub-process.js';
import type { HubProcess } from './fixtures/hub-process.js';
import { startOui, toEnd } from './fixtures/node-process.js';
import { openPage } from './fixtures/open-page.js';
import type { OpenPage } from './fixtures/open-page.js';

/** Files from an agent to a real page: from an MCP client, and from the command line. */

/** Two pixels by one. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR4nGP4zwAE/wEHAAH/4iOeWQAAAABJRU5ErkJggg==',
  'base64',
);

let chromium: Chromium;
let hub: HubProcess;
let client: McpClient;
let opened: OpenPage;
let folder: string;

beforeAll(async () => {
  [chromium, hub, folder] = await Promise.all([startChromium(), startHub(), mkdtemp(join(tmpdir(), 'oui-e2e-'))]);
  await writeFile(join(folder, 'dot.png'), PNG);
  await writeFile(join(folder, 'note.txt'), 'from a file');
  await writeFile(join(folder, 'plain'), PNG);
  client = await connectAgent(hub);
  opened = await openPage(chromium.tabs, `${hub.url}/pages/attachments.html`);
  await untilTool(client, 'scrapbook__paste');
});
afterAll(async () => {
  await client?.close();
  await hub?.stop();
  await chromium?.stop();
  if (folder) await rm(folder, { recursive: true });
});

const shown = () => opened.page.locator('#shown').textContent();
async function handIn(args: Record<string, unknown>): Promise<string> {
  const { structuredContent } = await client.call('oui_attach', args);
  return (structuredContent['data'] as { attachment: string }).attachment;
}

describe('an MCP client', () => {
  it('gives the page a picture and a text, one id for two properties', async () => {
    const picture = await handIn({ name: 'dot.png', mediaType: 'image/png', base64: PNG.toString('base64') });
    const note = await handIn({ name: 'note.txt', mediaType: 'text/plain', text: 'Grüße' });
    const outcome = await client.call('scrapbook__paste', { picture, thumbnail: picture, notes: [note, note] });
    expect(outcome.structuredContent['data']).toEqual({ name: 'dot.png', size: '2x1', notes: ['Grüße', 'Grüße'] });
    expect(await shown()).toBe('dot.png 2x1 Grüße Grüße');
    const worker = await client.call('oui_read', { surface: 'scrapbook', observation: 'engine' });
    expect(worker.structuredContent['data']).toEqual({ value: 'worker' });
  });

  it('is told what is wrong, and the handler does not run', async () => {
    const before = await shown();
    const picture = await handIn({ name: 'dot.png', mediaType: 'image/png', base64: PNG.toString('base64') });
    expect(errorOf(await client.call('scrapbook__paste', { picture, drawing: picture }))).toMatchObject({
      code: 'ATTACHMENT_UNAVAILABLE',
      message: 'drawing: dot.png is image/png, and image/svg+xml is taken',
      details: { ran: false },
    });
    expect(errorOf(await client.call('scrapbook__paste', { picture: 'an-unknown-one' }))).toMatchObject({
      message: expect.stringMatching(/^picture: the agent has no attachment with this id; it may have expired/),
    });
    expect(await shown()).toBe(before);
    expect(opened.problems()).toEqual([]);
  });
});

describe('a form of the page, from markup alone', () => {
  it('gets files into its file inputs, one and several, and has what is optional emptied', async () => {
    const { page, problems } = await openPage(chromium.tabs, `${hub.url}/pages/attachment-form.html`);
    await untilTool(client, 'application__apply');
    const cv = await handIn({ name: 'cv.txt', mediaType: 'text/plain', text: 'Grüße' });
    const first = await handIn({ name: 'one.png', mediaType: 'image/png', base64: PNG.toString('base64') });
    const second = await handIn({ name: 'two.png', mediaType: 'image/png', base64: PNG.toString('base64') });
    const outcome = await client.call('application__apply', { name: 'Ada', cv, photos: [first, second], clear: ['start'] });
    const picture = { type: 'image/png', bytes: PNG.length };
    expect(outcome.structuredContent['data']).toEqual([
      ['name', 'Ada'],
      ['start', ''],
      ['cv', { file: 'cv.txt', type: 'text/plain', bytes: 7, text: 'Grüße' }],
      ['photos', { file: 'one.png', ...picture }],
      ['photos', { file: 'two.png', ...picture }],
    ]);
    expect(outcome.structuredContent['observations']).toMatchObject({
      application: { form: { name: 'Ada', start: '', cv: 'cv.txt', photos: ['one.png', 'two.png'] } },
    });
    // Neither a type that the input does not take, nor a missing file, changes or sends anything.
    expect(errorOf(await client.call('application__apply', { name: 'Eve', cv: first }))).toMatchObject({
      code: 'ATTACHMENT_UNAVAILABLE',
      message: 'cv: one.png is image/png, and text/plain is taken',
    });
    expect(errorOf(await client.call('application__apply', { name: 'Eve' }))).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await page.inputValue('[name=name]')).toBe('Ada');

    // What the user has stopped stays so over a reload, and in the document that the browser kept, until they resume.
    const sign = page.locator('oui-presence');
    await sign.locator('[part=pause]').click();
    await sign.getByText('Agents paused').waitFor();
    await page.reload();
    await untilTool(client, 'application__apply');
    await sign.getByText('Agents paused').waitFor();
    expect(errorOf(await client.call('application__apply', { name: 'Eve', cv }))).toMatchObject({ code: 'ACTION_DENIED' });
    await page.goto(`${hub.url}/pages/away.html`);
    await page.goBack({ waitUntil: 'commit' });
    await untilTool(client, 'application__apply');
    expect(errorOf(await client.call('application__apply', { name: 'Eve', cv }))).toMatchObject({ code: 'ACTION_DENIED' });
    await sign.getByRole('button', { name: 'Resume' }).click();
    await sign.getByText('Agent connected').waitFor();
    expect((await client.call('application__apply', { name: 'Eve', cv })).structuredContent['data']).toContainEqual(['name', 'Eve']);
    expect(problems()).toEqual([]);
    await page.close();
  });
});

describe('`oui call --attach`', () => {
  const call = (...args: string[]) => toEnd(startOui(['call', 'scrapbook__paste', ...args], { OUI_HUB_PORT: String(hub.port) }));
  const at = (name: string): string => join(folder, name);

  it('gives the page files, in a list where it takes one', async () => {
    const ended = await call('--attach', `picture=${at('dot.png')}`, '--attach', `notes=${at('note.txt')}`);
    expect([ended.code, ended.err]).toEqual([0, '']);
    expect(JSON.parse(ended.out)).toEqual({ name: 'dot.png', size: '2x1', notes: ['from a file'] });
    const typed = await call('--attach', `picture=${at('plain')};type=image/png`, '--json');
    expect(JSON.parse(typed.out)).toMatchObject({ data: { name: 'plain', size: '2x1' } });
  });

  it('says what is wrong', async () => {
    const none = await call('--attach', 'picture=./there-is-none.png');
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('there-is-none.png')]);
    const untyped = await call('--attach', `picture=${at('plain')}`);
    expect([untyped.code, untyped.err]).toEqual([1, expect.stringContaining('picture: plain is application/octet-stream')]);
    expect((await call('--attach', 'picture')).code).toBe(2);
  });
});
