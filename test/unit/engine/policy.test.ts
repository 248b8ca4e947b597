import { describe, expect, it } from 'vitest';
import type { EnginePolicy } from '../../../src/protocol/engine-policy.js';
import type { EngineConfig } from '../../../src/protocol/engine-config.js';
import { EngineBench, surface } from './engine-bench.js';

/** Each choice of a policy by itself; what the protocol's own does is shown by the other tests of the engine. */

function benchWith(policy: Partial<EnginePolicy>, config: Partial<EngineConfig> = {}): EngineBench {
  const bench = new EngineBench({ ...config, policy });
  bench.mount();
  bench.connect('v1');
  return bench;
}

describe('the policy of an engine', () => {
  it('hello: false says none, registers at once in full, and takes no peer\'s hello', () => {
    const bench = benchWith({ hello: false }, { form: 'index' });
    expect(bench.frames().map(({ type }) => type)).toEqual(['surface:register']);
    expect(bench.frames()[0]!.payload).toHaveProperty('surface.actions');
    bench.receive('x-oui:hello', { protocol: '0.1', software: 'a/1', features: ['receipt', 'index'], now: bench.wall });
    bench.request('list_todos');
    expect(bench.frames('x-oui:receipt')).toEqual([]);
  });

  it('misfits: warn runs what does not fit, and says what it was', () => {
    const bench = benchWith({ misfits: 'warn' });
    const requestId = bench.request('add_todo', { title: 7 });
    expect(bench.running(requestId)).toBe(true);
    const [warning] = bench.of('warn');
    expect(warning?.code).toBe('OUI1801');
    expect(warning?.message).toContain('/title');
    expect(warning?.message).toContain('validate: true');
  });

  it('fillDefaults: false hands parameters over as they were sent', () => {
    const input = { type: 'object', properties: { title: { type: 'string', default: 'new' } } };
    for (const [fillDefaults, params] of [[true, { title: 'new' }], [false, {}]] as const) {
      const bench = new EngineBench({ policy: { fillDefaults } });
      bench.mount(surface('todo-app', [{ id: 'add_todo', description: 'Add', input }]));
      bench.connect('v1');
      bench.request('add_todo');
      expect(bench.of('run')).toMatchObject([{ params }]);
    }
  });

  it('concurrent runs the actions of one surface side by side', () => {
    for (const concurrent of [true, false]) {
      const bench = benchWith({ concurrent });
      bench.request('add_todo', { title: 'a' });
      bench.request('add_todo', { title: 'b' });
      expect(bench.of('run')).toHaveLength(concurrent ? 2 : 1);
    }
  });

  it('readsSettle lets the result of a read wait for quiet', () => {
    for (const readsSettle of [true, false]) {
      const bench = benchWith({ readsSettle });
      bench.request('list_todos');
      expect(bench.of('run')).toMatchObject([{ settle: readsSettle ? 'quiet' : 'none' }]);
    }
  });

  it('limitsRate: false takes every request', () => {
    const config = { ratePerSecond: 1, rateBurst: 1 };
    for (const limitsRate of [true, false]) {
      const bench = benchWith({ limitsRate, concurrent: true }, config);
      bench.request('list_todos');
      bench.request('list_todos');
      expect(bench.of('run')).toHaveLength(limitsRate ? 1 : 2);
    }
  });

  it('asyncAlone: false answers an async action without polling once', () => {
    const bench = benchWith({ asyncAlone: false });
    const requestId = bench.request('bulk_complete');
    expect(bench.results(requestId)).toEqual([]);
    bench.finish(requestId);
    expect(bench.result(requestId)).toMatchObject({ success: true, data: { ok: true } });
    expect(bench.result(requestId)).not.toHaveProperty('interim');
  });

  it('dispatchMs is how long the handler of a polling action is awaited', () => {
    for (const [dispatchMs, results] of [[4_000, 1], [20_000, 0]] as const) {
      const bench = new EngineBench({ policy: { dispatchMs } });
      const polling = { intervalMs: 1_000 };
      bench.mount(surface('todo-app', [{ id: 'bulk_complete', description: 'Many', input: {}, polling }]));
      bench.connect('v1');
      const requestId = bench.request('bulk_complete');
      bench.pass(5_000);
      expect(bench.results(requestId)).toHaveLength(results);
    }
  });

  it('errorCodes stand in results and in answers to what could not be read, and nowhere else', () => {
    const bench = benchWith({ errorCodes: { SURFACE_UNAVAILABLE: 'SURFACE_NOT_MOUNTED', VALIDATION_ERROR: 'BROKEN' } });
    const requestId = bench.request('add_todo', {}, { surfaceId: 'gone' });
    expect(bench.result(requestId).error).toMatchObject({ code: 'SURFACE_NOT_MOUNTED', details: { ran: false } });
    bench.receive('action:request', { requestId: 'r9', surfaceId: 7, actionId: 'add_todo', params: {} });
    expect(bench.result('r9').error?.code).toBe('BROKEN');
    const missing = bench.request('no_such');
    expect(bench.result(missing).error?.code).toBe('ACTION_NOT_FOUND');
  });
});
