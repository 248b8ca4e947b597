import { describe, expect, it } from 'vitest';
import { EngineBench } from './engine-bench.js';

function ready(): EngineBench {
  const bench = new EngineBench();
  bench.mount();
  bench.connect();
  return bench;
}

const statuses = (bench: EngineBench): unknown[] =>
  bench.frames('observation:update').map(({ payload }) => (payload as { value: unknown }).value);

describe('async actions without polling', () => {
  it('acknowledge before the handler is called, and answer again when it ends', () => {
    const bench = ready();
    const id = bench.request('bulk_complete');
    const kinds = bench.effects.map((effect) => (effect.kind === 'send' ? effect.type : effect.kind));
    expect(kinds.indexOf('action:result')).toBeLessThan(kinds.indexOf('run'));
    expect(bench.result(id)).toMatchObject({ success: true, interim: true, data: { trackingId: id } });
    bench.pass(120_000);
    bench.finish(id, { success: true, data: '{"completed":3}' });
    expect(bench.results(id)[1]).toMatchObject({ interim: false, data: { completed: 3 } });
    expect(bench.results(id)[1]).not.toHaveProperty('surfaces');
  });

  it('keep their report when they fail', () => {
    const bench = ready();
    const id = bench.request('bulk_complete');
    bench.finish(id, { success: false, data: '{"done":1}', error: { code: 'app:half', message: 'half' } });
    expect(bench.results(id)[1]).toMatchObject({ success: false, data: { done: 1 }, error: { code: 'app:half' } });
  });

  it('leave the queue at the acknowledgment', () => {
    const bench = ready();
    bench.request('bulk_complete');
    expect(bench.running(bench.request('add_todo', { title: 'a' }))).toBe(true);
  });

  it('tell their progress, not more than ten times a second, the last value always', () => {
    const bench = ready();
    const id = bench.request('bulk_complete');
    bench.pass(500);
    for (const done of [1, 2, 3]) bench.give({ kind: 'progress', requestId: id, value: `{"done":${done}}` });
    bench.pass(100);
    bench.finish(id, { success: true, data: '{"completed":3}' });
    expect(statuses(bench)).toEqual([
      { status: 'running', interim: true, requestId: id },
      { status: 'running', done: 1, interim: true, requestId: id },
      { status: 'running', done: 3, interim: true, requestId: id },
      { status: 'complete', completed: 3, interim: false, requestId: id },
    ]);
  });

  it('show every open job of an action', () => {
    const bench = ready();
    const [first, second] = [bench.request('bulk_complete'), bench.request('bulk_complete')];
    const both = statuses(bench).at(-1) as { requestId: string; jobs: Record<string, unknown> };
    expect(both.requestId).toBe(second);
    expect(Object.keys(both.jobs)).toEqual([first, second]);
    bench.finish(second!);
    bench.finish(first!);
    expect(statuses(bench).at(-1)).toEqual({ status: 'complete', ok: true, interim: false, requestId: first });
  });
});
