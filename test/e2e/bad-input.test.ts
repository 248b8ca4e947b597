import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorOf, untilTool, untilTools } from './fixtures/agent-clients.js';
import { openDemo } from './fixtures/demo-page.js';
import { openLab } from './fixtures/lab-page.js';
import { useLabRoom } from './fixtures/lab-room.js';
import { startWireTap } from './fixtures/wire-tap.js';
import type { Frame, WireTap } from './fixtures/wire-tap.js';

/** Whatever an agent, a page or the wire between them does wrong ends in a clear answer or warning, and it goes on. */

const room = useLabRoom();
/** Between the page and the hub, in the tests that use it. */
let tap: WireTap;

beforeEach(async () => {
  tap = await startWireTap(room.hub.url);
});
afterEach(() => tap.stop());

/** A good call, after whatever went wrong. */
async function expectItGoesOn(): Promise<void> {
  const { isError, structuredContent } = await room.client.call('lab__count_up', { by: 1 });
  expect(isError).toBeFalsy();
  expect(structuredContent['observations']).toEqual({ lab: { count: expect.any(Number) } });
}

/** A request that the hub's own checks would not let pass. */
async function requestAtPage(actionId: string, params: unknown, surfaceId = 'lab'): Promise<Frame['payload']> {
  const requestId = crypto.randomUUID();
  const payload = { requestId, surfaceId, actionId, params, timestamp: Date.now() };
  tap.sendToPage(JSON.stringify({ type: 'action:request', payload }));
  const result = await tap.toHub.find(
    (frame) => frame.type === 'action:result' && frame.payload['requestId'] === requestId,
  );
  return result.payload;
}

const pathsOf = (details: unknown): string[] =>
  (details as { errors: { path: string }[] }).errors.map(({ path }) => path).sort();

describe('a call', () => {
  it('with params that break the schema: every error with its path, from the hub and from the page', async () => {
    const { problems } = await openDemo(room.context, tap.url);
    await untilTool(room.client, 'todo-app__add_todo');
    const bad = { title: '', priority: 'urgent', dueDate: 'soon' };
    const paths = ['/dueDate', '/priority', '/title'];

    const atHub = errorOf(await room.client.call('todo-app__add_todo', bad));
    expect(atHub.code).toBe('VALIDATION_ERROR');
    expect(pathsOf(atHub.details)).toEqual(paths);
    expect(tap.toPage.items.filter(({ type }) => type === 'action:request')).toEqual([]);

    const { error } = await requestAtPage('add_todo', bad, 'todo-app');
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(pathsOf((error as { details: unknown }).details)).toEqual(paths);

    const missing = errorOf(await room.client.call('todo-app__add_todo', {}));
    expect(missing.message).toContain('title');
    expect((await room.client.call('todo-app__add_todo', { title: 'Good' })).isError).toBeFalsy();
    expect(problems()).toEqual([]);
  });

  it('of an action that there is not: what there is instead', async () => {
    const { problems } = await openLab(room.context, tap.url);
    await untilTool(room.client, 'lab__count_up');
    const { code, message } = errorOf(await room.client.call('lab__count_down', {}));
    expect(code).toBe('ACTION_NOT_FOUND');
    expect(message).toContain('count_down');
    expect(message).toContain('count_up');
    const { error } = await requestAtPage('count_down', {});
    expect(error).toMatchObject({ code: 'ACTION_NOT_FOUND', message: expect.stringContaining('count_up') });
    await expectItGoesOn();
    expect(problems()).toEqual([]);
  });

  it('of a surface that is not mounted', async () => {
    const { problems } = await openLab(room.context, tap.url);
    await untilTool(room.client, 'lab__count_up');
    expect(errorOf(await room.client.call('kitchen__cook', {})).message).toContain('lab');
    const { error } = await requestAtPage('cook', {}, 'kitchen');
    expect(error).toMatchObject({ code: 'SURFACE_UNAVAILABLE', message: expect.stringContaining('lab') });
    await expectItGoesOn();
    expect(problems()).toEqual([]);
  });

  it('whose handler throws', async () => {
    const { problems } = await openLab(room.context, room.hub.url);
    await untilTool(room.client, 'lab__throw_up');
    const { code, message } = errorOf(await room.client.call('lab__throw_up', {}));
    expect(code).toBe('EXECUTION_ERROR');
    expect(message).toContain('The printer is on fire');
    await expectItGoesOn();
    expect(problems()).toEqual([]);
  });

  it('whose handler never returns', async () => {
    const { page, problems } = await openLab(room.context, room.hub.url, { timeoutMs: '1500' });
    await untilTool(room.client, 'lab__hang');
    expect(errorOf(await room.client.call('lab__hang', {})).code).toBe('TIMEOUT');
    // The handler was told, and the surface's next action has its turn.
    expect(await page.evaluate('lab.aborted')).toBe(true);
    await expectItGoesOn();
    expect(problems()).toEqual([]);
  });
});

