import { describe, expect, it, vi } from 'vitest';
import { utf8Length } from '../../../src/protocol/byte-length.js';
import type { Fit } from '../../../src/protocol/events.js';
import { planFrame } from '../../../src/rules/frame-plan.js';
import { ObservationFitter } from '../../../src/rules/observation-fitter.js';
import { objectText } from '../../../src/rules/frame-text.js';
import type { ActionDefinition } from '../../../src/surface/definition/definition.js';
import type { SurfaceRuntimeOptions } from '../../../src/surface/runtime-options.js';
import { fakeTimeOfEachTest } from './fake-time.js';
import { surfaceOf } from './runtime-bench.js';
import { pass, wholePage } from './whole-page.js';

/** What the reference library leaves unanswered, answers twice or runs twice, on whole pages. */

fakeTimeOfEachTest();

type Parts = Partial<ActionDefinition<string>>;

const pageOf = async (parts: Parts, options?: SurfaceRuntimeOptions, context: () => string = () => 'context') =>
  wholePage(surfaceOf<string>([{ id: 'go_on', ...parts }], [{ id: 'open_count' }]), context, options);
const reads = { effect: 'view' } as const;
const looks = (resolve: () => unknown) => ({ intervalMs: 1_000, resolve: resolve as never });

describe('answered, every one of them', () => {
  it('a context getter that throws', async () => {
    const page = await pageOf(reads, {}, () => {
      throw new Error('No project is open.');
    });
    await page.request('r1', 'go_on');
    expect(page.results('r1')).toMatchObject([
      { success: false, error: { code: 'EXECUTION_ERROR', message: 'No project is open.' } },
    ]);
  });

  it('a handler that returns nothing', async () => {
    const page = await pageOf({ ...reads, handler: () => undefined });
    await page.request('r1', 'go_on');
    expect(page.results('r1')).toMatchObject([{ success: true }]);
    expect(page.results('r1')[0]).not.toHaveProperty('data');
  });

  it('a schema that is broken, such as one with a null property', async () => {
    const handler = vi.fn();
    // Refused when it is defined; one that only the validator finds to be broken is answered.
    const broken = { type: 'object', properties: { title: null } } as never;
    await expect(pageOf({ ...reads, input: broken })).rejects.toThrow(/input\/properties\/title must be a schema/);
    const page = await pageOf({ ...reads, input: { allOf: [{ $ref: '#' }] }, handler });
    await page.request('r1', 'go_on', { params: { title: 'x' } });
    await page.request('r2', 'go_on');
    expect([...page.results('r1'), ...page.results('r2')]).toHaveLength(2);
    expect(handler).not.toHaveBeenCalled();
    expect(page.frames('surface:register')).toHaveLength(1);
  });

  it('a handler that hangs: TIMEOUT', async () => {
    const page = await pageOf({ handler: () => new Promise(() => {}) });
    await page.request('r1', 'go_on');
    await pass(30_000);
    expect(page.results('r1')).toMatchObject([{ success: false, error: { code: 'TIMEOUT' } }]);
  });

  it('a page whose user closes it: dispose answers what is open', async () => {
    const page = await pageOf({ handler: () => new Promise(() => {}) });
    await page.request('r1', 'go_on');
    await page.request('r2', 'go_on');
    page.runtime.dispose();
    await pass(0);
    expect(page.results('r1')).toMatchObject([{ error: { code: 'SURFACE_UNAVAILABLE' } }]);
    expect(page.results('r2')).toMatchObject([{ error: { code: 'SURFACE_UNAVAILABLE', details: { ran: false } } }]);
  });

  it('a page whose accept throws: refused, not run, and the next request is asked about again', async () => {
    const handler = vi.fn();
    const accept = vi.fn().mockImplementationOnce(() => {
      throw new Error('Mine.');
    }).mockReturnValue(true);
    const page = await pageOf({ ...reads, handler }, { accept });
    await page.request('r1', 'go_on');
    expect(page.frames('x-oui:receipt')).toMatchObject([{ requestId: 'r1', ok: false }]);
    expect(handler).not.toHaveBeenCalled();
    await page.request('r2', 'go_on');
    expect(page.results('r2')).toMatchObject([{ success: true }]);
  });

  it('a page whose subscriber throws', async () => {
    const page = await pageOf(reads);
    const other = vi.fn();
    page.runtime.subscribe(() => {
      throw new Error('Mine.');
    });
    page.runtime.subscribe(other);
    await page.request('r1', 'go_on');
    expect(page.results('r1')).toMatchObject([{ success: true }]);
    expect(other.mock.calls.flat()).toContainEqual(
      expect.objectContaining({ type: 'call', report: expect.objectContaining({ phase: 'ended' }) as unknown }),
    );
  });

  it('a value that changes sixty times a second does not hold a result for five seconds', async () => {
    const page = await pageOf({});
    let frame = 0;
    const ticker = setInterval(() => page.mounted.pushObservation('open_count', ++frame), 1_000 / 60);
    await pass(1_000);
    await page.request('r1', 'go_on');
    await pass(300);
    clearInterval(ticker);
    expect(page.results('r1')).toMatchObject([{ success: true, settled: true }]);
  });
});

