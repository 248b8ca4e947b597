import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { APPENDIX_B } from '../browser/fixtures/appendix-b.js';
import { startChromium } from './fixtures/chromium.js';
import type { Chromium } from './fixtures/chromium.js';
import { approvalDialog, openDemo, shownTitles } from './fixtures/demo-page.js';
import { createEventLog } from './fixtures/event-log.js';
import type { EventLog } from './fixtures/event-log.js';
import { DIST_FOLDER, startFileServer } from './fixtures/file-server.js';
import type { FileServer } from './fixtures/file-server.js';
import { DEMO_FOLDER } from './fixtures/hub-process.js';
import type { OpenPage } from './fixtures/open-page.js';
import type { Frame } from './fixtures/wire-tap.js';

/** The same page, driven by the specification's frames alone: nothing here knows any of our extensions. */

let chromium: Chromium;
let files: FileServer;
let sockets: WebSocketServer;
let context: BrowserContext;
let frames: EventLog<Frame>;
let socket: WebSocket;

beforeAll(async () => {
  chromium = await startChromium();
  files = await startFileServer(DEMO_FOLDER, DIST_FOLDER);
  sockets = new WebSocketServer({ server: files.server, path: '/oui/v1' });
  sockets.on('connection', (accepted) => {
    socket = accepted;
    accepted.on('message', (data: Buffer, isBinary) => {
      expect(isBinary).toBe(false);
      frames.add(JSON.parse(data.toString()) as Frame);
    });
  });
});
afterAll(async () => {
  await chromium?.stop();
  for (const client of sockets?.clients ?? []) client.terminate();
  await files?.stop();
});
beforeEach(async () => {
  frames = createEventLog('frames from the page');
  context = await chromium.browser.newContext();
});
afterEach(() => context.close());

const open = (): Promise<OpenPage> => openDemo(context, `http://127.0.0.1:${files.port}`);

function send(type: string, payload: object): void {
  socket.send(JSON.stringify({ type, payload: { ...payload, timestamp: Date.now() } }));
}

function request(actionId: string, params: object): string {
  const requestId = randomUUID();
  send('action:request', { requestId, surfaceId: 'todo-app', actionId, params });
  return requestId;
}

/** The results of a request so far. */
const resultsOf = (requestId: string): Frame[] =>
  frames.items.filter(({ type, payload }) => type === 'action:result' && payload['requestId'] === requestId);

async function result(requestId: string, interim?: boolean): Promise<Frame['payload']> {
  const { payload } = await frames.find(
    (frame) =>
      frame.type === 'action:result' &&
      frame.payload['requestId'] === requestId &&
      (interim === undefined || frame.payload['interim'] === interim),
  );
  return payload;
}

const isUpdateOf = (observationId: string) => ({ type, payload }: Frame): boolean =>
  type === 'observation:update' && payload['observationId'] === observationId;

/** The code of the error that a request ends with. */
async function failure(requestId: string): Promise<string> {
  const { success, error } = await result(requestId);
  expect(success).toBe(false);
  return (error as { code: string }).code;
}

async function isListed(page: Page, id: string): Promise<boolean> {
  return (await page.locator(`#todos li[data-id="${id}"]`).count()) === 1;
}