describe('a frame', () => {
  const large = JSON.stringify({ type: 'x-test:large', payload: 'x'.repeat(1024 * 1024) });
  const frames = [
    { what: 'that is not JSON', data: '{"type": "action:request", ', warning: 'it is not JSON' },
    { what: 'that is binary', data: Buffer.from([0, 1, 2, 250]), warning: 'it is binary' },
    { what: 'over 1 MB', data: large, warning: 'it is over 1048576 bytes' },
    { what: 'of unknown type', data: '{"type":"weather:report","payload":{}}', warning: undefined },
  ];

  it.each(frames)('$what to the page: ignored, with a warning where something is wrong', async ({ data, warning }) => {
    const opened = await openLab(room.context, tap.url);
    await untilTool(room.client, 'lab__count_up');
    // Twice: a warning says it once.
    for (let times = 0; times < 2; times += 1) tap.sendToPage(data);
    if (warning !== undefined) await opened.console.find((line) => line.includes(warning));
    await expectItGoesOn();
    expect(opened.problems()).toEqual(
      warning === undefined ? [] : [expect.stringMatching(new RegExp(`^warning: \\[OUI1003\\].*${warning}`))],
    );
    expect(tap.connections()).toBe(1);
  });

  it.each(frames)('$what to the hub: ignored, with a warning where something is wrong', async ({ data, warning }) => {
    const opened = await openLab(room.context, tap.url);
    await untilTool(room.client, 'lab__count_up');
    const before = room.hub.run.err().length;
    for (let times = 0; times < 2; times += 1) tap.sendToHub(data);
    if (warning !== undefined) await room.hub.run.until('err', new RegExp(`\\[OUI1003\\].*${warning}`));
    await expectItGoesOn();
    const warnings = room.hub.run.err().slice(before).split('\n').filter((line) => line.includes('[OUI'));
    expect(warnings).toHaveLength(warning === undefined ? 0 : 1);
    expect(opened.problems()).toEqual([]);
    expect(tap.connections()).toBe(1);
  });

  it('with a request that is broken but names itself: refused by a receipt', async () => {
    const { problems } = await openLab(room.context, tap.url);
    await untilTool(room.client, 'lab__count_up');
    tap.sendToPage(JSON.stringify({ type: 'action:request', payload: { requestId: 'broken-1', surfaceId: 42 } }));
    const answer = await tap.toHub.find(({ payload }) => payload['requestId'] === 'broken-1');
    const reason = 'a request needs requestId, surfaceId and actionId';
    expect(answer).toEqual({ type: 'x-oui:receipt', payload: { requestId: 'broken-1', ok: false, reason } });
    await expectItGoesOn();
    expect(problems()).toEqual([]);
  });
});

describe('the same surface twice', () => {
  const pageArgument = async (): Promise<string[]> => {
    const tools = await untilTools(room.client, (list) => JSON.stringify(list).includes('oui_page'));
    const { properties } = tools.find(({ name }) => name === 'lab__count_up')?.inputSchema as {
      properties: { oui_page: { enum: string[] } };
    };
    return properties.oui_page.enum;
  };

  it('in two runtimes of one page: two pages to choose from', async () => {
    const { page, problems } = await openLab(room.context, room.hub.url, { runtimes: '2' });
    const [first, second] = await pageArgument();
    for (const [index, pageId] of [first, second].entries()) {
      const { structuredContent } = await room.client.call('lab__count_up', { by: 10 + index, oui_page: pageId });
      expect(structuredContent).toMatchObject({ page: pageId, observations: { lab: { count: 10 + index } } });
    }
    expect(await page.evaluate('lab.counts')).toEqual(expect.arrayContaining([10, 11]));
    await expectItGoesOn();
    expect(problems()).toEqual([]);
  });

  it('in two tabs: two pages to choose from, the newest by default', async () => {
    const one = await openLab(room.context, room.hub.url);
    await untilTool(room.client, 'lab__count_up');
    const two = await openLab(room.context, room.hub.url);
    const [first, second] = await pageArgument();
    expect(first).not.toBe(second);
    expect((await room.client.call('lab__count_up', { by: 5, oui_page: first })).structuredContent['page']).toBe(first);
    expect((await room.client.call('lab__count_up', { by: 7 })).structuredContent['page']).toBe(second);
    expect([await one.page.evaluate('lab.counts'), await two.page.evaluate('lab.counts')]).toEqual([[5], [7]]);
    const nowhere = errorOf(await room.client.call('lab__count_up', { by: 1, oui_page: 'p0' }));
    expect(nowhere.message).toContain(first);
    expect(nowhere.message).toContain(second);
    await expectItGoesOn();
    expect([...one.problems(), ...two.problems()]).toEqual([]);
  });

  it('in one runtime: the newest serves, and a warning says so', async () => {
    const { page, problems } = await openLab(room.context, room.hub.url, { mounts: '2' });
    await untilTool(room.client, 'lab__count_up');
    await expectItGoesOn();
    expect(await page.evaluate('lab.counts')).toEqual([0, 1]);
    expect(problems()).toEqual([expect.stringMatching(/^warning: \[OUI1004\].*"lab"/)]);
  });
});
