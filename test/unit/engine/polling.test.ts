import { describe, expect, it } from 'vitest';
import type { ActionPolicies } from '../../../src/protocol/engine-messages.js';
import type { JournalEntry } from '../../../src/protocol/journal-entry.js';
import type { OUIAction } from '../../../src/protocol/manifest.js';
import { EngineBench, surface } from './engine-bench.js';

const ACTIONS: readonly OUIAction[] = [
  { id: 'render_chart', description: 'Render', input: {}, polling: { intervalMs: 2_000, maxDurationMs: 60_000 } },
  {
    id: 'export_all',
    description: 'Export',
    input: {},
    polling: { intervalMs: 0, subscribe: { event: 'job:complete' } },
  },
  { id: 'add_todo', description: 'Add', input: {} },
];

function ready(policies: ActionPolicies = {}, features?: readonly string[] | 'v1'): EngineBench {
  const bench = new EngineBench();
  bench.give({ kind: 'mount', mountId: 1, surface: surface('todo-app', ACTIONS), policies });
  bench.connect(features);
  return bench;
}

const dispatched = (bench: EngineBench, requestId: string, data?: string, dispatch?: string) =>
  bench.give({ kind: 'dispatched', requestId, ...(data && { data }), ...(dispatch && { dispatch }) });
const statuses = (bench: EngineBench): unknown[] =>
  bench.frames('observation:update').map(({ payload }) => (payload as { value: unknown }).value);
const acknowledge = (bench: EngineBench, requestId: string, interim = false) =>
  bench.receive('x-oui:ack', { requestId, interim, ok: true });

describe('a polling action', () => {
  it('is acknowledged with what its handler returned, and then ends like any job', () => {
    const bench = ready();
    const id = bench.request('render_chart');
    expect(bench.running(id)).toBe(true);
    expect(bench.results(id)).toEqual([]);
    dispatched(bench, id, '{"jobId":"j1"}');
    expect(bench.result(id)).toMatchObject({ success: true, interim: true, data: { jobId: 'j1' } });
    bench.pass(30_000);
    bench.give({ kind: 'progress', requestId: id, value: '{"status":"rendering","progress":45}' });
    bench.finish(id, { success: true, data: '{"url":"/chart.png"}' });
    expect(bench.results(id)[1]).toMatchObject({ success: true, interim: false, data: { url: '/chart.png' } });
    expect(bench.results(id)[1]).not.toHaveProperty('surfaces');
    expect(statuses(bench)).toEqual([
      { status: 'running', interim: true, requestId: id },
      { status: 'rendering', progress: 45, interim: true, requestId: id },
      { status: 'complete', url: '/chart.png', interim: false, requestId: id },
    ]);
  });

  it('is acknowledged with its id when the handler has nothing to say, or takes more than 4 s', () => {
    const bench = ready();
    const silent = bench.request('render_chart');
    dispatched(bench, silent);
    expect(bench.result(silent).data).toEqual({ trackingId: silent });
    const slow = bench.request('render_chart');
    bench.pass(3_999);
    expect(bench.results(slow)).toEqual([]);
    bench.pass(1);
    expect(bench.result(slow)).toMatchObject({ interim: true, data: { trackingId: slow } });
    dispatched(bench, slow, '{"jobId":"j2"}');
    expect(bench.results(slow)).toHaveLength(1);
    bench.finish(slow);
    expect(bench.results(slow)[1]).toMatchObject({ interim: false, success: true });
  });

  it('is acknowledged within its 30 s, also when its turn came late', () => {
    const bench = ready();
    const before = bench.request('add_todo');
    const job = bench.request('render_chart');
    bench.pass(22_000);
    bench.finish(before);
    expect(bench.running(job)).toBe(true);
    bench.pass(2_999);
    expect(bench.results(job)).toEqual([]);
    bench.pass(1);
    expect(bench.result(job)).toMatchObject({ success: true, interim: true });
    bench.pass(55_000);
    bench.finish(job);
    expect(bench.results(job)[1]).toMatchObject({ success: true, interim: false });
  });

  it('whose handler fails before the acknowledgment has one result, after it two', () => {
    const bench = ready();
    const failure = { success: false, error: { code: 'app:no', message: 'No.' } };
    const early = bench.request('render_chart');
    bench.finish(early, failure);
    expect(bench.result(early)).toMatchObject({ success: false, error: { code: 'app:no' } });
    expect(bench.result(early)).not.toHaveProperty('interim');
    bench.pass(10_000);
    expect(bench.results(early)).toHaveLength(1);
    const late = bench.request('render_chart');
    bench.pass(4_000);
    bench.finish(late, failure);
    const results = bench.results(late).map(({ interim, success }) => [interim, success]);
    expect(results).toEqual([[true, true], [false, false]]);
  });

  it('holds its surface\'s queue until its acknowledgment', () => {
    const bench = ready();
    const job = bench.request('render_chart');
    const next = bench.request('add_todo');
    expect(bench.running(next)).toBe(false);
    dispatched(bench, job);
    expect(bench.running(next)).toBe(true);
  });

  it('holds the deregistration of its surface until its acknowledgment', () => {
    const bench = ready();
    const job = bench.request('render_chart');
    bench.give({ kind: 'unmount', mountId: 1 });
    expect(bench.frames('surface:deregister')).toEqual([]);
    dispatched(bench, job);
    expect(bench.frames().slice(-2).map(({ type }) => type)).toEqual(['action:result', 'surface:deregister']);
  });

  it('shows its status again when its surface is back', () => {
    const bench = ready();
    const job = bench.request('render_chart');
    dispatched(bench, job);
    bench.give({ kind: 'progress', requestId: job, value: '{"progress":45}' });
    bench.pass(100);
    bench.give({ kind: 'unmount', mountId: 1 });
    const before = statuses(bench).length;
    bench.mount(surface('todo-app', ACTIONS), 2);
    const status = { status: 'running', progress: 45, interim: true, requestId: job };
    expect(statuses(bench).slice(before)).toEqual([status]);
    const read = bench.request('add_todo');
    bench.finish(read);
    expect(bench.result(read).observations).toEqual({ 'todo-app': { 'todo-app:render_chart:status': status } });
  });

  it('is a TIMEOUT after its maxDurationMs, counted from the acknowledgment', () => {
    const bench = ready();
    const id = bench.request('render_chart');
    bench.pass(3_000);
    dispatched(bench, id);
    bench.pass(59_999);
    expect(bench.results(id)).toHaveLength(1);
    bench.pass(1);
    expect(bench.results(id)[1]).toMatchObject({ interim: false, success: false, error: { code: 'TIMEOUT' } });
    expect(bench.of('abort').map(({ requestId, error }) => [requestId, error.code])).toEqual([[id, 'TIMEOUT']]);
    bench.finish(id);
    expect(bench.results(id)).toHaveLength(2);
  });

  it('that came to its end in time is not a TIMEOUT while the page settles', () => {
    const bench = ready();
    const id = bench.request('render_chart');
    dispatched(bench, id);
    bench.pass(59_000);
    bench.give({ kind: 'returned', requestId: id, outcome: { success: true } });
    bench.pass(4_000);
    bench.give({ kind: 'settled', requestId: id, settled: true });
    expect(bench.results(id)[1]).toMatchObject({ success: true, settled: true });
  });
});

