import { describe, expect, it } from 'vitest';
import { createScene, todos, turnOfTheLoop } from './scripted-page.js';

const ADD = 'todo-app__add_todo';
const JOB = 'todo-app__bulk_complete';

/** Whether the call has come to an end. */
async function ended(done: Promise<unknown>): Promise<boolean> {
  let over = false;
  void done.then(() => (over = true));
  await turnOfTheLoop();
  return over;
}

describe('timeouts', () => {
  it.each([0, -1, NaN, Infinity])('%d is refused', (pullMs) => {
    const message = `Option timeouts.pullMs is ${pullMs}; it must be a finite number above 0.`;
    expect(() => createScene({ timeouts: { pullMs } })).toThrow(new RangeError(message));
  });

  it('can be set: an acknowledgment and a value that is asked for', async () => {
    const { page, agent, call, clock } = createScene({ timeouts: { acknowledgmentMs: 300, pullMs: 200 } });
    const { done, requestId } = call(JOB, {});
    page.say('x-oui:receipt', { requestId, ok: true });
    const value = agent.read('todo-app', 'report').then(() => 'a value', () => 'nothing');
    clock.advance(199);
    expect(await ended(value)).toBe(false);
    clock.advance(1);
    expect(await ended(value)).toBe(true);
    expect(await value).toBe('nothing');
    clock.advance(99);
    expect(await ended(done)).toBe(false);
    clock.advance(1);
    expect(await ended(done)).toBe(true);
    expect((await done).result.error).toMatchObject({ code: 'TIMEOUT', details: { awaited: 'acknowledgment' } });
  });
});

describe('the deadline of a call', () => {
  it('is 35 s from the receipt, and what comes later is discarded but acknowledged', async () => {
    const { page, call, clock } = createScene();
    const { done, requestId } = call(ADD);
    clock.advance(34_000);
    page.say('x-oui:receipt', { requestId, ok: true });
    clock.advance(34_999);
    expect(await ended(done)).toBe(false);
    clock.advance(1);
    const { result } = await done;
    expect(result.success).toBe(false);
    expect(result.error).toMatchObject({ code: 'TIMEOUT', details: { ran: 'unknown', awaited: 'result' } });
    page.result(requestId, { data: 'late' });
    expect(page.heard('x-oui:ack')).toHaveLength(1);
    expect(result.data).toBeUndefined();
  });

  it('is 35 s from sending where a page sends no receipts', async () => {
    const { call, clock } = createScene({}, { plain: true });
    const { done } = call(ADD);
    clock.advance(35_000);
    expect((await done).result.error?.code).toBe('TIMEOUT');
    expect(clock.open).toBe(0);
  });

  it('lets the next action of the surface go', async () => {
    const { page, call, agent, clock } = createScene();
    const first = call(ADD);
    const second = agent.call(ADD, { title: 'two' });
    clock.advance(35_000);
    await first.done;
    await turnOfTheLoop();
    const next = page.requests.at(-1);
    expect(next?.requestId).not.toBe(first.requestId);
    page.result(next?.requestId ?? '');
    expect((await second).result.success).toBe(true);
  });

  it('gives an acknowledgment 5 s and the work all the time it needs', async () => {
    const { page, call, clock } = createScene();
    const late = call(JOB, {});
    clock.advance(5_000);
    expect((await late.done).result.error).toMatchObject({ code: 'TIMEOUT', details: { awaited: 'receipt' } });
    const { done, requestId } = call(JOB, {});
    page.say('x-oui:receipt', { requestId, ok: true });
    clock.advance(4_999);
    page.result(requestId, { interim: true });
    clock.advance(24 * 3_600_000);
    expect(await ended(done)).toBe(false);
    page.result(requestId, { interim: false, data: 'done' });
    expect((await done).result.data).toBe('done');
  });

  it('is the caller\'s own when one is given, for everything together', async () => {
    const { page, call, clock, agent } = createScene();
    const job = call(JOB, {}, { timeoutMs: 45_000 });
    page.result(job.requestId, { interim: true, data: { trackingId: 1 } });
    clock.advance(45_000);
    const { result, acknowledgment } = await job.done;
    expect(result.error?.message).toContain('45 s');
    expect(acknowledgment?.data).toEqual({ trackingId: 1 });
    const long = call(ADD, { title: 'x' }, { timeoutMs: 60_000 });
    const waiting = agent.call(ADD, { title: 'y' }, { timeoutMs: 1_000 });
    clock.advance(1_000);
    expect((await waiting).result.error).toMatchObject({ code: 'TIMEOUT', details: { awaited: 'turn', ran: false } });
    clock.advance(58_000);
    expect(await ended(long.done)).toBe(false);
    clock.advance(1_000);
    expect((await long.done).result.error?.code).toBe('TIMEOUT');
  });

  it('stands while the page asks its user, and says so when the call ends meanwhile', async () => {
    const { page, call, clock } = createScene();
    const notices: string[] = [];
    const { done, requestId } = call('todo-app__delete_todo', {}, { onApproval: ({ state }) => notices.push(state) });
    const pending = { requestId, argsHash: 'h', expiresAt: clock.wall() + 300_000, state: 'pending' };
    page.say('x-oui:receipt', { requestId, ok: true });
    page.say('x-oui:approval', pending);
    clock.advance(299_000);
    page.say('x-oui:approval', { ...pending, state: 'granted' });
    clock.advance(34_999);
    expect(await ended(done)).toBe(false);
    page.result(requestId);
    expect((await done).approvalPending).toBeUndefined();
    expect(notices).toEqual(['pending', 'granted']);

    const other = call('todo-app__delete_todo', {}, { timeoutMs: 45_000 });
    const again = { ...pending, requestId: other.requestId, expiresAt: clock.wall() + 300_000 };
    page.say('x-oui:approval', again);
    clock.advance(45_000);
    const outcome = await other.done;
    expect(outcome.result.error).toMatchObject({ code: 'TIMEOUT', details: { awaited: 'approval' } });
    expect(outcome.approvalPending).toEqual(again);
  });

  it('ends a question that never ends, whatever the page says it lasts', async () => {
    const { page, call, clock } = createScene();
    const { done, requestId } = call('todo-app__delete_todo', {});
    const pending = { requestId, argsHash: 'h', expiresAt: 9e15, state: 'pending' };
    for (let minute = 0; minute < 40 && !(await ended(done)); minute++) {
      page.say('x-oui:approval', pending);
      clock.advance(60_000);
    }
    expect((await done).result.error?.code).toBe('TIMEOUT');
  });

  it('ends at once when the receipt is a refusal', async () => {
    const { page, call } = createScene();
    const { done, requestId } = call(ADD);
    page.say('x-oui:receipt', { requestId, ok: false, reason: 'this client does not accept requests now' });
    const { result } = await done;
    expect(result.error).toMatchObject({ code: 'oui:not_accepting', details: { ran: false } });
    expect(result.error?.message).toContain('this client does not accept requests now');
  });
});