describe('a server that speaks only v1', () => {
  it('is told the surface of appendix B and its observations', async () => {
    const { problems } = await open();
    const { payload } = await frames.find(({ type }) => type === 'surface:register');
    expect(payload).toEqual({ surface: APPENDIX_B, timestamp: expect.any(Number) });
    for (const { id } of APPENDIX_B.observations) {
      const update = await frames.find(isUpdateOf(id));
      expect(update.payload).toMatchObject({ surfaceId: 'todo-app', timestamp: expect.any(Number) });
    }
    expect(problems()).toEqual([]);
  });

  it('runs an action: update first, then the one result', async () => {
    const { page, problems } = await open();
    await frames.find(isUpdateOf('stats'));
    const start = frames.items.length;
    const requestId = request('add_todo', { title: 'Sent by hand', priority: 'low' });
    expect(await result(requestId)).toMatchObject({
      success: true,
      data: { created: true, id: 'todo-4' },
      durationMs: expect.any(Number),
      timestamp: expect.any(Number),
    });
    expect(await shownTitles(page)).toContain('Sent by hand');
    const since = frames.items.slice(start);
    const update = since.findIndex(isUpdateOf('todo_list'));
    expect(update).toBeGreaterThanOrEqual(0);
    expect(update).toBeLessThan(since.findIndex(({ type }) => type === 'action:result'));
    expect(resultsOf(requestId)).toHaveLength(1);
    expect(resultsOf(requestId)[0]?.payload).not.toHaveProperty('interim');
    expect(problems()).toEqual([]);
  });

  it('is told every reason why params do not fit', async () => {
    const { problems } = await open();
    const { success, error } = await result(request('add_todo', { title: '', priority: 'urgent', dueDate: 'soon' }));
    expect(success).toBe(false);
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR' });
    const { errors } = (error as { details: { errors: { path: string }[] } }).details;
    expect(errors.map(({ path }) => path).sort()).toEqual(['/dueDate', '/priority', '/title']);
    expect(problems()).toEqual([]);
  });

  it('is told what is wrong with a request that is broken but names itself', async () => {
    const { problems } = await open();
    await frames.find(({ type }) => type === 'surface:register');
    send('action:request', { requestId: 'broken-1', surfaceId: 42, actionId: 'add_todo', params: {} });
    const { success, error } = await result('broken-1');
    expect(success).toBe(false);
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining('/payload/surfaceId') });
    expect(problems()).toEqual([]);
  });

  it('gets two results of an asynchronous action', async () => {
    const { problems } = await open();
    const requestId = request('bulk_complete', { todoIds: ['todo-1', 'todo-2'] });
    expect(await result(requestId, true)).toMatchObject({ success: true, data: { trackingId: requestId } });
    expect(await result(requestId, false)).toMatchObject({ success: true, data: { completed: 2, failed: 0 } });
    expect(resultsOf(requestId).map(({ payload }) => payload['interim'])).toEqual([true, false]);
    expect(problems()).toEqual([]);
  });

  it('is told APPROVAL_REQUIRED, and may ask again once the user has said yes', async () => {
    const { page, problems } = await open();
    const first = await result(request('delete_todo', { todoId: 'todo-2' }));
    expect(first).toMatchObject({
      success: false,
      error: {
        code: 'APPROVAL_REQUIRED',
        details: { argsHash: expect.stringMatching(/^[0-9a-f]{64}$/), expiresAt: expect.any(Number) },
      },
    });
    const dialog = approvalDialog(page);
    await dialog.waitFor();
    // While the user decides the answer is the same, and there is no second dialog.
    expect(await failure(request('delete_todo', { todoId: 'todo-2' }))).toBe('APPROVAL_REQUIRED');
    expect(await dialog.count()).toBe(1);
    expect(await isListed(page, 'todo-2')).toBe(true);

    await dialog.getByRole('button', { name: 'Allow' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await isListed(page, 'todo-2')).toBe(true);
    expect(await result(request('delete_todo', { todoId: 'todo-2' }))).toMatchObject({ success: true });
    expect(await isListed(page, 'todo-2')).toBe(false);
    // The yes is used up: for the same thing again the user is asked again.
    expect(await failure(request('delete_todo', { todoId: 'todo-2' }))).toBe('APPROVAL_REQUIRED');
    await dialog.waitFor();
    expect(problems()).toEqual([]);
  });

  it('is told ACTION_DENIED after a no', async () => {
    const { page, problems } = await open();
    await result(request('delete_todo', { todoId: 'todo-1' }));
    await approvalDialog(page).getByRole('button', { name: 'Deny' }).click();
    await approvalDialog(page).waitFor({ state: 'detached' });
    expect(await failure(request('delete_todo', { todoId: 'todo-1' }))).toBe('ACTION_DENIED');
    expect(await isListed(page, 'todo-1')).toBe(true);
    expect(problems()).toEqual([]);
  });

  it('gets an observation that it asks for', async () => {
    const { problems } = await open();
    await frames.find(isUpdateOf('stats'));
    const start = frames.items.length;
    send('observation:request', { surfaceId: 'todo-app', observationId: 'stats', requestId: randomUUID() });
    const update = await frames.find(isUpdateOf('stats'), start);
    expect(update.payload['value']).toMatchObject({ total: 3, active: 2, completed: 1 });
    expect(problems()).toEqual([]);
  });

  it('sees the surface go and come with the route', async () => {
    const { page, problems } = await open();
    await page.getByRole('link', { name: 'About', exact: true }).click();
    const { payload } = await frames.find(({ type }) => type === 'surface:deregister');
    expect(payload).toMatchObject({ surfaceId: 'todo-app', timestamp: expect.any(Number) });
    expect(await failure(request('add_todo', { title: 'Too late' }))).toBe('SURFACE_UNAVAILABLE');
    const start = frames.items.length;
    await page.getByRole('link', { name: 'Todos', exact: true }).click();
    await frames.find(({ type }) => type === 'surface:register', start);
    expect(problems()).toEqual([]);
  });

  it('is sent nothing of our extensions but the greeting', async () => {
    await open();
    await result(request('add_todo', { title: 'One' }));
    const extensions = frames.items.filter(({ type }) => type.startsWith('x-')).map(({ type }) => type);
    expect(extensions).toEqual(['x-oui:hello']);
  });
});
