import { describe, expect, it } from 'vitest';
import type { OUIActionRequest } from '../../../src/protocol/events.js';
import { createScene, ScriptedPage, todos, turnOfTheLoop } from './scripted-page.js';

const ADD = 'todo-app__add_todo';
const JOB = 'todo-app__bulk_complete';

/** Lets a second pass at a time, and notes in which of them a request went out. */
function secondsOfSending(clock: { advance(ms: number): void }, page: ScriptedPage, seconds: number): number[] {
  const sent: number[] = [];
  for (let second = 1; second <= seconds; second++) {
    const before = page.requests.length;
    clock.advance(1_000);
    for (let count = page.requests.length - before; count > 0; count--) sent.push(second);
  }
  return sent;
}

describe('a request without a receipt', () => {
  it('goes out again after 1, 2, 4 and 8 s, then every 8 s, the same to the last character', async () => {
    const { page, call, clock } = createScene();
    const { done } = call(ADD, { title: 'Milk' }, { turnId: 'turn-1' });
    expect(secondsOfSending(clock, page, 34)).toEqual([1, 2, 4, 8, 16, 24, 32]);
    const [first, ...repeats] = page.requests;
    for (const repeat of repeats) expect(repeat).toEqual(first);
    clock.advance(1_000);
    expect((await done).result.error).toMatchObject({ code: 'TIMEOUT', details: { awaited: 'receipt' } });
    expect(secondsOfSending(clock, page, 30)).toEqual([]);
    expect(clock.open).toBe(0);
  });

  it('is never repeated to a page that gives none, nor to one that speaks v1', () => {
    const plain = createScene({}, { plain: true });
    plain.call(ADD);
    expect(secondsOfSending(plain.clock, plain.page, 34)).toEqual([]);
    const other = createScene({}, { hello: { features: ['ack', 'cancel', 'approval', 'ping'] } });
    other.call(ADD);
    expect(secondsOfSending(other.clock, other.page, 34)).toEqual([]);
  });
});

describe('a request with a receipt', () => {
  it('is asked after every 10 s until its outcome, and its receipt is told once', async () => {
    const { page, call, clock } = createScene();
    let receipts = 0;
    const { done, requestId } = call(ADD, { title: 'x' }, { onReceipt: () => (receipts += 1) });
    clock.advance(500);
    const receipt = () => page.say('x-oui:receipt', { requestId, ok: true });
    receipt();
    expect(secondsOfSending(clock, page, 12)).toEqual([10]);
    receipt();
    expect(secondsOfSending(clock, page, 12)).toEqual([8]);
    expect(receipts).toBe(1);
    page.result(requestId);
    expect((await done).result.success).toBe(true);
    expect(secondsOfSending(clock, page, 30)).toEqual([]);
  });

  it('of a job is asked after as long as it runs: a lost outcome is fetched so', async () => {
    const { page, call, clock } = createScene();
    const { done, requestId } = call(JOB, {});
    page.say('x-oui:receipt', { requestId, ok: true });
    page.result(requestId, { interim: true });
    expect(secondsOfSending(clock, page, 60)).toEqual([10, 20, 30, 40, 50, 60]);
    const asked = page.next('action:request');
    clock.advance(10_000);
    page.result(((await asked).payload as unknown as OUIActionRequest).requestId, { interim: false, data: 'fetched' });
    expect((await done).result.data).toBe('fetched');
    expect(clock.open).toBe(0);
  });

  it('is asked after while the page asks its user', () => {
    const { page, call, clock } = createScene();
    const { requestId } = call('todo-app__delete_todo', {});
    page.say('x-oui:receipt', { requestId, ok: true });
    page.say('x-oui:approval', { requestId, argsHash: 'h', expiresAt: clock.wall() + 300_000, state: 'pending' });
    expect(secondsOfSending(clock, page, 25)).toEqual([10, 20]);
  });

  it('that the page refuses when it is repeated may have run', async () => {
    const { page, call } = createScene();
    const { done, requestId } = call(ADD);
    page.say('x-oui:receipt', { requestId, ok: true });
    page.say('x-oui:receipt', { requestId, ok: false, reason: 'this client does not accept requests now' });
    expect((await done).result.error).toMatchObject({ code: 'oui:not_accepting', details: { ran: 'unknown' } });
  });
});

describe('a refusal', () => {
  const refusal = { ok: false, reason: 'this client does not accept requests now' };

  it('of a request that was sent once says that it did not run', async () => {
    const { page, call } = createScene();
    const { done, requestId } = call(ADD);
    page.say('x-oui:receipt', { requestId, ...refusal });
    expect((await done).result.error).toMatchObject({ code: 'oui:not_accepting', details: { ran: false } });
  });

  it('of one that went out again does not: the other copy may find the page willing', async () => {
    const { page, call, clock } = createScene();
    const { done, requestId } = call(ADD);
    clock.advance(1_000);
    page.say('x-oui:receipt', { requestId, ...refusal });
    expect((await done).result.error).toMatchObject({ code: 'oui:not_accepting', details: { ran: 'unknown' } });
  });
});

describe('a call that has ended', () => {
  it('is not repeated: what nobody waits for must not start late', async () => {
    const { page, call, clock } = createScene();
    const controller = new AbortController();
    const cancelled = call(ADD, { title: 'x' }, { signal: controller.signal });
    controller.abort();
    await cancelled.done;
    expect(secondsOfSending(clock, page, 30)).toEqual([]);
    page.result(cancelled.requestId);
    await turnOfTheLoop();
    const late = call(ADD, { title: 'x' }, { timeoutMs: 3_000 });
    expect(secondsOfSending(clock, page, 3)).toEqual([1, 2]);
    await late.done;
    expect(secondsOfSending(clock, page, 30)).toEqual([]);
  });
});

describe('a page that went away', () => {
  it('is sent nothing, and one request at once when it is back and gives receipts', async () => {
    const { page, call, agent, clock } = createScene();
    const { done, requestId } = call(ADD);
    const [first] = page.requests;
    page.say('x-oui:receipt', { requestId, ok: true });
    page.become('disconnected');
    expect(secondsOfSending(clock, page, 12)).toEqual([]);
    const next = new ScriptedPage();
    agent.attach(next);
    expect(next.requests).toEqual([]);
    next.hello();
    next.register(todos);
    expect(next.requests).toEqual([first]);
    expect(secondsOfSending(clock, next, 9)).toEqual([1, 2, 4, 8]);
    next.say('x-oui:receipt', { requestId, ok: true });
    expect(secondsOfSending(clock, next, 12)).toEqual([10]);
    next.result(requestId);
    expect((await done).result.success).toBe(true);
  });

  it('is sent nothing when it gives no receipts any more', () => {
    const { call, agent, clock } = createScene();
    call(ADD);
    const next = new ScriptedPage();
    agent.attach(next);
    next.hello({ features: ['ack'] });
    next.register(todos);
    expect(secondsOfSending(clock, next, 30)).toEqual([]);
  });
});
