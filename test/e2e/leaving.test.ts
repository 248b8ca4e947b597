import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CallOutcome } from '../unit/hub/mcp-clients.js';
import { errorOf, untilTool } from './fixtures/agent-clients.js';
import { captureWorkers, killWorker } from './fixtures/captured-workers.js';
import type { FileServer } from './fixtures/file-server.js';
import { useLabRoom } from './fixtures/lab-room.js';
import { openLeaving, startSite } from './fixtures/leaving-page.js';
import { openPage } from './fixtures/open-page.js';
import type { OpenPage } from './fixtures/open-page.js';

/** A page that is left in the middle of a call, or whose worker dies: the right outcome reaches the agent each time. */

const room = useLabRoom();
let site: FileServer;

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.stop());

async function open(settings: { readonly gate?: '' } = {}): Promise<OpenPage> {
  const opened = await openLeaving(room.context, site, room.hub, settings);
  await untilTool(room.client, 'leaving__read_place');
  return opened;
}

const call = (action: string, params = {}): Promise<CallOutcome> => room.client.call(`leaving__${action}`, params);
const startsOf = (page: Page): Promise<Record<string, number>> => page.evaluate('lab.starts()');

/** The outcome of the handler, with the document that came after it. */
function expectArrived(outcome: CallOutcome, going: string): void {
  expect(outcome.structuredContent).toMatchObject({
    data: { going },
    settled: true,
    observations: { leaving: { place: going } },
  });
  expect(outcome.isError).toBeFalsy();
}

it.each([
  { way: 'a link', action: 'by_link', at: 'link' },
  { way: 'a form that is posted', action: 'by_form', at: 'form' },
  { way: 'location', action: 'by_location', at: 'location' },
])('leaving by $way: the next document answers, with its own state', async ({ action, at }) => {
  const { page } = await open();
  expectArrived(await call(action), at);
  expect(await startsOf(page)).toEqual({ [action]: 1 });
  expect((await call('read_place')).structuredContent).toMatchObject({ data: at });
});

it.each(['by_link', 'by_form', 'by_location'])('%s to a server that takes its time: not the old document', async (action) => {
  await open();
  // Longer than what counts as quiet.
  expectArrived(await call(action, { slow: 900 }), action.replace('by_', ''));
});

it('leaving by the History API: the same document answers, with the surface of the new route', async () => {
  const { page } = await open();
  expectArrived(await call('by_history'), 'history');
  expect(await startsOf(page)).toEqual({ by_history: 1 });
});

it('a handler that reloads its own page: its outcome, once', async () => {
  const { page } = await open();
  expect((await call('by_reload')).structuredContent).toMatchObject({ data: { going: 'reload' }, settled: true });
  expect(await startsOf(page)).toEqual({ by_reload: 1 });
});

it('a handler that leaves and never returns: nobody can know', async () => {
  const { page } = await open();
  const { code, details } = errorOf(await call('never_back'));
  expect({ code, details }).toMatchObject({ code: 'SURFACE_UNAVAILABLE', details: { ran: 'unknown' } });
  expect(await startsOf(page)).toEqual({ never_back: 1 });
});

it('a reload in the middle of a call: whether it ran is not known; what waited behind it did not run', async () => {
  const { page, console } = await open();
  const running = call('hold_on');
  await console.find((line) => line === 'debug: waiting for finish');
  await page.reload();
  const { code, details } = errorOf(await running);
  expect({ code, details }).toMatchObject({ code: 'SURFACE_UNAVAILABLE', details: { ran: 'unknown' } });
  expect(await startsOf(page)).toEqual({ hold_on: 1 });
  await untilTool(room.client, 'leaving__read_place');
  expect((await call('read_place')).isError).toBeFalsy();
});

it('a reload while the user is being asked: it did not run, and the agent need not wait for the question', async () => {
  const { page, console } = await open();
  const asked = call('ask_first');
  await console.find((line) => line === 'debug: waiting for answer');
  await page.reload();
  const { code, details } = errorOf(await asked);
  expect({ code, details }).toMatchObject({ code: 'SURFACE_UNAVAILABLE', details: { ran: false } });
  expect(await startsOf(page)).toEqual({});
});

