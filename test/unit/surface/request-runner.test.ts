import { signal } from '@preact/signals-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ActionCall, ActionDefinition } from '../../../src/surface/definition/definition.js';
import { idle } from './hand-clock.js';
import { entry, mountedBench, running, surfaceOf } from './runtime-bench.js';

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}));
afterEach(() => vi.restoreAllMocks());

const answered = (requestId: string) => ({ kind: 'journal', entry: entry(requestId, 'answered') }) as const;

async function setUp(handler: ActionDefinition<string>['handler'], context: () => string = () => 'context') {
  const surface = surfaceOf<string>([{ id: 'go_on', handler }], [{ id: 'open_count' }]);
  return mountedBench(surface, {}, context);
}

describe('a handler', () => {
  it('gets params, the context of this moment and its call, and not within the engine\'s turn', async () => {
    const handler = vi.fn();
    let now = 'early';
    const { host } = await setUp(handler, () => now);
    host.play(...running('r1', 'go_on', { params: { title: 'x' } }));
    expect(handler).not.toHaveBeenCalled();
    now = 'late';
    await idle();
    const call: unknown = expect.objectContaining({ requestId: 'r1', signal: expect.any(AbortSignal) as unknown });
    expect(handler).toHaveBeenCalledExactlyOnceWith({ title: 'x' }, 'late', call);
  });

  it('that needs no settling answers in one batch, what it changed first', async () => {
    const count = signal(0);
    const { host, mounted, clock } = await setUp(() => void (count.value = 1));
    mounted.observe('open_count', count);
    await clock.advance(10);
    const before = host.batches.length;
    host.play(...running('r1', 'go_on'));
    await idle();
    expect(host.batches.slice(before)).toEqual([['returned', 'observe', 'settled']]);
    expect(host.last('returned')).toEqual({ kind: 'returned', requestId: 'r1', outcome: { success: true } });
    expect(host.last('observe')?.value).toBe('1');
    expect(host.last('settled')?.settled).toBe(true);
  });

  it('that changes the page is answered when it has settled, pending observations first', async () => {
    const { host, mounted, clock } = await setUp(() => ({ id: 7 }));
    mounted.pushObservation('open_count', 1);
    await clock.advance(10);
    host.play(...running('r1', 'go_on', { settle: 'quiet' }));
    await idle();
    expect(host.kinds().slice(-1)).toEqual(['returned']);
    await clock.advance(249);
    mounted.pushObservation('open_count', 2);
    await clock.advance(249);
    mounted.pushObservation('open_count', 2);
    expect(host.all('settled')).toEqual([]);
    await clock.advance(1);
    expect(host.kinds().slice(-3)).toEqual(['returned', 'observe', 'settled']);
  });

  it('that waits for the page to settle tells at once what it has changed', async () => {
    const { host, mounted, clock } = await setUp(() => mounted.pushObservation('open_count', 2));
    mounted.pushObservation('open_count', 1);
    await clock.advance(10);
    const before = host.batches.length;
    host.play(...running('r1', 'go_on', { settle: 'quiet' }));
    await idle();
    expect(host.batches.slice(before)).toEqual([['observe', 'returned']]);
    expect(host.last('observe')?.value).toBe('2');
  });

  it('that changes other surfaces too is answered behind the values of all of them', async () => {
    const { host, mounted, runtime, clock } = await setUp(() => {
      mounted.pushObservation('open_count', 2);
      other.pushObservation('open_count', 3);
    });
    const other = runtime.mount(surfaceOf([{ id: 'go_on' }], [{ id: 'open_count' }], 'other-one'));
    mounted.pushObservation('open_count', 0);
    other.pushObservation('open_count', 0);
    await clock.advance(10);
    const before = host.batches.length;
    host.play(...running('r1', 'go_on'));
    await idle();
    expect(host.batches.slice(before)).toEqual([['returned', 'observe', 'observe', 'settled']]);
    expect(host.all('observe').slice(-2)).toMatchObject([{ mountId: 1, value: '2' }, { mountId: 2, value: '3' }]);
  });

  it('that does not come to rest says so', async () => {
    const { host, runtime, clock } = await setUp(() => undefined);
    runtime.hold();
    host.play(...running('r1', 'go_on', { settle: 'quiet' }));
    await clock.advance(5000);
    expect(host.last('settled')).toEqual({ kind: 'settled', requestId: 'r1', settled: false });
  });

  it.each<[what: string, handler: () => unknown]>([
    ['throws', () => { throw new Error('Broke.'); }],
    ['rejects', () => Promise.reject(new Error('Broke.'))],
  ])('that %s is an EXECUTION_ERROR', async (_what, handler) => {
    const { host } = await setUp(handler);
    host.play(...running('r1', 'go_on'));
    await idle();
    expect(host.last('returned')?.outcome).toEqual({
      success: false,
      error: { code: 'EXECUTION_ERROR', message: 'Broke.' },
    });
  });

  it('whose context cannot be had is an EXECUTION_ERROR, and does not run', async () => {
    const handler = vi.fn();
    const { host } = await setUp(handler, () => {
      throw new Error('No context.');
    });
    host.play(...running('r1', 'go_on'));
    await idle();
    expect(handler).not.toHaveBeenCalled();
    expect(host.last('returned')?.outcome.error?.message).toBe('No context.');
  });

  it('goes on when its surface leaves the page; one that had not started does not start', async () => {
    let finish = (): void => {};
    const { host, mounted } = await setUp(() => new Promise<void>((resolve) => (finish = resolve)));
    host.play(...running('r1', 'go_on'));
    await idle();
    mounted.unmount();
    host.play(...running('r2', 'go_on'));
    finish();
    await idle();
    expect(host.all('returned').map(({ requestId, outcome }) => [requestId, outcome.error?.code])).toEqual([
      ['r2', 'SURFACE_UNAVAILABLE'],
      ['r1', undefined],
    ]);
  });

  it('is the newest one after update', async () => {
    const { host, mounted } = await setUp(() => 'old');
    mounted.update(surfaceOf<string>([{ id: 'go_on', handler: () => 'new', settle: 'sync' }]));
    await idle();
    expect(host.last('define')).toMatchObject({
      mountId: 1,
      surface: { id: 'todo-app' },
      policies: { go_on: { settle: 'sync' } },
    });
    host.play(...running('r1', 'go_on'));
    await idle();
    expect(host.last('returned')?.outcome.data).toBe('"new"');
  });

  it('that an update took away does not run, and the answer says so', async () => {
    const handler = vi.fn();
    const { host, mounted } = await setUp(handler);
    mounted.update(surfaceOf<string>([{ id: 'next_one' }]));
    host.play(...running('r1', 'go_on'));
    await idle();
    expect(handler).not.toHaveBeenCalled();
    const { error } = host.last('returned')!.outcome;
    expect(error).toMatchObject({ code: 'ACTION_NOT_FOUND', details: { ran: false } });
    expect(error?.message).toContain('an update');
  });

  it('is not disturbed in its settling by an update that changes handlers only', async () => {
    const { host, mounted, clock } = await setUp(() => 'old');
    host.play(...running('r1', 'go_on', { settle: 'quiet' }));
    await idle();
    await clock.advance(200);
    mounted.update(surfaceOf<string>([{ id: 'go_on', handler: () => 'new' }], [{ id: 'open_count' }]));
    await clock.advance(50);
    expect(host.all('settled')).toHaveLength(1);
    expect(host.all('define')).toEqual([]);
    host.play(...running('r2', 'go_on'));
    await idle();
    expect(host.last('returned')?.outcome.data).toBe('"new"');
  });

  it('reports progress as JSON while it runs', async () => {
    let call: ActionCall | undefined;
    const { host } = await setUp(async (_params, _context, given) => {
      call = given;
      given.progress({ done: 1 });
      given.progress(undefined);
    });
    host.play(...running('r1', 'go_on'));
    await idle();
    call!.progress({ done: 2 });
    expect(host.all('progress').map(({ value }) => value)).toEqual(['{"done":1}', 'null']);
  });

  it('runs another action as part of itself', async () => {
    const { host } = await setUp(async (_params, _context, { execute }) => {
      const { success, data } = await execute({ surfaceId: 'todo-app', actionId: 'next_one', params: { n: 1 } });
      return { success, data };
    });
    host.play(...running('r1', 'go_on'));
    await idle();
    const { request, nested } = host.last('execute')!;
    expect(nested).toBe(true);
    expect(request).toMatchObject({ surfaceId: 'todo-app', actionId: 'next_one', params: { n: 1 } });
    const { requestId } = request;
    host.play({ kind: 'executed', requestId, result: { requestId, success: true, data: 5, timestamp: 1 } });
    await idle();
    expect(host.last('returned')?.outcome).toEqual({ success: true, data: '5' });
  });
});

