import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EngineEffect, EngineInput } from '../../../src/protocol/engine-messages.js';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import type { ActionDefinition, ActionPolling, DefinedSurface, PollAnswer } from '../../../src/surface/definition/definition.js';
import { Journal } from '../../../src/surface/document/journal.js';
import { PageTimers } from '../../../src/surface/clock/page-timers.js';
import { Attachments } from '../../../src/surface/requests/attachments.js';
import { RequestRunner } from '../../../src/surface/requests/request-runner.js';
import type { RunnableMount } from '../../../src/surface/requests/runnable-mount.js';
import type { SurfaceRuntime } from '../../../src/surface/runtime.js';
import { Settler } from '../../../src/surface/settle/settle.js';
import { HandClock, idle } from './hand-clock.js';
import { entry, mountedBench, request, running, surfaceOf } from './runtime-bench.js';
import type { ScriptedHost } from './scripted-host.js';

beforeEach(() => {
  resetWarnings();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

type Parts = Partial<ActionDefinition<string>> & { readonly polling: ActionPolling<string> };

const handler = () => ({ jobId: 'j1' });
const jobSurface = (parts: Parts) => surfaceOf<string>([{ id: 'render_chart', handler, ...parts }]);

/** A page whose action starts jobs, with the first one's handler called. */
async function started(parts: Parts, options: { readonly target?: EventTarget; readonly context?: () => string } = {}) {
  const { context = () => 'first', target } = options;
  const made = await mountedBench(jobSurface(parts), {}, context, target);
  made.host.play(...running('r1', 'render_chart'));
  await idle();
  return made;
}

const statuses = (host: ScriptedHost) => host.all('progress').map(({ value }) => JSON.parse(value) as unknown);
const outcome = (host: ScriptedHost) => host.last('returned')?.outcome;
const abort = (code: string): EngineEffect => ({ kind: 'abort', requestId: 'r1', error: { code, message: 'Over.' } });
/** A look whose answers the test gives. */
function asked() {
  const answers: ((answer: PollAnswer) => void)[] = [];
  const resolve = vi.fn((_result: unknown, _context: string) => new Promise<PollAnswer>((done) => answers.push(done)));
  return { resolve, answer: (index: number, answer: PollAnswer) => (answers[index]!(answer), idle()) };
}

describe('polling', () => {
  it('tells of the handler, looks after each interval, tells what it finds, and ends the job', async () => {
    const resolve = vi.fn()
      .mockReturnValueOnce({ done: false, data: { progress: 45 } })
      .mockResolvedValueOnce({ done: true, data: { url: '/chart.png' } });
    const contexts = ['first', 'second', 'third'];
    const context = () => contexts.shift()!;
    const { host, clock } = await started({ polling: { intervalMs: 2_000, resolve } }, { context });
    expect(host.kinds().slice(-1)).toEqual(['dispatched']);
    expect(host.last('dispatched')).toEqual({ kind: 'dispatched', requestId: 'r1', data: '{"jobId":"j1"}' });
    await clock.advance(1_999);
    expect(resolve).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(statuses(host)).toEqual([{ progress: 45 }]);
    await clock.advance(2_000);
    expect(resolve.mock.calls).toEqual([[{ jobId: 'j1' }, 'second'], [{ jobId: 'j1' }, 'third']]);
    expect(host.kinds().slice(-2)).toEqual(['returned', 'settled']);
    expect(outcome(host)).toEqual({ success: true, data: '{"url":"/chart.png"}' });
    await clock.advance(60_000);
    expect(resolve).toHaveBeenCalledTimes(2);
    expect(clock.timers).toEqual([]);
  });

  it('keeps its status in snapshots when its surface is updated', async () => {
    const polling = { intervalMs: 2_000, resolve: () => ({ done: false }) };
    const { host, mounted, runtime } = await started({ polling });
    const { mountId } = host.last('mount')!;
    const observationId = 'todo-app:render_chart:status';
    host.play({ kind: 'status', mountId, surfaceId: 'todo-app', observationId, value: '{"status":"running"}' });
    mounted.update(jobSurface({ polling, description: 'Renders it anew' }));
    expect(runtime.snapshot().observations).toEqual({ 'todo-app': { [observationId]: { status: 'running' } } });
  });

  it('never overlaps itself: a slow look is waited for', async () => {
    const { resolve, answer } = asked();
    const { host, clock } = await started({ polling: { intervalMs: 1_000, resolve } });
    await clock.advance(30_000);
    expect(resolve).toHaveBeenCalledTimes(1);
    await answer(0, { done: false });
    await clock.advance(999);
    expect(resolve).toHaveBeenCalledTimes(1);
    await clock.advance(1);
    expect(resolve).toHaveBeenCalledTimes(2);
    await answer(1, { done: true });
    expect(outcome(host)).toEqual({ success: true });
  });

  it.each<[what: string, look: () => unknown, message: RegExp]>([
    ['throws', () => { throw new Error('Offline.'); }, /^Offline\.$/],
    ['rejects', () => Promise.reject(new Error('Offline.')), /^Offline\.$/],
    ['gives no answer', () => undefined, /polling\.resolve of Action "render_chart" .* must return/],
  ])('that %s is a status, and the job goes on', async (_what, look, message) => {
    const resolve = vi.fn().mockImplementationOnce(look).mockReturnValue({ done: true, data: 1 });
    const { host, clock } = await started({ polling: { intervalMs: 1_000, resolve } });
    await clock.advance(1_000);
    const error = { code: 'EXECUTION_ERROR', message: expect.stringMatching(message) as unknown };
    expect(statuses(host)).toEqual([{ error }]);
    await clock.advance(1_000);
    expect(outcome(host)).toEqual({ success: true, data: '1' });
  });

  it('keeps the report of a job that failed', async () => {
    const error = { code: 'RENDER_FAILED', message: 'Out of memory.' };
    const { host, clock } = await started({
      polling: { intervalMs: 1_000, resolve: () => ({ done: true, data: { status: 'failed' }, error }) },
    });
    await clock.advance(1_000);
    expect(outcome(host)).toEqual({ success: false, data: '{"status":"failed"}', error });
  });

  it('ends with TIMEOUT after maxAttempts looks', async () => {
    const resolve = vi.fn(() => ({ done: false, data: 1 }));
    const { host, clock } = await started({ polling: { intervalMs: 1_000, maxAttempts: 3, resolve } });
    await clock.advance(2_999);
    expect(outcome(host)).toBeUndefined();
    await clock.advance(1);
    expect(outcome(host)?.error?.code).toBe('TIMEOUT');
    expect(outcome(host)?.error?.message).toContain('3 times');
    expect(statuses(host)).toEqual([1, 1, 1]);
  });

  it.each([
    [{ success: true, data: { id: 1 }, dispatchMeta: { id: 2 } }, { id: 1 }],
    [{ success: true, dispatchMeta: { id: 2 } }, { id: 2 }],
    [{ success: true, data: null, dispatchMeta: { id: 2 } }, null],
    ['j1', 'j1'],
    [undefined, undefined],
  ])('of a handler that returned %j gets %j', async (value, expected) => {
    const resolve = vi.fn(() => ({ done: true }));
    const { clock } = await started({ handler: () => value, polling: { intervalMs: 1_000, resolve } });
    await clock.advance(1_000);
    expect(resolve.mock.calls).toEqual([[expected, 'first']]);
  });

  it('does not begin when the handler fails: one end, nothing before it', async () => {
    const resolve = vi.fn();
    const failing = () => ({ success: false });
    const { host, clock } = await started({ handler: failing, polling: { intervalMs: 1_000, resolve } });
    await clock.advance(10_000);
    expect(host.all('dispatched')).toEqual([]);
    expect(outcome(host)?.success).toBe(false);
    expect(resolve).not.toHaveBeenCalled();
  });

  it('with neither resolve nor subscribe ends with the handler', async () => {
    const { host } = await started({ polling: { intervalMs: 0 } });
    expect(host.kinds().slice(-3)).toEqual(['dispatched', 'returned', 'settled']);
    expect(outcome(host)).toEqual({ success: true, data: '{"jobId":"j1"}' });
  });

  const ends = ['oui:cancelled', 'ACTION_DENIED', 'TIMEOUT', 'SUPERSEDED'];
  it.each(ends)('ends when the engine ends the job: %s', async (code) => {
    const resolve = vi.fn(() => ({ done: false }));
    let signal: AbortSignal | undefined;
    const { host, clock } = await started({
      handler: (_params, _context, call) => void (signal = call.signal),
      polling: { intervalMs: 1_000, resolve },
    });
    await clock.advance(1_000);
    host.play(abort(code));
    expect(signal?.aborted).toBe(true);
    expect(clock.timers).toEqual([]);
    await clock.advance(10_000);
    expect(resolve).toHaveBeenCalledTimes(1);
  });

  it('ends with the runtime', async () => {
    const { resolve, answer } = asked();
    const { host, clock, runtime } = await started({ polling: { intervalMs: 1_000, resolve } });
    await clock.advance(1_000);
    runtime.dispose();
    host.play({ kind: 'closed' });
    await answer(0, { done: false });
    expect(clock.timers).toEqual([]);
    expect(host.all('progress')).toEqual([]);
  });

  it('settles in the end like any action', async () => {
    const surface = jobSurface({ polling: { intervalMs: 1_000, resolve: () => ({ done: true }) } });
    const made = await mountedBench(surface, {}, () => '');
    made.host.play(...running('r1', 'render_chart', { settle: 'quiet' }));
    await made.clock.advance(1_249);
    expect(made.host.kinds().slice(-1)).toEqual(['returned']);
    await made.clock.advance(1);
    expect(made.host.last('settled')?.settled).toBe(true);
  });
});

describe('a job whose surface leaves the page', () => {
  const polling = (resolve: NonNullable<ActionPolling<string>['resolve']>) => ({ intervalMs: 1_000, resolve });

  it('is not looked at meanwhile, and goes on when the surface is back, without the action too', async () => {
    const resolve = vi.fn(() => ({ done: true, data: 'done' }));
    const { host, clock, mounted, runtime } = await started({ polling: polling(resolve) });
    mounted.unmount();
    await clock.advance(4_999);
    expect(resolve).not.toHaveBeenCalled();
    runtime.mount(surfaceOf<string>([{ id: 'other_one' }]), () => 'second');
    await clock.advance(1);
    expect(resolve.mock.calls).toEqual([[{ jobId: 'j1' }, 'second']]);
    expect(outcome(host)).toEqual({ success: true, data: '"done"' });
  });

  it('ends with SURFACE_UNAVAILABLE after five seconds away', async () => {
    const { host, clock, mounted } = await started({ polling: polling(() => ({ done: false })) });
    await clock.advance(500);
    mounted.unmount();
    await clock.advance(4_999);
    expect(outcome(host)).toBeUndefined();
    await clock.advance(1);
    expect(outcome(host)?.error?.code).toBe('SURFACE_UNAVAILABLE');
    expect(clock.timers).toEqual([]);
  });

  it('ends while it is away when the engine ends it', async () => {
    const { host, clock, mounted } = await started({ polling: polling(() => ({ done: false })) });
    mounted.unmount();
    host.play(abort('oui:cancelled'));
    expect(clock.timers).toEqual([]);
  });

  it('counts anew each time it leaves', async () => {
    const made = await started({ polling: { intervalMs: 60_000, resolve: () => ({ done: false }) } });
    const { host, clock, mounted, runtime } = made;
    mounted.unmount();
    await clock.advance(4_000);
    const back = runtime.mount(surfaceOf<string>([{ id: 'other_one' }]), () => 'second');
    await clock.advance(4_000);
    back.unmount();
    await clock.advance(4_000);
    expect(outcome(host)).toBeUndefined();
    await clock.advance(1_000);
    expect(outcome(host)?.error?.code).toBe('SURFACE_UNAVAILABLE');
  });

  it('is waited for while its handler runs: the five seconds begin when it has returned', async () => {
    let finish = (): void => {};
    const handler = () => new Promise<void>((resolve) => (finish = resolve));
    const { host, clock, mounted } = await started({ handler, polling: polling(() => ({ done: true })) });
    mounted.unmount();
    await clock.advance(60_000);
    expect(outcome(host)).toBeUndefined();
    finish();
    await clock.advance(5_000);
    expect(host.all('dispatched')).toHaveLength(1);
    expect(outcome(host)?.error?.code).toBe('SURFACE_UNAVAILABLE');
  });

  it('keeps the polling it was started with when the surface is updated', async () => {
    const { host, clock, mounted } = await started({ polling: polling(() => ({ done: true, data: 'old' })) });
    mounted.update(jobSurface({ polling: polling(() => ({ done: true, data: 'new' })) }));
    await clock.advance(1_000);
    expect(outcome(host)?.data).toBe('"old"');
  });
});

describe('subscribe', () => {
  const subscribe = { event: 'job:complete', filter: { jobId: '$dispatchResult.jobId' } };
  const polling = { intervalMs: 0, subscribe };
  const mine = { jobId: 'j1', url: '/chart.png' };
  type Deliver = (payload: unknown) => void;
  type Ways = { readonly host: ScriptedHost; readonly runtime: SurfaceRuntime; readonly target: EventTarget };

  it.each<[way: string, deliver: (ways: Ways) => Deliver]>([
    [
      'a message from the agent\'s end',
      ({ host }) => (payload) => host.play({ kind: 'event', event: 'job:complete', payload }),
    ],
    ['runtime.emit', ({ runtime }) => (payload) => runtime.emit('job:complete', payload)],
    [
      'a DOM event on its element',
      ({ target }) => (detail) => void target.dispatchEvent(new CustomEvent('job:complete', { detail })),
    ],
  ])('ends the job with %s that fits the filter', async (_way, deliver) => {
    const target = new EventTarget();
    const made = await started({ polling }, { target });
    const give = deliver({ ...made, target });
    give({ jobId: 'j2' });
    give(undefined);
    await idle();
    expect(outcome(made.host)).toBeUndefined();
    give(mine);
    await idle();
    expect(outcome(made.host)).toEqual({ success: true, data: JSON.stringify(mine) });
  });

  it('is deaf to other events', async () => {
    const { host, runtime } = await started({ polling });
    runtime.emit('job:other', mine);
    await idle();
    expect(outcome(host)).toBeUndefined();
  });

  it('hears what comes between the handler\'s start and its return', async () => {
    let finish: (value: unknown) => void = () => {};
    const handler = () => new Promise((resolve) => (finish = resolve));
    const { host, runtime } = await started({ handler, polling });
    runtime.emit('job:complete', { jobId: 'j2' });
    runtime.emit('job:complete', mine);
    finish({ jobId: 'j1' });
    await idle();
    expect(host.kinds().slice(-3)).toEqual(['dispatched', 'returned', 'settled']);
    expect(outcome(host)?.data).toBe(JSON.stringify(mine));
  });

  it('keeps the newest hundred of those, and says when it dropped some', async () => {
    let finish: (value: unknown) => void = () => {};
    const handler = () => new Promise((resolve) => (finish = resolve));
    const { host, runtime } = await started({ handler, polling });
    runtime.emit('job:complete', mine);
    for (let index = 0; index < 99; index++) runtime.emit('job:complete', { jobId: 'other' });
    expect(console.warn).not.toHaveBeenCalled();
    runtime.emit('job:complete', { jobId: 'other' });
    expect(console.warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('OUI1203'));
    finish({ jobId: 'j1' });
    await idle();
    expect(outcome(host)).toBeUndefined();
  });

  it('takes a payload with an error as a failure, and keeps the payload', async () => {
    const { host, runtime } = await started({ polling });
    const payload = { jobId: 'j1', error: { code: 'app:full', message: 'Disk full.' } };
    runtime.emit('job:complete', payload);
    await idle();
    expect(outcome(host)).toEqual({ success: false, data: JSON.stringify(payload), error: payload.error });
  });

  it('with a path that leads nowhere ends at once: nothing would ever match', async () => {
    const { host } = await started({ handler: () => ({ id: 1 }), polling });
    expect(outcome(host)?.error).toMatchObject({
      code: 'EXECUTION_ERROR',
      message: expect.stringContaining('$dispatchResult.jobId') as unknown,
    });
  });

  it('and resolve: whichever ends first', async () => {
    const resolve = vi.fn(() => ({ done: false }));
    const { host, clock, runtime } = await started({ polling: { intervalMs: 1_000, resolve, subscribe } });
    await clock.advance(1_000);
    runtime.emit('job:complete', mine);
    await clock.advance(60_000);
    expect(resolve).toHaveBeenCalledTimes(1);
    expect(outcome(host)?.data).toBe(JSON.stringify(mine));
  });

  it('listens on the element of the present mount, and on none when the job has ended', async () => {
    const [first, second] = [new EventTarget(), new EventTarget()];
    const { host, clock, mounted, runtime } = await started({ polling }, { target: first });
    const fire = (target: EventTarget) => target.dispatchEvent(new CustomEvent('job:complete', { detail: mine }));
    mounted.unmount();
    runtime.mount(surfaceOf<string>([{ id: 'other_one' }]), () => 'second', { target: second });
    fire(first);
    await clock.advance(5_000);
    expect(outcome(host)).toBeUndefined();
    const removed = vi.spyOn(second, 'removeEventListener');
    fire(second);
    await idle();
    expect(outcome(host)?.success).toBe(true);
    expect(removed).toHaveBeenCalledOnce();
  });
});

describe('jobs and the engine', () => {
  const polling = { intervalMs: 1_000, resolve: () => ({ done: true, data: 1 }) };

  it('a new engine hears that the handler returned, and the loop goes on', async () => {
    const { host, worker, clock } = await started({ polling });
    host.lose();
    await idle();
    expect(worker.host.kinds().slice(-2)).toEqual(['restore', 'dispatched']);
    expect(worker.host.last('dispatched')?.data).toBe('{"jobId":"j1"}');
    await clock.advance(1_000);
    expect(outcome(worker.host)).toEqual({ success: true, data: '1' });
    worker.host.lose();
    await idle();
    expect(worker.host.kinds().slice(-4)).toEqual(['restore', 'dispatched', 'returned', 'settled']);
    worker.host.play({ kind: 'journal', entry: entry('r1', 'answered') });
    worker.host.lose();
    await idle();
    expect(worker.host.kinds().slice(-1)).toEqual(['restore']);
  });

  it('only a resumable job is told of with what it can be followed by', async () => {
    const { host } = await started({ resumable: true, polling });
    expect(host.last('dispatched')).toMatchObject({ data: '{"jobId":"j1"}', dispatch: '{"jobId":"j1"}' });
    const silent = await started({ resumable: true, handler: () => undefined, polling });
    expect(silent.host.last('dispatched')).toEqual({ kind: 'dispatched', requestId: 'r1', dispatch: 'null' });
  });

  it('tells the listeners of onSettled, and one that throws breaks nothing', async () => {
    const { host, runtime } = await started({ polling });
    const listener = vi.fn();
    runtime.onSettled(() => {
      throw new Error('Mine.');
    });
    const off = runtime.onSettled(listener);
    const job = { requestId: 'r1', surfaceId: 'todo-app', actionId: 'render_chart', success: true };
    host.play({ kind: 'job-settled', job });
    expect(listener).toHaveBeenCalledExactlyOnceWith(job);
    off();
    host.play({ kind: 'job-settled', job });
    expect(listener).toHaveBeenCalledOnce();
  });
});

describe('a resumable job of an earlier document', () => {
  const resolve = vi.fn((_result: unknown, _context: string) => ({ done: true, data: 7 }));
  const polling = { intervalMs: 1_000, resolve };
  const left = entry('r1', 'running', { request: request('r1', 'render_chart'), dispatch: '{"jobId":"j1"}' });

  /** A runner of its own: which document an entry comes from is for the journal to know. */
  function newDocument() {
    const clock = new HandClock();
    const timers = new PageTimers(clock);
    const journal = new Journal();
    journal.record(left);
    const inputs: EngineInput[] = [];
    const page: { mount?: RunnableMount } = {};
    const runner = new RequestRunner(
      {
        mounted: () => undefined,
        serving: () => page.mount,
        post: (posted) => inputs.push(...posted),
        awaitEvent: () => () => undefined,
        takePending: () => [],
        execute: () => Promise.reject(new Error('Not here.')),
        attachments: new Attachments({ host: undefined, load: undefined, timers, post: () => {} }),
      },
      journal,
      new Settler({ timers, times: { quietMs: 250, timeoutMs: 5_000 }, flush: () => {}, work: undefined }),
      timers,
    );
    const mount = (surface: DefinedSurface<string>): void => {
      page.mount = {
        surface: surface as never,
        getContext: (() => 'new') as never,
        target: undefined,
        refusalNow: () => undefined,
      };
      runner.surfacesChanged();
    };
    runner.resume(left);
    return { clock, runner, mount, inputs, journal };
  }
  const outcomes = (inputs: readonly EngineInput[]) =>
    inputs.flatMap((input) => (input.kind === 'returned' ? [input.outcome] : []));

  it('goes on when a surface with its action is there', async () => {
    const { clock, mount, inputs, journal } = newDocument();
    await clock.advance(4_000);
    mount(surfaceOf<string>([{ id: 'other_one' }]));
    await clock.advance(999);
    expect(inputs).toEqual([]);
    mount(jobSurface({ resumable: true, polling }));
    await clock.advance(1_250);
    expect(resolve.mock.calls).toEqual([[{ jobId: 'j1' }, 'new']]);
    expect(inputs.map(({ kind }) => kind)).toEqual(['dispatched', 'returned', 'settled']);
    expect(outcomes(inputs)).toEqual([{ success: true, data: '7' }]);
    expect(journal.ended('r1').map(({ kind }) => kind)).toEqual(['dispatched', 'returned', 'settled']);
    expect(clock.timers).toEqual([]);
  });

  it('ends, and nobody knows how it came out, when none comes within five seconds', async () => {
    const { clock, inputs, mount } = newDocument();
    await clock.advance(5_000);
    expect(outcomes(inputs)).toMatchObject([{ error: { code: 'SURFACE_UNAVAILABLE', details: { ran: 'unknown' } } }]);
    mount(jobSurface({ resumable: true, polling }));
    await clock.advance(5_000);
    expect(outcomes(inputs)).toHaveLength(1);
  });

  it('ends without a word when the engine has ended it', async () => {
    const { clock, inputs, mount, runner } = newDocument();
    runner.abort('r1', { code: 'oui:cancelled', message: 'Over.' });
    await idle();
    mount(jobSurface({ resumable: true, polling }));
    await clock.advance(10_000);
    expect(inputs).toEqual([]);
    expect(clock.timers).toEqual([]);
  });
});