it('a reload during a job: one that can be taken up is, another ends', async () => {
  const { page, console } = await open();
  const resumed = call('resumed_job');
  await console.find((line) => line === 'debug: looking for T-1');
  await page.reload();
  await page.evaluate('sessionStorage.setItem("done T-1", "in the next document")');
  expect((await resumed).structuredContent).toMatchObject({ data: { ticket: 'T-1', done: 'in the next document' } });

  await untilTool(room.client, 'leaving__long_job');
  const lost = call('long_job');
  await console.find((line) => line === 'debug: waiting for finish');
  await page.reload();
  expect(errorOf(await lost)).toMatchObject({ code: 'SURFACE_UNAVAILABLE', details: { ran: 'unknown' } });
  expect(await startsOf(page)).toEqual({ resumed_job: 1, long_job: 1 });
});

it('back to a document that the browser kept: it goes on, and what the next one answered is not answered again', async () => {
  const { page, console } = await open();
  const left = call('hold_on');
  await console.find((line) => line === 'debug: waiting for finish');
  await page.goto(page.url().replace('leaving.html?', 'leaving.html?at=other&'));
  expect(errorOf(await left)).toMatchObject({ code: 'SURFACE_UNAVAILABLE', details: { ran: 'unknown' } });
  // A document that comes back as it was is not loaded again.
  await page.goBack({ waitUntil: 'commit' });
  await untilTool(room.client, 'leaving__read_place');
  expect((await call('read_place')).structuredContent).toMatchObject({ data: 'start' });
});

const MOMENTS = [
  {
    moment: 'at the gate',
    action: 'hold_on',
    settings: { gate: '' } as const,
    reached: 'debug: waiting for admit',
    then: 'lab.admit(true)',
    last: 'finish',
    data: 'finished',
  },
  { moment: 'while the user is asked', action: 'ask_first', reached: 'debug: waiting for answer', then: 'lab.answer(true)', data: 'approved' },
  { moment: 'while the handler runs', action: 'hold_on', reached: 'debug: waiting for finish', then: 'lab.finish("finished")', data: 'finished' },
  { moment: 'while the page settles', action: 'then_settle', reached: 'debug: settling', then: 'lab.release()', data: 'done before the page was quiet' },
  { moment: 'while a job runs', action: 'long_job', reached: 'debug: waiting for finish', then: 'lab.finish("finished")', data: 'finished' },
];

it.each(MOMENTS)('the worker dies $moment: the outcome arrives, once', async ({ action, settings, reached, then, last, data }) => {
  await captureWorkers(room.context);
  const { page, console } = await open(settings);
  const outcome = call(action);
  await console.find((line) => line === reached);
  const before = await page.evaluate('workers.length');
  await killWorker(page);
  await console.find((line) => line.includes('OUI1002'));
  // The gate belongs to the present engine: its successor asks again.
  if (settings !== undefined) await console.find((line) => line === reached, console.items.indexOf(reached) + 1);
  await page.evaluate(then);
  if (last !== undefined) {
    await console.find((line) => line === `debug: waiting for ${last}`);
    await page.evaluate(`lab.${last}(${JSON.stringify(data)})`);
  }
  expect((await outcome).structuredContent).toMatchObject({ data, settled: true });
  expect(await startsOf(page)).toEqual({ [action]: 1 });
  expect(await page.evaluate('workers.length')).toBe((before as number) + 1);
});

it('a form and a link of markup alone: the next page answers, under a strict policy, without a script of its own', async () => {
  const { page, problems } = await openPage(room.context, `${room.hub.url}/pages/shop.html`);
  await untilTool(room.client, 'shop__search');
  const refused = errorOf(await room.client.call('shop__search', { what: 'tea', price: -1 }));
  expect(refused.code).toBe('VALIDATION_ERROR');
  const found = await room.client.call('shop__search', { what: 'tea', price: 5 });
  expect(found.structuredContent).toMatchObject({
    settled: true, observations: { results: { found: ['Tea', 'Tea pot'] } },
  });
  expect(new URL(page.url()).search).toBe('?what=tea&price=5');
  const back = await room.client.call('results__back', {});
  expect(back.structuredContent).toMatchObject({
    observations: { shop: { heading: 'Shop', stock: [{ Thing: 'Tea', Price: '4' }] } },
  });
  expect(problems()).toEqual([]);
});