describe('ended from outside', () => {
  it('fires the signal with the error, withdraws what is nested, and settles nothing', async () => {
    const reasons: unknown[] = [];
    const { host } = await setUp(async (_params, _context, { signal, execute }) => {
      signal.addEventListener('abort', () => reasons.push(signal.reason));
      await execute({ surfaceId: 'todo-app', actionId: 'next_one' });
    });
    host.play(...running('r1', 'go_on', { settle: 'quiet' }));
    await idle();
    host.play({ kind: 'abort', requestId: 'r1', error: { code: 'TIMEOUT', message: 'Too slow.' } });
    expect(reasons).toEqual([expect.objectContaining({ name: 'AbortError', code: 'TIMEOUT', message: 'Too slow.' })]);
    expect(reasons[0]).toBeInstanceOf(Error);
    const { requestId } = host.last('execute')!.request;
    expect(host.last('withdraw')).toEqual({ kind: 'withdraw', requestId });
    host.play({ kind: 'executed', requestId, result: { requestId, success: false, timestamp: 1 } });
    await idle();
    expect(host.kinds().slice(-2)).toEqual(['returned', 'settled']);
  });

  it('withdraws what is nested also when that has a signal of its own', async () => {
    const own = new AbortController();
    const next = { surfaceId: 'todo-app', actionId: 'next_one' };
    const { host } = await setUp((_params, _context, { execute }) => execute({ ...next, signal: own.signal }));
    host.play(...running('r1', 'go_on'), ...running('r2', 'go_on'));
    await idle();
    host.play({ kind: 'abort', requestId: 'r1', error: { code: 'TIMEOUT', message: 'Too slow.' } });
    expect(host.all('withdraw')).toHaveLength(1);
    own.abort();
    const withdrawn = host.all('withdraw').map(({ requestId }) => requestId);
    expect(new Set(withdrawn)).toEqual(new Set(host.all('execute').map(({ request }) => request.requestId)));
  });

  it('before it started: it does not start', async () => {
    const handler = vi.fn();
    const { host } = await setUp(handler);
    host.play(...running('r1', 'go_on'), { kind: 'abort', requestId: 'r1', error: { code: 'TIMEOUT', message: '' } });
    await idle();
    expect(handler).not.toHaveBeenCalled();
  });

  it('while settling: the settling ends', async () => {
    const { host, clock } = await setUp(() => undefined);
    host.play(...running('r1', 'go_on', { settle: 'quiet' }));
    await idle();
    host.play({ kind: 'abort', requestId: 'r1', error: { code: 'oui:cancelled', message: '' } });
    await idle();
    expect(host.last('settled')?.settled).toBe(false);
    expect(clock.timers).toEqual([]);
  });
});

