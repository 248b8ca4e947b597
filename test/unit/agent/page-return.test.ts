import { describe, expect, it } from 'vitest';
import { createScene, ScriptedPage, todos, turnOfTheLoop, type Scene } from './scripted-page.js';

const ADD = 'todo-app__add_todo';
const DELETE = 'todo-app__delete_todo';
const JOB = 'todo-app__bulk_complete';

async function ended(done: Promise<unknown>): Promise<boolean> {
  let over = false;
  void done.then(() => (over = true), () => (over = true));
  await turnOfTheLoop();
  return over;
}

/** The next document of the tab: it says hello, and what it has it registers later. */
function nextDocument({ agent }: Scene): ScriptedPage {
  const next = new ScriptedPage();
  agent.attach(next);
  next.hello();
  return next;
}

describe('the clocks of a call', () => {
  it('stand while the page is away, and start anew when it is back', async () => {
    const scene = createScene();
    const { page, call, clock } = scene;
    const { done, requestId } = call(ADD);
    page.say('x-oui:receipt', { requestId, ok: true });
    clock.advance(34_000);
    page.become('disconnected');
    clock.advance(14_000);
    const next = nextDocument(scene);
    next.register(todos);
    clock.advance(34_999);
    expect(await ended(done)).toBe(false);
    next.say('x-oui:receipt', { requestId, ok: true });
    clock.advance(34_999);
    expect(await ended(done)).toBe(false);
    clock.advance(1);
    expect((await done).result.error).toMatchObject({ code: 'TIMEOUT', details: { awaited: 'result' } });
  });

  it('stand for an acknowledgment too', async () => {
    const scene = createScene();
    const { page, call, clock } = scene;
    const { done, requestId } = call(JOB, {});
    clock.advance(4_000);
    page.become('disconnected');
    clock.advance(10_000);
    const next = nextDocument(scene);
    next.register(todos);
    clock.advance(4_999);
    expect(await ended(done)).toBe(false);
    next.result(requestId, { interim: true });
    next.result(requestId, { interim: false, data: 7 });
    expect((await done).result.data).toBe(7);
  });
});

describe('what the next document of the tab says', () => {
  it.each([false, 'unknown'] as const)('of a call is its result: ran %s', async (ran) => {
    const scene = createScene();
    const { page, call } = scene;
    const { done, requestId } = call(ADD);
    page.say('x-oui:receipt', { requestId, ok: true });
    page.become('disconnected');
    const next = nextDocument(scene);
    next.register(todos);
    const error = { code: 'SURFACE_UNAVAILABLE', message: 'The page was left.', details: { ran } };
    next.result(requestId, { success: false, error });
    expect((await done).result.error).toEqual(error);
    expect(next.heard('x-oui:ack')).toEqual([{ requestId, interim: false, ok: true }]);
  });

  it('carries its own surfaces; a repeat changes nothing and is acknowledged as well', async () => {
    const scene = createScene();
    const { page, call, agent } = scene;
    const { done, requestId } = call(ADD);
    page.become('disconnected');
    const next = nextDocument(scene);
    const receipt = { ...todos, id: 'receipt-page' };
    next.result(requestId, { data: 'left', surfaces: [receipt], surfacesHash: 'h2' });
    expect((await done).result.data).toBe('left');
    expect(agent.surfaces().map(({ id }) => id)).toEqual(['receipt-page']);
    next.result(requestId, { data: 'again', surfaces: [todos] });
    expect(agent.surfaces().map(({ id }) => id)).toEqual(['receipt-page']);
    expect(next.heard('x-oui:ack')).toHaveLength(2);
  });

  it('ends a call that waited for the user, long before the question would have run out', async () => {
    const scene = createScene();
    const { page, call, clock } = scene;
    const { done, requestId } = call(DELETE, {});
    page.say('x-oui:receipt', { requestId, ok: true });
    page.say('x-oui:approval', { requestId, argsHash: 'h', expiresAt: clock.wall() + 300_000, state: 'pending' });
    page.become('disconnected');
    clock.advance(3_000);
    const next = nextDocument(scene);
    const error = { code: 'SURFACE_UNAVAILABLE', message: 'The page was left.', details: { ran: false } };
    next.result(requestId, { success: false, error });
    const { result, approvalPending } = await done;
    expect(result.error).toEqual(error);
    expect(approvalPending).toBeUndefined();
  });

  it('may be nothing, when the question goes on in the same document: its time is what it was', async () => {
    const { page, call, clock } = createScene();
    const { done, requestId } = call(DELETE, {});
    page.say('x-oui:receipt', { requestId, ok: true });
    page.say('x-oui:approval', { requestId, argsHash: 'h', expiresAt: clock.wall() + 300_000, state: 'pending' });
    page.become('connecting');
    clock.advance(2_000);
    page.become('connected');
    page.hello();
    page.register(todos);
    page.say('x-oui:receipt', { requestId, ok: true });
    clock.advance(297_000);
    expect(await ended(done)).toBe(false);
    page.result(requestId, { data: 'deleted' });
    expect((await done).result.data).toBe('deleted');
  });

  it('keeps a job of which it gives a receipt', async () => {
    const scene = createScene();
    const { page, call, clock } = scene;
    const { done, requestId } = call(JOB, {});
    page.result(requestId, { interim: true });
    page.become('disconnected');
    const next = nextDocument(scene);
    next.say('x-oui:receipt', { requestId, ok: true });
    clock.advance(3_600_000);
    expect(await ended(done)).toBe(false);
    next.result(requestId, { interim: false, data: 'resumed' });
    expect((await done).result.data).toBe('resumed');
  });
});

