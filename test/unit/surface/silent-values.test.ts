import { signal } from '@preact/signals-core';
import { describe, expect, it, vi } from 'vitest';
import type { OUIActionResult, OUIObservationUpdate } from '../../../src/protocol/events.js';
import { defineSurface } from '../../../src/surface/definition/define-surface.js';
import type { ObservationSource } from '../../../src/surface/mounts/observation-source.js';
import { fakeTimeOfEachTest } from './fake-time.js';
import { pass, wholePage } from './whole-page.js';

/** Values that may change without telling: what getters read of plain variables. */

fakeTimeOfEachTest();

/** A page whose list is a plain array, and an action that does something to it. */
async function listPage(act: (rows: number[]) => unknown, source?: (rows: number[]) => ObservationSource) {
  const rows = [1];
  const getter = vi.fn(() => rows);
  const page = await wholePage(defineSurface<undefined>()({
    id: 'count-app',
    name: 'Count',
    description: 'Counts.',
    actions: [
      { id: 'change', description: 'Changes it', effect: 'edit', input: { type: 'object' }, handler: () => act(rows) },
      { id: 'look', description: 'Changes nothing', effect: 'view', input: { type: 'object' }, handler: () => 'seen' },
      {
        id: 'clear', description: 'Needs rows', effect: 'edit', input: { type: 'object' },
        enabled: () => rows.length < 3 || 'There are too many.', handler: () => undefined,
      },
    ],
    observations: [{ id: 'rows', description: 'Rows', schema: {} }],
  }), () => undefined);
  page.mounted.observe('rows' as never, source?.(rows) ?? getter);
  await pass(1_000);
  const updates = (): unknown[] => page.frames('observation:update').map((each) => (each as OUIObservationUpdate).value);
  const result = (requestId: string): OUIActionResult => page.results(requestId).at(-1)!;
  const rowsOf = (requestId: string): unknown => result(requestId).observations?.['count-app']?.['rows'];
  const enabled = (): unknown => page.runtime.snapshot().surfaces![0]!.actions.find(({ id }) => id === 'clear')!.enabled;
  return { ...page, rows, getter, updates, result, rowsOf, enabled };
}