describe('singleFlight', () => {
  const policies: ActionPolicies = { render_chart: { settle: 'quiet', singleFlight: true } };

  it('ends the older job with SUPERSEDED before the new one starts, and its status says so', () => {
    const bench = ready(policies);
    const older = bench.request('render_chart');
    dispatched(bench, older);
    const newer = bench.request('render_chart');
    expect(bench.results(older)[1]).toMatchObject({ interim: false, success: false, error: { code: 'SUPERSEDED' } });
    const order = bench.effects.flatMap((effect) =>
      effect.kind === 'abort' || effect.kind === 'run' ? [`${effect.kind} ${effect.requestId}`] : []);
    expect(order).toEqual([`run ${older}`, `abort ${older}`, `run ${newer}`]);
    expect(statuses(bench).at(-1)).toMatchObject({ status: 'superseded', interim: false, requestId: older });
    dispatched(bench, newer);
    bench.finish(newer);
    expect(bench.results(newer)).toHaveLength(2);
  });

  it('leaves an outcome that is there already', () => {
    const bench = ready(policies);
    const older = bench.request('render_chart');
    dispatched(bench, older);
    bench.give({ kind: 'returned', requestId: older, outcome: { success: true, data: '1' } });
    bench.request('render_chart');
    expect(bench.results(older)[1]).toMatchObject({ success: true, data: 1, settled: false });
  });

  it('is not the default', () => {
    const bench = ready();
    const first = bench.request('render_chart');
    dispatched(bench, first);
    const other = bench.request('render_chart');
    dispatched(bench, other);
    expect(bench.of('abort')).toEqual([]);
    bench.finish(other);
    bench.finish(first);
    expect([first, other].map((id) => bench.results(id).length)).toEqual([2, 2]);
  });
});

describe('messages of the application\'s own', () => {
  const events = (bench: EngineBench) => bench.of('event').map(({ event, payload }) => [event, payload]);

  it('reach the page while a job waits for them, from its handler\'s start to its end', () => {
    const bench = ready();
    bench.receive('job:complete', { jobId: 0 });
    const id = bench.request('export_all');
    bench.receive('job:complete', { jobId: 1 });
    dispatched(bench, id);
    bench.receive('job:complete', { jobId: 2 });
    bench.receive('job:other', { jobId: 3 });
    bench.give({ kind: 'returned', requestId: id, outcome: { success: true } });
    bench.receive('job:complete', { jobId: 4 });
    expect(events(bench)).toEqual([['job:complete', { jobId: 1 }], ['job:complete', { jobId: 2 }]]);
  });

  it('with x- reach the onExtension hook as well', () => {
    const bench = new EngineBench();
    const polling = { intervalMs: 0, subscribe: { event: 'x-done' } };
    const actions = [{ id: 'export_all', description: 'Export', input: {}, polling }];
    bench.give({ kind: 'mount', mountId: 1, surface: surface('todo-app', actions), policies: {} });
    bench.connect();
    bench.request('export_all');
    bench.receive('x-done', 1);
    expect(events(bench)).toEqual([['x-done', 1]]);
    expect(bench.of('extension')).toEqual([{ kind: 'extension', type: 'x-done', payload: 1 }]);
  });
});

