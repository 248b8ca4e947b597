import type { Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { untilTool } from './fixtures/agent-clients.js';
import { captureWorkers, killWorker } from './fixtures/captured-workers.js';
import { listOf, openDemo } from './fixtures/demo-page.js';
import { createEventLog } from './fixtures/event-log.js';
import { openLab } from './fixtures/lab-page.js';
import { useLabRoom } from './fixtures/lab-room.js';
import { startWireTap } from './fixtures/wire-tap.js';

/** The worker that runs the engine is missing, blocked, silent or dead; or it is all that can answer. */

const room = useLabRoom();

async function expectItGoesOn(): Promise<void> {
  expect((await room.client.call('lab__count_up', { by: 1 })).isError).toBeFalsy();
}

it('killed during a call: the outcome of the handler still arrives', async () => {
  await captureWorkers(room.context);
  const { page, console, problems } = await openLab(room.context, room.hub.url);
  await untilTool(room.client, 'lab__hold_on');
  const outcome = room.client.call('lab__hold_on', {});
  await page.waitForFunction('lab.holding');
  await killWorker(page);
  await console.find((line) => line.includes('OUI1002'));
  await page.evaluate('lab.finish("survived")');
  const { isError, structuredContent } = await outcome;
  expect(structuredContent).toMatchObject({ data: 'survived' });
  expect(isError).toBeFalsy();
  // Another worker has taken over, and the handler ran once.
  expect(await page.evaluate('workers.length')).toBe(2);
  await untilTool(room.client, 'lab__count_up');
  await expectItGoesOn();
  expect(problems()).toEqual([expect.stringMatching(/^warning: \[OUI1002\]/)]);
});

const MISSING = [
  { what: 'missing', answer: { status: 404, body: 'Not found' } },
  { what: 'another script, which never says that it is ready', answer: { contentType: 'text/javascript', body: ';' } },
];

it.each(MISSING)('$what: the engine runs in the page, with one warning', async ({ answer }) => {
  await room.context.route('**/oui.worker.js', (route) => route.fulfill(answer));
  await expectToWorkInPage(room.hub.url);
});

it('forbidden by the policy of the page: the engine runs in the page, with one warning', async () => {
  const tap = await startWireTap(room.hub.url, { 'Content-Security-Policy': 'worker-src \'none\'' });
  try {
    await expectToWorkInPage(tap.url);
  } finally {
    await tap.stop();
  }
});

async function expectToWorkInPage(url: string): Promise<void> {
  const { page, console, problems } = await openDemo(room.context, url);
  await untilTool(room.client, 'todo-app__add_todo');
  await console.find((line) => line.includes('[OUI1001]'));
  expect(await page.locator('#fact-engine').textContent()).toBe('in the page');
  const outcome = await room.client.call('todo-app__add_todo', { title: 'Without a worker' });
  expect(listOf(outcome).map(({ title }) => title)).toContain('Without a worker');
  // What the browser itself says about the script is not ours to prevent.
  const ours = problems().filter((line) => !/Failed to load resource|Content Security Policy/.test(line));
  expect(ours).toEqual([expect.stringMatching(/^warning: \[OUI1001\]/)]);
}

it('answers bad params while the thread of the page is busy', async () => {
  const tap = await startWireTap(room.hub.url);
  try {
    // The page's thread is busy for three seconds, and then for as long as this request is not answered.
    const held = createEventLog<Route>('requests that hold the page');
    await room.context.route('**/held', (route) => held.add(route));
    const { console, problems } = await openLab(room.context, tap.url);
    await untilTool(room.client, 'lab__block');
    const blocking = room.client.call('lab__block', {});
    await console.find((line) => line === 'debug: busy');

    const bad = { requestId: 'bad-params', surfaceId: 'lab', actionId: 'count_up', params: { by: 0 } };
    tap.sendToPage(JSON.stringify({ type: 'action:request', payload: { ...bad, timestamp: Date.now() } }));
    const { payload: answer } = await tap.toHub.find(
      (frame) => frame.type === 'action:result' && frame.payload['requestId'] === 'bad-params',
    );
    // Only the next line ends the work of the page: what came before came while it was busy.
    await (await held.find(() => true)).fulfill({ body: '' });
    expect(answer).toMatchObject({ error: { code: 'VALIDATION_ERROR', details: { errors: [{ path: '/by' }] } } });
    expect((await blocking).structuredContent).toMatchObject({ data: 'free again' });
    await expectItGoesOn();
    expect(problems()).toEqual([]);
  } finally {
    await tap.stop();
  }
});