describe('a getter of plain values', () => {
  it('is read when its handler has run, and its result goes behind the update', async () => {
    const { request, rowsOf, updates } = await listPage((rows) => rows.push(2));
    expect(updates()).toEqual([[1]]);
    await request('r1', 'change');
    // At once, and not only when the page has settled.
    expect(updates()).toEqual([[1], [1, 2]]);
    await pass(250);
    expect(rowsOf('r1')).toEqual([1, 2]);
    expect(updates()).toEqual([[1], [1, 2]]);
  });

  it('is read again when the page has settled', async () => {
    const { request, rowsOf, result } = await listPage((rows) => void setTimeout(() => rows.push(2), 100));
    await request('r1', 'change');
    await pass(250);
    expect(rowsOf('r1')).toEqual([1, 2]);
    expect(result('r1').settled).toBe(true);
  });

  it('is not read without end when another value makes somebody look again', async () => {
    let reads = 0;
    const { runtime } = await listPage(() => undefined, () => () => (reads += 1));
    const looks = vi.fn(() => {
      if (looks.mock.calls.length > 100) throw new Error('It is read without end.');
      runtime.snapshot();
      // As frameworks do, whose renderings follow in a microtask.
      queueMicrotask(() => void runtime.snapshot());
    });
    runtime.subscribe(({ type }) => void (type === 'observation' && looks()));
    const before = reads;
    runtime.snapshot();
    await pass(1_000);
    expect(looks.mock.calls.length).toBeGreaterThan(0);
    expect(looks.mock.calls.length).toBeLessThanOrEqual(11);
    expect(reads - before).toBeLessThan(40);
  });

  it('is read for a pure read, too', async () => {
    const { rows, request, rowsOf } = await listPage(() => undefined);
    rows.push(2);
    await request('r1', 'look');
    expect(rowsOf('r1')).toEqual([1, 2]);
  });

  it('is read when the agent asks for the value, which later results have as well', async () => {
    const { rows, send, updates, result } = await listPage(() => undefined);
    rows.push(2);
    await send('observation:request', {
      surfaceId: 'count-app', observationId: 'rows', requestId: 'o1', timestamp: Date.now(),
    });
    expect(updates()).toEqual([[1], [1, 2]]);
    rows.push(3);
    const params = { surface: 'count-app', observation: 'rows' };
    await send('action:request', { requestId: 'r1', surfaceId: 'oui', actionId: 'read', params, timestamp: Date.now() });
    expect(result('r1').data).toMatchObject({ rows: [1, 2, 3], total: 3 });
    expect(updates()).toEqual([[1], [1, 2], [1, 2, 3]]);
  });

  it('is read for a snapshot, and what is new goes out', async () => {
    const { rows, runtime, updates } = await listPage(() => undefined);
    const first = runtime.snapshot();
    expect(runtime.snapshot()).toBe(first);
    rows.push(2);
    expect(runtime.snapshot().observations).toEqual({ 'count-app': { rows: [1, 2] } });
    await pass(100);
    expect(updates()).toEqual([[1], [1, 2]]);
  });

  it('is not read while nobody asks, and not sent when it says the same', async () => {
    const { getter, rows, updates, request } = await listPage(() => undefined);
    const before = getter.mock.calls.length;
    rows.push(2);
    await pass(60_000);
    expect(getter).toHaveBeenCalledTimes(before);
    rows.pop();
    await request('r1', 'change');
    await pass(250);
    expect(getter.mock.calls.length).toBeGreaterThan(before);
    expect(updates()).toEqual([[1]]);
  });

  it('that says another time each time keeps no result waiting', async () => {
    const { request, result } = await listPage(() => undefined, () => () => Date.now());
    await request('r1', 'change');
    await request('r2', 'change');
    await pass(500);
    expect(result('r1').settled).toBe(true);
    expect(result('r2').settled).toBe(true);
  });

  it('that throws says null, and what it reads when it can again', async () => {
    let broken = true;
    const { request, rowsOf } = await listPage(() => undefined, () => () => {
      if (broken) throw new Error('Not yet.');
      return 'there';
    });
    await request('r1', 'look');
    expect(rowsOf('r1')).toBe(null);
    broken = false;
    await request('r2', 'look');
    expect(rowsOf('r2')).toBe('there');
  });

  it('may read signals beside: each change of either is noticed', async () => {
    const factor = signal(1);
    const { request, rowsOf, updates, rows } = await listPage(
      () => void (factor.value = 10),
      (list) => () => list.map((each) => each * factor.value),
    );
    await request('r1', 'change');
    await pass(250);
    expect(rowsOf('r1')).toEqual([10]);
    rows.push(2);
    await request('r2', 'look');
    expect(rowsOf('r2')).toEqual([10, 20]);
    factor.value = 100;
    await pass(100);
    expect(updates().at(-1)).toEqual([100, 200]);
  });

  it('is as good as a value that was pushed: the engine is not asked once it is let go of', async () => {
    const { mounted, rows, send, updates, getter } = await listPage(() => undefined);
    mounted.pushObservation('rows' as never, 'pushed' as never);
    await pass(200);
    const before = getter.mock.calls.length;
    rows.push(2);
    await send('observation:request', {
      surfaceId: 'count-app', observationId: 'rows', requestId: 'o1', timestamp: Date.now(),
    });
    expect(updates().at(-1)).toBe('pushed');
    expect(getter).toHaveBeenCalledTimes(before);
  });
});

