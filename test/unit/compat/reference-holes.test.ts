import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import type { ActionDefinition } from '../../../src/compat/surface-types.js';
import { compatPage, pass, surfaceOf } from './compat-page.js';
import type { CompatPageOptions } from './compat-page.js';

/** What `oui-spec` leaves unanswered, answers twice or runs twice: none of it happens in the drop-in. */

beforeEach(() => {
  vi.useFakeTimers();
  resetWarnings();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

type Parts = Partial<ActionDefinition<never>>;

const pageOf = (parts: Parts, options?: CompatPageOptions) =>
  compatPage(surfaceOf([{ id: 'go_on', ...parts }], [{ id: 'open_count' }]), options);
const looks = (resolve: () => unknown) => ({ intervalMs: 1_000, resolve: resolve as never });

describe('answered, every one of them', () => {
  it.each<[what: string, parts: Parts, options: CompatPageOptions, answer: object]>([
    [
      'a context getter that throws',
      {},
      { context: () => { throw new Error('No project is open.'); } },
      { success: false, error: { code: 'ACTION_EXECUTION_ERROR', message: 'No project is open.' } },
    ],
    ['a handler that returns nothing', { handler: (() => undefined) as never }, {}, { success: true }],
    ['a handler that returns what is no result', { handler: (() => 'done') as never }, {}, { success: true, data: 'done' }],
    [
      'a failure with a member that no result has',
      { handler: (() => ({ success: false, message: 'Full.' })) as never },
      {},
      { success: false, error: { code: 'ACTION_EXECUTION_ERROR' } },
    ],
    ['no handler at all', { handler: undefined as never }, {}, { success: false, error: { code: 'ACTION_EXECUTION_ERROR' } }],
    ['a schema with a null property', { input: { type: 'object', properties: { title: null } } as never }, {}, { success: true }],
    ['a schema that is broken', { input: { type: 'no-such-type' } }, { validate: false }, { success: true }],
    [
      'data inside themselves',
      { handler: () => { const data: { [name: string]: unknown } = {}; data['self'] = data; return { success: true, data }; } },
      {},
      { success: true },
    ],
    ['a handler that hangs', { handler: () => new Promise<never>(() => {}) }, {}, { error: { code: 'TIMEOUT' } }],
  ])('%s', async (_what, parts, options, answer) => {
    const page = await pageOf(parts, options);
    await page.dispatch('r1', 'go_on');
    await pass(10 * 60_000);
    expect(page.results('r1')).toMatchObject([answer]);
  });

  it('a page that disposes of its runtime', async () => {
    const page = await pageOf({ handler: () => new Promise<never>(() => {}) });
    await page.dispatch('r1', 'go_on');
    page.runtime.dispose();
    await pass(0);
    expect(page.results('r1')).toMatchObject([{ error: { code: 'SURFACE_NOT_MOUNTED' } }]);
  });

  it('a page whose accept throws, and one whose subscriber does', async () => {
    const handler = vi.fn(() => ({ success: true }));
    const accept = vi.fn().mockReturnValue(true).mockImplementationOnce(() => {
      throw new Error('Mine.');
    });
    const page = await pageOf({ handler }, { accept });
    page.runtime.subscribe(() => {
      throw new Error('Mine.');
    });
    expect(await page.dispatch('r1', 'go_on', { receipt: true })).toMatchObject({ ok: false });
    page.mounted.pushObservation('open_count', 1);
    await page.dispatch('r2', 'go_on');
    await pass(500);
    expect(page.results('r2')).toMatchObject([{ success: true }]);
    expect(handler).toHaveBeenCalledOnce();
  });

  it.each([
    ['no', () => false],
    ['a promise of no', () => Promise.resolve(false) as never],
  ])('a refusal where there are no receipts: %s', async (_what, accept) => {
    const page = await pageOf({}, { accept });
    await page.dispatch('r1', 'go_on');
    expect(page.results('r1')).toMatchObject([{ success: false, error: { code: 'oui:not_accepting' } }]);
  });

  it('a result that was ready while the socket was offline, once and when it is back', async () => {
    const handler = vi.fn(() => ({ success: true, data: 7 }));
    const page = await pageOf({ handler });
    await page.dispatch('r1', 'go_on');
    await page.reconnect();
    await pass(500);
    expect(page.results('r1')).toMatchObject([{ data: 7 }]);
    expect(handler).toHaveBeenCalledOnce();
  });

  it('a value that changes sixty times a second does not hold a result for five seconds', async () => {
    const page = await pageOf({});
    let frame = 0;
    const ticker = setInterval(() => page.mounted.pushObservation('open_count', ++frame), 1_000 / 60);
    await pass(1_000);
    await page.dispatch('r1', 'go_on');
    await pass(300);
    clearInterval(ticker);
    expect(page.results('r1')).toMatchObject([{ success: true, settled: true }]);
  });
});

describe('jobs end', () => {
  it('in subscribe mode, by an event on the socket', async () => {
    const subscribe = { event: 'job:complete', filter: { jobId: '$dispatchResult.jobId' } };
    const handler = () => ({ success: true, data: { jobId: 'j1' } });
    const page = await pageOf({ handler, polling: { intervalMs: 0, subscribe } });
    await page.dispatch('r1', 'go_on');
    await page.emit('job:complete', { jobId: 'j2' });
    await pass(60_000);
    expect(page.results('r1')).toMatchObject([{ interim: true, data: { jobId: 'j1' } }]);
    await page.emit('job:complete', { jobId: 'j1', url: '/chart.png' });
    await pass(300);
    expect(page.results('r1')[1]).toMatchObject({ interim: false, success: true, data: { url: '/chart.png' } });
  });

  it('with polling that has no resolve', async () => {
    const page = await pageOf({ handler: () => ({ success: true, data: 'done' }), polling: { intervalMs: 1_000 } });
    await page.dispatch('r1', 'go_on');
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
    await page.dispatch('r1', 'go_on');
    await pass(60_000);
    expect([resolve.mock.calls.length, most]).toEqual([3, 1]);
    expect(page.results('r1')[1]).toMatchObject({ interim: false, success: true });
  });

  it('when its surface has left the page', async () => {
    const page = await pageOf({ polling: looks(() => ({ done: false })) });
    await page.dispatch('r1', 'go_on');
    await pass(1_500);
    page.mounted.unmount();
    await pass(10_000);
    expect(page.results('r1')[1]).toMatchObject({ interim: false, error: { code: 'SURFACE_NOT_MOUNTED' } });
  });
});

describe('repeats', () => {
  it('a request that comes again while it runs, or after its result was acknowledged: its receipt, and no second run', async () => {
    const handler = vi.fn(() => ({ success: true, data: 7 }));
    const page = await pageOf({ handler });
    await page.dispatch('r1', 'go_on');
    expect(await page.dispatch('r1', 'go_on', { receipt: true })).toEqual({ ok: true });
    await pass(300);
    expect(await page.dispatch('r1', 'go_on', { receipt: true })).toEqual({ ok: true });
    await pass(10_000);
    expect(page.results('r1')).toHaveLength(1);
    expect(handler).toHaveBeenCalledOnce();
  });

  it('a lost final answer of a job is answered again, as the final one', async () => {
    const handler = vi.fn(() => ({ success: true }));
    let lost = true;
    const page = await pageOf(
      { handler, polling: looks(() => ({ done: true, data: 7 })) },
      { says: ({ interim }) => (interim || !lost ? { ok: true } : 'lost') },
    );
    await page.dispatch('r1', 'go_on');
    await pass(2_000);
    expect(page.results('r1')).toHaveLength(2);
    lost = false;
    await pass(8_000);
    await page.dispatch('r1', 'go_on');
    expect(page.results('r1')[2]).toMatchObject({ interim: false, data: 7 });
    expect(handler).toHaveBeenCalledOnce();
  });

  it('after the turn changed, of a request that ran: its result, not a second run', async () => {
    const handler = vi.fn(() => ({ success: true, data: 7 }));
    let turn = 't1';
    const page = await pageOf({ handler }, { accept: ({ turnId }) => turnId === turn, says: () => 'lost' });
    await page.dispatch('r1', 'go_on', { turnId: 't1' });
    await pass(300);
    turn = 't2';
    await pass(8_000);
    await page.dispatch('r1', 'go_on', { turnId: 't1' });
    expect(page.results('r1').map(({ data }) => data)).toEqual([7, 7]);
    expect(handler).toHaveBeenCalledOnce();
  });
});