describe('job-settled', () => {
  const run = (bench: EngineBench, more = {}): string => {
    const id = bench.request('render_chart', {}, more);
    dispatched(bench, id);
    return id;
  };
  const settled = (bench: EngineBench) => bench.of('job-settled').map(({ job }) => job);

  it('tells once when the final answer has been acknowledged', () => {
    const bench = ready();
    const id = run(bench, { turnId: 't1' });
    acknowledge(bench, id, true);
    bench.finish(id);
    expect(settled(bench)).toEqual([]);
    acknowledge(bench, id);
    acknowledge(bench, id);
    const told = { requestId: id, turnId: 't1', surfaceId: 'todo-app', actionId: 'render_chart', success: true };
    expect(settled(bench)).toEqual([told]);
  });

  it('tells at once where nothing is acknowledged, and of failures', () => {
    const bench = ready({}, []);
    const id = run(bench);
    bench.finish(id, { success: false, error: { code: 'app:no', message: 'No.' } });
    expect(settled(bench)).toMatchObject([{ requestId: id, success: false }]);
  });

  it('is not told of what was never answered "started": synchronous actions, early failures, the page\'s own', () => {
    const bench = ready({}, []);
    bench.finish(bench.request('add_todo'));
    bench.finish(bench.request('render_chart'), { success: false, error: { code: 'app:no', message: 'No.' } });
    const own = { requestId: 'own', surfaceId: 'todo-app', actionId: 'render_chart', params: {}, timestamp: 1 };
    bench.give({ kind: 'execute', request: own, nested: false });
    dispatched(bench, 'own');
    bench.finish('own');
    expect(bench.of('executed')).toHaveLength(1);
    expect(settled(bench)).toEqual([]);
  });
});

describe('a new engine and polling actions', () => {
  function takeOver(old: EngineBench, entries = journalOf(old)): EngineBench {
    const bench = new EngineBench();
    bench.now = old.now;
    bench.wall = old.wall;
    bench.give({ kind: 'mount', mountId: 1, surface: surface('todo-app', ACTIONS), policies: {} });
    bench.give({ kind: 'restore', entries });
    return bench;
  }
  function journalOf(old: EngineBench): JournalEntry[] {
    return [...new Map(old.of('journal').map(({ entry }) => [entry.requestId, entry])).values()];
  }

  it('acknowledges what the old one took to its grave, with the handler\'s data', () => {
    const old = ready();
    const id = old.request('render_chart');
    const bench = takeOver(old);
    dispatched(bench, id, '{"jobId":"j1"}');
    bench.connect();
    expect(bench.result(id)).toMatchObject({ interim: true, data: { jobId: 'j1' } });
  });

  it('keeps the time of the acknowledgment, what it carries, and the end of the job', () => {
    const old = ready();
    const id = old.request('render_chart');
    old.pass(3_000);
    const early = takeOver(old);
    early.connect();
    early.pass(1_000);
    expect(early.result(id)).toMatchObject({ interim: true, data: { trackingId: id } });
    old.give({ kind: 'disconnected', reason: 'gone' });
    dispatched(old, id, '{"jobId":"j1"}');
    old.pass(50_000);
    const bench = takeOver(old);
    bench.connect();
    expect(bench.result(id)).toMatchObject({ interim: true, data: { jobId: 'j1' } });
    bench.pass(10_000);
    expect(bench.results(id)[1]?.error?.code).toBe('TIMEOUT');
  });

  it('still waits for the job\'s event, and tells of its end once', () => {
    const old = ready();
    const id = old.request('export_all');
    dispatched(old, id);
    const bench = takeOver(old);
    bench.connect();
    bench.receive('job:complete', 1);
    expect(bench.of('event')).toHaveLength(1);
    bench.finish(id, { success: false, error: { code: 'app:no', message: 'No.' } });
    const third = takeOver(bench);
    third.connect();
    acknowledge(third, id);
    expect(third.of('job-settled').map(({ job }) => job.success)).toEqual([false]);
    const fourth = takeOver(third);
    fourth.connect();
    acknowledge(fourth, id);
    expect(fourth.of('job-settled')).toEqual([]);
  });

  it('journals what a later document can follow the job by, until it has ended', () => {
    const bench = ready();
    const id = bench.request('render_chart');
    dispatched(bench, id, '{"jobId":"j1"}', '{"jobId":"j1"}');
    expect(journalOf(bench)[0]).toMatchObject({ stage: 'running', dispatch: '{"jobId":"j1"}' });
    bench.finish(id);
    expect(journalOf(bench)[0]).not.toHaveProperty('dispatch');
    expect(journalOf(bench)[0]).toMatchObject({ stage: 'answered', succeeded: true });
  });
});