describe('jobs end', () => {
  it('in subscribe mode', async () => {
    const subscribe = { event: 'job:complete', filter: { jobId: '$dispatchResult.jobId' } };
    const page = await pageOf({ handler: () => ({ jobId: 'j1' }), polling: { intervalMs: 0, subscribe } });
    await page.request('r1', 'go_on');
    await page.send('job:complete', { jobId: 'j2' });
    await pass(60_000);
    expect(page.results('r1')).toMatchObject([{ interim: true, data: { jobId: 'j1' } }]);
    await page.send('job:complete', { jobId: 'j1', url: '/chart.png' });
    await pass(300);
    expect(page.results('r1')[1]).toMatchObject({ interim: false, success: true, data: { url: '/chart.png' } });
  });

  it('with polling that has no resolve', async () => {
    const page = await pageOf({ handler: () => 'done', polling: { intervalMs: 1_000 } });
    await page.request('r1', 'go_on');
    await pass(300);
    expect(page.results('r1')).toMatchObject([{ interim: true, data: 'done' }, { interim: false, data: 'done' }]);
  });

  it('with a slow resolve, which never overlaps itself', async () => {
    let open = 0;
    let most = 0;
    const resolve = vi.fn(async () => {
      most = Math.max(most, ++open);
      await new Promise((done) => setTimeout(done, 3_500));
      open -= 1;
      return { done: resolve.mock.calls.length === 3 };
    });
    const page = await pageOf({ polling: looks(resolve) });
    await page.request('r1', 'go_on');
    await pass(60_000);
    expect([resolve.mock.calls.length, most]).toEqual([3, 1]);
    expect(page.results('r1')[1]).toMatchObject({ interim: false, success: true });
  });

  it('both of two of one action', async () => {
    const page = await pageOf({ polling: looks(() => ({ done: true })) });
    await page.request('r1', 'go_on');
    await page.request('r2', 'go_on');
    await pass(2_000);
    for (const id of ['r1', 'r2']) {
      expect(page.results(id)).toMatchObject([{ interim: true }, { interim: false, success: true }]);
    }
    const [first, second] = ['r1', 'r2'].map((requestId) => ({ status: 'running', interim: true, requestId }));
    expect(page.frames('observation:update')).toContainEqual(
      expect.objectContaining({
        observationId: 'todo-app:go_on:status',
        value: { ...second, jobs: { r1: first, r2: second } },
      }),
    );
  });

  it('for the page\'s own execute too, which resolves with the outcome and nothing before it', async () => {
    const page = await pageOf({ polling: looks(() => ({ done: true, data: 'end' })) });
    const ended = vi.fn();
    void page.runtime.execute({ surfaceId: 'todo-app', actionId: 'go_on' }).then(ended);
    await pass(999);
    expect(ended).not.toHaveBeenCalled();
    await pass(300);
    expect(ended).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ success: true, data: 'end', interim: false }),
    );
  });

  it('in a page where a value changes sixty times a second, since after the job began', async () => {
    const page = await pageOf({ polling: looks(() => ({ done: true })) });
    await page.request('r1', 'go_on');
    let frame = 0;
    const ticker = setInterval(() => page.mounted.pushObservation('open_count', ++frame), 1_000 / 60);
    await pass(1_300);
    clearInterval(ticker);
    expect(page.results('r1')[1]).toMatchObject({ interim: false, settled: true });
  });

  it('and the application hears of it once the agent has the final answer', async () => {
    const page = await pageOf({ polling: looks(() => ({ done: true })) });
    const listener = vi.fn();
    page.runtime.onSettled(listener);
    await page.request('r1', 'go_on', { turnId: 't1' });
    await pass(2_000);
    expect(page.results('r1')).toHaveLength(2);
    expect(listener).not.toHaveBeenCalled();
    await page.acknowledge('r1');
    expect(listener).toHaveBeenCalledExactlyOnceWith({
      requestId: 'r1',
      turnId: 't1',
      surfaceId: 'todo-app',
      actionId: 'go_on',
      success: true,
    });
  });
});

it('fit counts itself: what reports the cuts has its place in the budget too', () => {
  const texts = Array.from({ length: 60 }, (_, index) => [`o${index}`, JSON.stringify(Array(300).fill(index))] as const);
  const observations = new ObservationFitter(new Map([['todo-app', new Map(texts)]]));
  for (const budget of [9_000, 12_345, 20_000]) {
    const plan = planFrame({ wholeBytes: 2, data: undefined, observations }, budget);
    const { observations: cuts } = JSON.parse(plan.fit!) as Fit;
    expect(cuts).toHaveLength(60);
    expect(utf8Length(objectText([['observations', plan.observations], ['fit', plan.fit]]))).toBeLessThanOrEqual(budget);
  }
});

describe('repeats', () => {
  it('a lost final answer of a job is answered again', async () => {
    const handler = vi.fn();
    const page = await pageOf({ handler, polling: looks(() => ({ done: true, data: 7 })) });
    await page.request('r1', 'go_on');
    await pass(2_000);
    expect(page.results('r1')).toHaveLength(2);
    await page.request('r1', 'go_on');
    expect(page.results('r1')).toHaveLength(2);
    await pass(8_000);
    await page.request('r1', 'go_on');
    expect(page.results('r1')[2]).toMatchObject({ interim: false, data: 7 });
    expect(handler).toHaveBeenCalledOnce();
  });

  it('after the turn changed, of a request that ran: its result', async () => {
    const handler = vi.fn(() => 7);
    let turn = 't1';
    const page = await pageOf({ ...reads, handler }, { accept: ({ turnId }) => turnId === turn });
    await page.request('r1', 'go_on', { turnId: 't1' });
    turn = 't2';
    await pass(8_000);
    await page.request('r1', 'go_on', { turnId: 't1' });
    expect(page.results('r1').map(({ data }) => data)).toEqual([7, 7]);
    expect(handler).toHaveBeenCalledOnce();
    await page.request('r2', 'go_on', { turnId: 't1' });
    expect(page.results('r2')).toEqual([]);
  });
});
