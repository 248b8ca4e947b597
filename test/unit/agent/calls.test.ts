import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Validator } from '../../../src/protocol/ports.js';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { action, createScene, todos, turnOfTheLoop } from './scripted-page.js';

const ADD = 'todo-app__add_todo';

beforeEach(() => {
  resetWarnings();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

describe('a call', () => {
  it('sends a well-formed request and gives the result that answers it', async () => {
    const { page, call, agent, clock } = createScene();
    const { done, requestId } = call(ADD, { title: 'Milk' }, { turnId: 'turn-7' });
    expect(page.requests[0]).toEqual({
      requestId, surfaceId: 'todo-app', actionId: 'add_todo', params: { title: 'Milk' },
      timestamp: clock.wall(), turnId: 'turn-7',
      knownSurfaces: expect.stringMatching(/^fnv1a64:[0-9a-f]{16}$/) as string,
    });
    expect(requestId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    page.result('another', { data: 'not mine' });
    page.result(requestId, { data: { id: 3 } });
    const { result, changed, acknowledgment } = await done;
    expect(result).toMatchObject({ requestId, success: true, data: { id: 3 } });
    expect(changed).toEqual({});
    expect(acknowledgment).toBeUndefined();
    expect(agent.page.connected).toBe(true);
    expect(clock.open).toBe(0);
  });

  it('takes ids as well as a name, and sends {} for no params', () => {
    const { page, agent } = createScene();
    void agent.call({ surfaceId: 'todo-app', actionId: 'list_todos' });
    expect(page.requests[0]?.params).toEqual({});
  });

  it('sends what the params were when it was called', async () => {
    const { page, agent } = createScene({ confirm: () => true }, { plain: true });
    const params = { id: 1 };
    const sent = page.next('action:request');
    void agent.call('todo-app__delete_todo', params);
    params.id = 2;
    expect((await sent).payload['params']).toEqual({ id: 1 });
  });

  it('gives every error of params that do not fit, and sends nothing', async () => {
    const { page, agent } = createScene();
    const { result } = await agent.call(ADD, {});
    expect(result.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { ran: false, errors: [{ path: '/title', keyword: 'required' }] },
    });
    expect(result.error?.message).toContain('/title is required');
    expect(page.requests).toEqual([]);
  });

  it('refuses params that are not JSON', async () => {
    const { page, agent } = createScene();
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    for (const params of [cycle, { n: 1n }, () => 1, Symbol('x')]) {
      expect((await agent.call(ADD, params)).result.error?.code).toBe('VALIDATION_ERROR');
    }
    expect(page.requests).toEqual([]);
  });

  it('leaves the check to the page when its schema is broken', () => {
    const surface = { ...todos, actions: [action('odd_one', { input: { type: 'broken' } })] };
    const { page, call } = createScene({}, { surfaces: [surface] });
    call('todo-app__odd_one', { any: 1 });
    expect(page.requests).toHaveLength(1);
    expect(console.warn).toHaveBeenCalledWith(expect.stringContaining('odd_one'));
  });

  it.each([
    ['todo-app__nothing', 'ACTION_NOT_FOUND', 'todo-app__add_todo'],
    ['nonsense', 'ACTION_NOT_FOUND', 'todo-app__add_todo'],
    ['other__add_todo', 'SURFACE_UNAVAILABLE', 'todo-app'],
    [{ surfaceId: 'todo-app', actionId: 'ad_todo' }, 'ACTION_NOT_FOUND', 'add_todo, list_todos'],
    [{ surfaceId: 'other', actionId: 'add_todo' }, 'SURFACE_UNAVAILABLE', 'todo-app'],
  ])('of %j is answered %s, naming what there is', async (target, code, names) => {
    const { agent } = createScene();
    const { result } = await agent.call(target, { title: 'x' });
    expect(result).toMatchObject({ success: false, error: { code, details: { ran: false } } });
    expect(result.error?.message).toContain(names);
  });

  it('reaches a disabled action by its name: the page has the last word', () => {
    const surface = { ...todos, actions: [action('off_now', { enabled: false, disabledReason: 'no rights' })] };
    const { agent, page, call } = createScene({}, { surfaces: [surface] });
    expect(agent.tools()).toEqual([]);
    call('todo-app__off_now');
    expect(page.requests).toHaveLength(1);
  });

  it('reads the error codes of the reference library', async () => {
    const { page, call } = createScene();
    for (const [theirs, ours] of [
      ['SURFACE_NOT_MOUNTED', 'SURFACE_UNAVAILABLE'],
      ['ACTION_EXECUTION_ERROR', 'EXECUTION_ERROR'],
      ['app:full', 'app:full'],
    ]) {
      const { done, requestId } = call(ADD);
      page.result(requestId, { success: false, error: { code: theirs, message: 'm' } });
      expect((await done).result.error).toEqual({ code: ours, message: 'm' });
    }
  });

  it('ends at once when its answer cannot be read, and the page cannot be told', async () => {
    const { page, call } = createScene({}, { hello: { features: ['receipt'] } });
    const { done, requestId } = call(ADD);
    page.say('action:result', { requestId, success: false, timestamp: 1 });
    expect((await done).result.error).toMatchObject({ code: 'INTERNAL_ERROR', details: { ran: 'unknown' } });
  });

  it('waits for the smaller form of an answer that it refused', async () => {
    const { page, call, clock } = createScene();
    const { done, requestId } = call(ADD);
    page.say('x-oui:receipt', { requestId, ok: true });
    clock.advance(34_000);
    page.say('action:result', { requestId, success: false, timestamp: 1 });
    expect(page.heard('x-oui:ack')).toMatchObject([{ requestId, interim: false, ok: false }]);
    page.say('x-oui:receipt', { requestId, ok: true });
    clock.advance(4_999);
    const delivery = { trimmed: true, reason: 'malformed', omitted: ['observations', 'data'] };
    page.result(requestId, { delivery });
    expect((await done).result).toMatchObject({ success: true, delivery });
    expect(page.heard('x-oui:ack')[1]).toEqual({ requestId, interim: false, ok: true });
    expect(clock.open).toBe(0);
  });

  it('waits for the smaller form of a job\'s two answers', async () => {
    const { page, call, clock } = createScene();
    const { done, requestId } = call('todo-app__bulk_complete', {});
    page.say('action:result', { requestId, success: false, interim: true, timestamp: 1 });
    expect(page.heard('x-oui:ack')).toMatchObject([{ requestId, interim: true, ok: false }]);
    page.result(requestId, { interim: true });
    clock.advance(60_000);
    page.say('action:result', { requestId, success: false, interim: false, timestamp: 1 });
    page.say('x-oui:receipt', { requestId, ok: true });
    clock.advance(4_999);
    page.result(requestId, { interim: false, data: 'small' });
    expect((await done).result.data).toBe('small');
  });

  it('ends 5 s after an answer that cannot be read, when no smaller one comes', async () => {
    const { page, call, clock } = createScene();
    const { done, requestId } = call(ADD);
    page.say('action:result', { requestId, success: false, timestamp: 1 });
    clock.advance(5_000);
    const { result } = await done;
    expect(result.error).toMatchObject({ code: 'INTERNAL_ERROR', details: { ran: 'unknown' } });
    expect(result.error?.message).toContain('malformed');
    expect(clock.open).toBe(0);
  });

  it('ends then also when the page gives another sign of life meanwhile', async () => {
    const { page, call, clock } = createScene({}, { surfaces: [{ ...todos, concurrent: true }] });
    const early = call(ADD);
    const job = call('todo-app__bulk_complete', {});
    page.result(job.requestId, { interim: true });
    for (const { requestId } of [early, job]) {
      page.say('action:result', { requestId, success: false, timestamp: 1 });
      page.say('x-oui:receipt', { requestId, ok: true });
    }
    page.say('observation:update', {
      surfaceId: 'todo-app', observationId: 'todo-app:bulk_complete:status', timestamp: 3,
      value: { status: 'done', interim: false, requestId: job.requestId },
    });
    clock.advance(5_000);
    expect((await early.done).result.error?.code).toBe('INTERNAL_ERROR');
    expect((await job.done).result.error?.code).toBe('INTERNAL_ERROR');
  });

  it('is one of 100 at once and 50 a second: a loop ends at its own end', async () => {
    const { page, agent, clock } = createScene();
    const many = (count: number) => Array.from({ length: count }, () => agent.call('todo-app__list_todos'));
    const [refused] = many(101).slice(100);
    expect((await refused)?.result.error).toMatchObject({ code: 'oui:rate_limited', details: { ran: false } });
    expect(page.requests).toHaveLength(100);
    clock.advance(500);
    const before = page.requests.length;
    void many(30);
    expect(page.requests.length - before).toBe(25);
  });

  it('is one of as many as the option says', async () => {
    const { page, agent } = createScene({ rateLimit: { perSecond: 1, burst: 2 } });
    const calls = Array.from({ length: 3 }, () => agent.call('todo-app__list_todos'));
    expect(page.requests).toHaveLength(2);
    expect((await calls[2])?.result.error?.message).toContain('at most 2 calls at once and 1 a second');
    expect(() => createScene({ rateLimit: { perSecond: 0, burst: 2 } })).toThrow(RangeError);
  });

  it('ends when the validator throws, and sends nothing', async () => {
    const validator: Validator = {
      compile: () => () => {
        throw new Error('too much recursion');
      },
    };
    const { agent, page } = createScene({ validator });
    const { result } = await agent.call(ADD, { title: 'Milk' });
    expect(result.error).toMatchObject({ code: 'INTERNAL_ERROR', details: { ran: false } });
    expect(result.error?.message).toContain('too much recursion');
    expect(page.requests).toEqual([]);
  });

  it('acknowledges every result, also one that nobody waits for', async () => {
    const { page, call } = createScene();
    const { done, requestId } = call(ADD);
    page.result(requestId);
    page.result(requestId);
    page.result('from-another-life', { interim: true });
    await done;
    expect(page.heard('x-oui:ack')).toEqual([
      { requestId, interim: false, ok: true },
      { requestId, interim: false, ok: true },
      { requestId: 'from-another-life', interim: true, ok: true },
    ]);
  });

  it('speaks plain v1 to a page without a hello', async () => {
    const { page, call } = createScene({}, { plain: true });
    const abort = new AbortController();
    const { done, requestId } = call(ADD, { title: 'x' }, { signal: abort.signal });
    page.result(requestId);
    await done;
    abort.abort();
    expect(page.sent.map(({ type }) => type)).toEqual(['action:request']);
  });
});

describe('one action at a time', () => {
  it('queues the actions of a surface and sends them in order', async () => {
    const { page, call, agent } = createScene();
    const first = call(ADD, { title: 'one' });
    const second = agent.call(ADD, { title: 'two' });
    const third = agent.call(ADD, { title: 'three' });
    await turnOfTheLoop();
    expect(page.requests).toHaveLength(1);
    const next = page.next('action:request');
    page.result(first.requestId);
    await first.done;
    expect((await next).payload['params']).toEqual({ title: 'two' });
    expect(page.requests).toHaveLength(2);
    const last = page.next('action:request');
    page.result(page.requests[1]?.requestId ?? '');
    await second;
    expect((await last).payload['params']).toEqual({ title: 'three' });
    page.result(page.requests[2]?.requestId ?? '');
    await third;
  });

  it('lets reads, other surfaces and surfaces that say concurrent go on', () => {
    const other = { ...todos, id: 'other' };
    const free = { ...todos, id: 'free', concurrent: true };
    const { call } = createScene({}, { surfaces: [todos, other, free] });
    call(ADD);
    call('todo-app__list_todos');
    call('other__add_todo');
    call('free__add_todo');
    call('free__add_todo');
  });

  it('goes on after an acknowledgment, and while the page asks its user', async () => {
    const { page, call, agent } = createScene();
    const job = call('todo-app__bulk_complete', {});
    const deletion = agent.call('todo-app__delete_todo', {});
    let next = page.next('action:request');
    page.result(job.requestId, { interim: true });
    const { requestId } = (await next).payload as { requestId: string };
    const addition = agent.call(ADD, { title: 'x' });
    next = page.next('action:request');
    page.say('x-oui:approval', { requestId, argsHash: 'h', expiresAt: 2_000_000_000_000, state: 'pending' });
    expect((await next).payload['actionId']).toBe('add_todo');
    for (const request of page.requests) page.result(request.requestId, { interim: false });
    await Promise.all([job.done, deletion, addition]);
  });

  it('keeps the turn of a cancelled call until the page is done with it', async () => {
    const { page, call, agent } = createScene({}, { plain: true });
    const abort = new AbortController();
    const first = call(ADD, { title: 'one' }, { signal: abort.signal });
    const second = agent.call(ADD, { title: 'two' });
    abort.abort();
    expect((await first.done).result.error?.code).toBe('oui:cancelled');
    await turnOfTheLoop();
    expect(page.requests).toHaveLength(1);
    const next = page.next('action:request');
    page.result(first.requestId);
    await next;
    page.result(page.requests[1]?.requestId ?? '');
    expect((await second).result.success).toBe(true);
  });

  it('ends waiting calls when their surface leaves, and keeps the one that runs', async () => {
    const { page, call, agent } = createScene();
    const running = call(ADD, { title: 'one' });
    const waiting = agent.call(ADD, { title: 'two' });
    page.say('surface:deregister', { surfaceId: 'todo-app', timestamp: 2 });
    expect(agent.tools()).toEqual([]);
    expect((await waiting).result.error).toMatchObject({ code: 'SURFACE_UNAVAILABLE', details: { ran: false } });
    page.result(running.requestId, { data: 'left' });
    expect((await running.done).result).toMatchObject({ success: true, data: 'left' });
  });
});

describe('cancelling', () => {
  it('tells the page and resolves at once', async () => {
    const { page, call } = createScene();
    const abort = new AbortController();
    const { done, requestId } = call(ADD, { title: 'x' }, { signal: abort.signal });
    abort.abort();
    expect((await done).result.error).toMatchObject({ code: 'oui:cancelled', details: { ran: 'unknown' } });
    expect(page.heard('x-oui:cancel')).toEqual([{ requestId }]);
  });

  it('means nothing after the end', async () => {
    const { page, call } = createScene();
    const abort = new AbortController();
    const { done, requestId } = call(ADD, { title: 'x' }, { signal: abort.signal });
    page.result(requestId);
    expect((await done).result.success).toBe(true);
    abort.abort();
    expect(page.heard('x-oui:cancel')).toEqual([]);
  });

  it('discards what still comes of a job', async () => {
    const { page, call, agent } = createScene();
    const abort = new AbortController();
    const { done, requestId } = call('todo-app__bulk_complete', {}, { signal: abort.signal });
    abort.abort();
    await done;
    page.result(requestId, { interim: true });
    page.result(requestId, { interim: false, surfaces: [], surfacesHash: 'fnv1a64:00000000000000aa' });
    expect(agent.surfaces()).toEqual([todos]);
    call(ADD);
  });

  it('sends nothing when the signal has fired before, or while waiting', async () => {
    const { page, call, agent } = createScene();
    const { result } = await agent.call(ADD, { title: 'x' }, { signal: AbortSignal.abort() });
    expect(result.error).toMatchObject({ code: 'oui:cancelled', details: { ran: false } });
    const running = call(ADD);
    const abort = new AbortController();
    const waiting = agent.call(ADD, { title: 'y' }, { signal: abort.signal });
    abort.abort();
    expect((await waiting).result.error).toMatchObject({ code: 'oui:cancelled', details: { ran: false } });
    page.result(running.requestId);
    await running.done;
    await turnOfTheLoop();
    expect(page.requests).toHaveLength(1);
    expect(page.heard('x-oui:cancel')).toEqual([]);
  });
});

describe('callbacks of a call', () => {
  it('are called in order, and what they throw disturbs nothing', async () => {
    const { page, call } = createScene();
    const seen: unknown[] = [];
    const note = (what: string) => (value?: unknown) => {
      seen.push([what, value]);
      throw new Error('from the application');
    };
    const { done, requestId } = call('todo-app__bulk_complete', {}, {
      onReceipt: note('receipt'), onAcknowledged: note('acknowledged'), onProgress: note('progress'),
    });
    page.say('x-oui:receipt', { requestId, ok: true });
    page.result(requestId, { interim: true, data: { trackingId: requestId } });
    const status = { status: 'running', done: 1, interim: true, requestId };
    const jobs = { [requestId]: status, other: {} };
    page.say('observation:update', {
      surfaceId: 'todo-app', observationId: 'todo-app:bulk_complete:status', value: { ...status, jobs }, timestamp: 5,
    });
    page.result(requestId, { interim: false, data: 2 });
    const { result, acknowledgment, changed } = await done;
    expect(result.data).toBe(2);
    expect(acknowledgment?.data).toEqual({ trackingId: requestId });
    expect(changed).toEqual({});
    expect(seen.map((entry) => (entry as unknown[])[0])).toEqual(['receipt', 'acknowledged', 'progress']);
    expect(seen[2]).toEqual(['progress', status]);
  });
});