describe('a page that may be frozen', () => {
  it('is one that sends no receipt within 2 s, until it says anything', () => {
    const { page, call, clock, agent, events } = createScene();
    call(ADD);
    clock.advance(1_999);
    expect(agent.page.mayBeFrozen).toBe(false);
    clock.advance(1);
    expect(agent.page.mayBeFrozen).toBe(true);
    expect(events.at(-1)).toEqual({ type: 'page' });
    page.say('x-oui:ping', {});
    expect(agent.page.mayBeFrozen).toBe(false);
  });
});

describe('an async action of a page that says hello', () => {
  it('marks its acknowledgment: an answer without the mark is the last one', async () => {
    const { page, call } = createScene();
    const { done, requestId } = call(JOB, {});
    page.result(requestId, { data: 'at once' });
    expect((await done).result.data).toBe('at once');
  });
});

describe('an async action of a page that speaks v1', () => {
  it('answers twice without saying which is which', async () => {
    const { page, call } = createScene({}, { plain: true });
    const seen: unknown[] = [];
    const { done, requestId } = call(JOB, {}, { onAcknowledged: ({ data }) => seen.push(data) });
    page.say('action:result', { requestId, success: true, data: { trackingId: 't' }, timestamp: 1 });
    page.say('action:result', { requestId, success: true, data: { count: 2 }, timestamp: 2 });
    expect((await done).result.data).toEqual({ count: 2 });
    expect(seen).toEqual([{ trackingId: 't' }]);
  });

  it('may answer once: with an error, or as the reference library does, with a hash', async () => {
    const { page, call } = createScene({}, { plain: true });
    const failed = call(JOB, {});
    page.result(failed.requestId, { success: false, error: { code: 'EXECUTION_ERROR', message: 'm' } });
    expect((await failed.done).result.success).toBe(false);
    const once = call(JOB, {});
    page.result(once.requestId, { data: 1, surfacesHash: 'fnv1a64:0000000000000000' });
    expect((await once.done).result.data).toBe(1);
  });

  it('is given up when its surface stays away', async () => {
    const { page, call, clock } = createScene({}, { plain: true });
    const stays = call(JOB, {});
    page.result(stays.requestId, { interim: true });
    page.say('surface:deregister', { surfaceId: 'todo-app', timestamp: 2 });
    clock.advance(34_000);
    page.register(todos);
    clock.advance(60_000);
    expect(await ended(stays.done)).toBe(false);
    page.say('surface:deregister', { surfaceId: 'todo-app', timestamp: 3 });
    clock.advance(35_000);
    expect((await stays.done).result.error).toMatchObject({ code: 'SURFACE_UNAVAILABLE', details: { ran: 'unknown' } });
  });
});