describe('an engine that takes over', () => {
  it('does not start a handler again that is running', async () => {
    let finish = (): void => {};
    const handler = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
    const { host, worker } = await setUp(handler);
    host.play(...running('r1', 'go_on'));
    await idle();
    host.lose();
    await idle();
    worker.host.play(...running('r1', 'go_on'));
    await idle();
    finish();
    await idle();
    expect(handler).toHaveBeenCalledTimes(1);
    expect(worker.host.kinds().slice(-2)).toEqual(['returned', 'settled']);
  });

  it('gets the outcome of a handler that ended without an engine, after the journal', async () => {
    const { host, worker, clock } = await setUp(() => 'done');
    host.play(...running('r1', 'go_on', { settle: 'quiet' }));
    host.lose();
    await idle();
    const second = worker.host;
    expect(second.kinds()).toEqual(['configure', 'mount', 'restore', 'returned']);
    expect(second.last('restore')?.entries).toEqual([entry('r1', 'running', { losses: 1 })]);
    await clock.advance(250);
    expect(second.last('settled')).toEqual({ kind: 'settled', requestId: 'r1', settled: true });
    second.lose();
    await idle();
    expect(worker.host.kinds()).toEqual(['configure', 'mount', 'restore', 'returned', 'settled']);
    worker.host.play(answered('r1'));
    worker.host.lose();
    await idle();
    expect(worker.host.kinds()).toEqual(['configure', 'mount', 'restore']);
  });

  it('is not told what a handler came to after its request had ended', async () => {
    let finish = (): void => {};
    const { host, worker } = await setUp(() => new Promise<void>((resolve) => (finish = resolve)));
    host.play(...running('r1', 'go_on'));
    await idle();
    host.play(answered('r1'), { kind: 'abort', requestId: 'r1', error: { code: 'TIMEOUT', message: 'Too slow.' } });
    finish();
    await idle();
    host.lose();
    await idle();
    expect(worker.host.kinds()).toEqual(['configure', 'mount', 'restore']);
  });

  it('is told an outcome instead of running its handler a second time', async () => {
    const handler = vi.fn(() => 'done');
    const { host } = await setUp(handler);
    host.play(...running('r1', 'go_on'));
    await idle();
    host.play(...running('r1', 'go_on'));
    await idle();
    expect(handler).toHaveBeenCalledTimes(1);
    expect(host.all('returned').map(({ outcome }) => outcome.data)).toEqual(['"done"', '"done"']);
    expect(host.all('settled')).toHaveLength(2);
  });
});