describe('a getter that promises its value, of an observation that is not polled', () => {
  it('is asked once, and its rejection stands alone in no console', async () => {
    const rejected = vi.fn();
    process.on('unhandledRejection', rejected);
    const getter = vi.fn(async () => Promise.reject(new Error('offline')));
    const { runtime, request } = await listPage(() => undefined, () => getter);
    const asked = getter.mock.calls.length;
    for (let look = 0; look < 5; look += 1) runtime.snapshot();
    await request('r1', 'look');
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', rejected);
    expect(getter).toHaveBeenCalledTimes(asked);
    expect(rejected).not.toHaveBeenCalled();
    expect(console.warn).toHaveBeenCalledOnce();
  });
});

describe('a source that notifies and says that it may be silent', () => {
  it('is read again as a getter is', async () => {
    const { request, rowsOf } = await listPage(
      (rows) => rows.push(2),
      (rows) => ({ get: () => rows, subscribe: () => undefined, silent: true }),
    );
    await request('r1', 'change');
    await pass(250);
    expect(rowsOf('r1')).toEqual([1, 2]);
  });

  it('and one that does not is not', async () => {
    const get = vi.fn(() => 1);
    const { request } = await listPage(() => undefined, () => ({ get, subscribe: () => undefined }));
    await request('r1', 'look');
    expect(get).toHaveBeenCalledOnce();
  });
});

describe('what a definition asks of its context', () => {
  it('is asked for a snapshot, too', async () => {
    const { rows, enabled } = await listPage(() => undefined);
    expect(enabled()).toBeUndefined();
    rows.push(2, 3);
    expect(enabled()).toBe(false);
  });

  it('by listeners that take a snapshot at each change, without end', async () => {
    const { rows, runtime, enabled } = await listPage(() => undefined);
    const seen: unknown[] = [];
    runtime.subscribe(({ type }) => type === 'surfaces' && seen.push(enabled()));
    rows.push(2, 3);
    runtime.snapshot();
    expect(seen).toEqual([false]);
  });

  it('is told ten times a second at most when it says something else each time, and is in each snapshot', async () => {
    let asked = 0;
    const { runtime } = await wholePage(defineSurface<undefined>()({
      id: 'queue', name: 'Queue', description: 'Counts who asks.',
      actions: [{
        id: 'enter', description: 'Enters', effect: 'edit', input: { type: 'object' },
        enabled: () => `${String(asked += 1)} wait`, handler: () => undefined,
      }],
    }), () => undefined);
    const reason = (): unknown => runtime.snapshot().surfaces![0]!.actions[0]!.disabledReason;
    await pass(1_000);
    let told = 0;
    runtime.subscribe(({ type }) => {
      if (type !== 'surfaces') return;
      told += 1;
      // Ends here, so that the test fails and does not hang.
      if (told < 1_000) queueMicrotask(() => expect(reason()).toBe(`${String(asked)} wait`));
    });
    reason();
    await pass(0);
    expect(told).toBeLessThan(4);
    await pass(1_000);
    expect(told).toBeGreaterThan(5);
    expect(told).toBeLessThan(15);
  });
});

describe('a handler whose result waits for the page to be quiet', () => {
  it.each<[what: string, end: 'stop' | 'dispose']>([
    ['the user stops it', 'stop'],
    ['the runtime is disposed of', 'dispose'],
  ])('is answered with what it changed when %s meanwhile', async (_what, end) => {
    const rows = signal([1]);
    const page = await listPage(() => {
      // Within the time that a second change of an observation waits.
      rows.value = [1, 2];
      rows.value = [1, 2, 3];
    }, () => rows);
    rows.value = [1, 1];
    await pass(0);
    await page.request('r1', 'change');
    page.runtime[end]();
    await pass(0);
    expect(page.result('r1')).toMatchObject({ success: true, settled: false });
    expect(page.rowsOf('r1')).toEqual([1, 2, 3]);
    expect(page.updates().at(-1)).toEqual([1, 2, 3]);
  });
});