describe('a call while the page is away', () => {
  it('waits for the page and for its surface', async () => {
    const scene = createScene();
    const { page, agent, clock } = scene;
    page.become('disconnected');
    const done = agent.call(ADD, { title: 'x' });
    clock.advance(14_000);
    const next = nextDocument(scene);
    clock.advance(4_000);
    const sent = next.next('action:request');
    next.register({ ...todos, id: 'other' });
    next.register(todos);
    const { requestId } = (await sent).payload as { requestId: string };
    next.result(requestId, { data: 'served' });
    expect((await done).result.data).toBe('served');
    clock.advance(5_000);
    expect(clock.open).toBe(0);
  });

  it('is answered when neither comes', async () => {
    const scene = createScene();
    const { page, agent, clock } = scene;
    page.become('disconnected');
    const noPage = agent.call(ADD, { title: 'x' });
    clock.advance(14_999);
    expect(await ended(noPage)).toBe(false);
    clock.advance(1);
    expect((await noPage).result.error).toMatchObject({ code: 'SURFACE_UNAVAILABLE', details: { ran: false } });

    const other = createScene();
    other.page.become('disconnected');
    const noSurface = other.agent.call(ADD, { title: 'x' });
    nextDocument(other).register({ ...todos, id: 'other' });
    other.clock.advance(4_999);
    expect(await ended(noSurface)).toBe(false);
    other.clock.advance(1);
    expect((await noSurface).result.error?.message).toContain('it has other');
  });

  it('is answered at once by a page that cannot be known again', async () => {
    const { page, agent } = createScene({}, { hello: { clientId: undefined } });
    page.become('disconnected');
    expect((await agent.call(ADD, { title: 'x' })).result.error?.code).toBe('SURFACE_UNAVAILABLE');
    expect(agent.awaitedTools()).toEqual([]);
  });

  it('is not another page\'s', async () => {
    const { page, agent } = createScene();
    page.become('disconnected');
    const done = agent.call('todo-app__list_todos');
    const next = new ScriptedPage();
    agent.attach(next);
    next.hello({ clientId: 'tab-2' });
    expect((await done).result.error?.message).toContain('Another page');
    next.register(todos);
    expect(next.requests).toEqual([]);
  });

  it('ends with its caller\'s time, saying that it waited for the page', async () => {
    const { page, agent, clock } = createScene();
    page.become('disconnected');
    const done = agent.call(ADD, { title: 'x' }, { timeoutMs: 2_000 });
    clock.advance(2_000);
    expect((await done).result.error).toMatchObject({ code: 'TIMEOUT', details: { awaited: 'page', ran: false } });
  });
});

describe('the tools of a page that is away', () => {
  it('are those it had, less those that are there again, until the wait is over', () => {
    const scene = createScene({}, { surfaces: [todos, { ...todos, id: 'other' }] });
    const { page, agent, clock } = scene;
    expect(agent.awaitedTools()).toEqual([]);
    page.become('disconnected');
    expect(agent.awaitedTools()).toHaveLength(8);
    const next = nextDocument(scene);
    next.register(todos);
    expect(agent.awaitedTools().map(({ surfaceId }) => surfaceId)).toEqual(new Array(4).fill('other'));
    next.become('disconnected');
    expect(agent.awaitedTools()).toHaveLength(8);
    clock.advance(15_000);
    expect(agent.awaitedTools()).toEqual([]);
  });
});

describe('a read while the page is away', () => {
  it('waits for the page, also one that was on its way', async () => {
    const scene = createScene();
    const { page, agent, clock } = scene;
    const asked = agent.read('todo-app', 'report');
    page.become('disconnected');
    const pushed = agent.read('todo-app', 'open_count');
    await turnOfTheLoop();
    clock.advance(10_000);
    const next = nextDocument(scene);
    const request = next.next('observation:request');
    next.register(todos);
    next.say('observation:update', { surfaceId: 'todo-app', observationId: 'open_count', value: 2, timestamp: 9 });
    expect((await request).payload).toMatchObject({ observationId: 'report' });
    next.say('observation:update', { surfaceId: 'todo-app', observationId: 'report', value: 'new', timestamp: 9 });
    expect(await asked).toBe('new');
    expect(await pushed).toBe(2);
  });
});
