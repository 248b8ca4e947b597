import { describe, expect, it } from 'vitest';
import { EngineBench, surface } from './engine-bench.js';

function ready(
  features?: readonly string[] | 'v1',
  config?: ConstructorParameters<typeof EngineBench>[0],
): EngineBench {
  const bench = new EngineBench(config);
  bench.mount();
  bench.connect(features);
  return bench;
}

describe('registration', () => {
  it('says hello first, then each surface followed by its observations', () => {
    const bench = new EngineBench({ url: 'https://todos.example/list', title: 'Todos' });
    bench.mount(surface('alpha'), 1);
    bench.give({ kind: 'observe', mountId: 1, observationId: 'todo_list', value: '[]' });
    bench.mount(surface('beta'), 2);
    bench.give({ kind: 'connected' });
    expect(bench.frames().map(({ type }) => type)).toEqual([
      'x-oui:hello',
      'surface:register',
      'observation:update',
      'surface:register',
    ]);
    expect(bench.frames('x-oui:hello')[0]?.payload).toEqual({
      protocol: '0.1',
      software: 'bench/1',
      features: ['receipt', 'ack', 'cancel', 'approval', 'ping', 'index', 'attachment'],
      confirmBy: 'page',
      clientId: 'client-1',
      url: 'https://todos.example/list',
      title: 'Todos',
      now: bench.wall,
    });
  });

  it('registers everything again after a reconnection', () => {
    const bench = ready();
    bench.give({ kind: 'disconnected', reason: 'gone' });
    bench.give({ kind: 'connected' });
    expect(bench.frames('surface:register')).toHaveLength(2);
  });

  it('sends a changed manifest once, and an unchanged one not at all', () => {
    const bench = ready();
    bench.give({ kind: 'define', mountId: 1, surface: surface() });
    expect(bench.frames('surface:register')).toHaveLength(1);
    bench.give({ kind: 'define', mountId: 1, surface: { ...surface(), name: 'Other' } });
    expect(bench.frames('surface:register').at(-1)?.payload).toMatchObject({ surface: { name: 'Other' } });
    expect(bench.frames('surface:register')).toHaveLength(2);
  });

  it('takes over how actions settle, and drops values that are no longer declared', () => {
    const bench = ready();
    bench.give({ kind: 'observe', mountId: 1, observationId: 'todo_list', value: '[1]' });
    const { observations: _, ...bare } = surface();
    bench.give({ kind: 'define', mountId: 1, surface: bare, policies: { add_todo: { settle: 'sync' } } });
    const id = bench.request('add_todo', { title: 'a' });
    expect(bench.of('run')).toMatchObject([{ settle: 'sync' }]);
    bench.finish(id);
    expect(bench.result(id).observations).toEqual({});
  });

  it('lets the newest mount serve, and the older one again when it goes', () => {
    const bench = ready();
    bench.give({ kind: 'observe', mountId: 1, observationId: 'todo_list', value: '["old"]' });
    bench.mount({ ...surface(), name: 'Newer' }, 2);
    expect(bench.of('warn')).toMatchObject([{ code: 'OUI1004' }]);
    bench.request('add_todo', { title: 'a' });
    expect(bench.of('run')).toMatchObject([{ mountId: 2 }]);
    bench.give({ kind: 'unmount', mountId: 2 });
    expect(bench.frames('surface:deregister')).toEqual([]);
    expect(bench.frames('surface:register').at(-1)?.payload).toMatchObject({ surface: { name: 'Todos' } });
    expect(bench.frames('observation:update').at(-1)?.payload).toMatchObject({ value: ['old'] });
  });
});

describe('unmounting', () => {
  it('does not abort a running handler, and deregisters behind its result', () => {
    const bench = ready();
    const id = bench.request('add_todo', { title: 'a' });
    bench.give({ kind: 'unmount', mountId: 1 });
    bench.mount(surface('next-page'), 2);
    expect(bench.of('abort')).toEqual([]);
    expect(bench.frames('surface:deregister')).toEqual([]);
    bench.finish(id);
    const order = bench.frames().map(({ type }) => type).slice(-2);
    expect(order).toEqual(['action:result', 'surface:deregister']);
    expect(bench.result(id).surfaces?.map((offered) => offered.id)).toEqual(['next-page']);
  });

  it('is waited for until the deadline at most', () => {
    for (const { returns, ends } of [{ returns: false, ends: 25_000 }, { returns: true, ends: 30_000 }]) {
      const bench = ready();
      const id = bench.request('add_todo', { title: 'a' });
      bench.give({ kind: 'unmount', mountId: 1 });
      if (returns) bench.give({ kind: 'returned', requestId: id, outcome: { success: true } });
      bench.pass(ends - 1);
      expect(bench.frames('surface:deregister')).toEqual([]);
      bench.pass(1);
      expect(bench.result(id)).toMatchObject(returns ? { success: true, settled: false } : { error: { code: 'TIMEOUT' } });
      expect(bench.frames().at(-1)?.type).toBe('surface:deregister');
    }
  });

  it('is not waited for by an acknowledged job', () => {
    const bench = ready();
    const id = bench.request('bulk_complete');
    bench.give({ kind: 'unmount', mountId: 1 });
    expect(bench.frames('surface:deregister')).toHaveLength(1);
    bench.finish(id);
    expect(bench.results(id).map((result) => result.interim)).toEqual([true, false]);
  });

  it('is cancelled by a remount, which registers', () => {
    const bench = ready();
    const id = bench.request('add_todo', { title: 'a' });
    bench.give({ kind: 'unmount', mountId: 1 });
    bench.mount(surface(), 2);
    bench.finish(id);
    expect(bench.frames('surface:deregister')).toEqual([]);
    expect(bench.frames('surface:register')).toHaveLength(2);
  });

  it('ends what waits for the surface', () => {
    const bench = ready();
    const running = bench.request('add_todo', { title: 'a' });
    const queued = bench.request('add_todo', { title: 'b' });
    const asking = bench.request('delete_todo');
    bench.give({ kind: 'unmount', mountId: 1 });
    for (const id of [queued, asking]) {
      expect(bench.result(id).error).toMatchObject({ code: 'SURFACE_UNAVAILABLE', details: { ran: false } });
    }
    expect(bench.of('close-question')).toMatchObject([{ requestId: asking }]);
    bench.finish(running);
    expect(bench.result(running).success).toBe(true);
  });
});

describe('a surface that was switched off while it was leaving', () => {
  it('is deregistered when it comes back', () => {
    const bench = ready();
    bench.request('add_todo', { title: 'a' });
    bench.give({ kind: 'unmount', mountId: 1 });
    bench.give({ kind: 'consent', surfaceId: 'todo-app', allowed: false });
    bench.mount(surface(), 2);
    expect(bench.frames('surface:deregister')).toHaveLength(1);
  });
});

describe('observations', () => {
  it('that are polling are neither kept nor pushed', () => {
    const bench = ready();
    bench.give({ kind: 'observe', mountId: 1, observationId: 'weight', value: '4' });
    bench.give({ kind: 'observed', mountId: 1, observationId: 'weight', value: '5' });
    expect(bench.frames('observation:update')).toHaveLength(1);
    bench.give({ kind: 'disconnected', reason: 'gone' });
    bench.connect();
    expect(bench.frames('observation:update')).toHaveLength(1);
    const id = bench.request('list_todos');
    bench.finish(id);
    expect(bench.result(id).observations).toEqual({});
  });

  it('go out when they change, with timestamps that never step back', () => {
    const bench = ready();
    bench.give({ kind: 'observe', mountId: 1, observationId: 'todo_list', value: '[1]' });
    bench.give({ kind: 'observe', mountId: 1, observationId: 'todo_list', value: '[1]' });
    bench.wall -= 60_000;
    bench.give({ kind: 'observe', mountId: 1, observationId: 'todo_list', value: '[2]' });
    const updates = bench.frames('observation:update').map(({ payload }) => payload as { timestamp: number });
    expect(updates).toHaveLength(2);
    expect(updates[1]!.timestamp).toBeGreaterThan(updates[0]!.timestamp);
  });

  it('are read in the page when they are polling, and known otherwise', () => {
    const bench = ready();
    const ask = (observationId: string) =>
      bench.receive('observation:request', { surfaceId: 'todo-app', observationId, requestId: 'q', timestamp: 1 });
    ask('weight');
    expect(bench.of('read')).toMatchObject([{ mountId: 1, observationId: 'weight' }]);
    bench.give({ kind: 'observed', mountId: 1, observationId: 'weight', value: '5' });
    ask('weight');
    bench.give({ kind: 'observed', mountId: 1, observationId: 'weight', value: '5' });
    expect(bench.frames('observation:update').map(({ payload }) => (payload as { value: number }).value)).toEqual([5, 5]);
    ask('todo_list');
    expect(bench.frames('observation:update').at(-1)?.payload).toMatchObject({ observationId: 'todo_list', value: null });
  });
});

describe('the connection', () => {
  it('pings after a hello, and gives the connection up when nothing comes back', () => {
    const bench = ready(['ping']);
    bench.pass(30_000);
    expect(bench.frames('x-oui:ping')).toHaveLength(1);
    bench.receive('x-oui:pong', {});
    bench.pass(30_000);
    expect(bench.of('reconnect')).toEqual([]);
    bench.pass(10_000);
    expect(bench.of('reconnect')).toHaveLength(1);
  });

  it('takes a peer that says no hello for v1, and never pings it', () => {
    const bench = ready('v1');
    bench.pass(10_000);
    expect(bench.of('peer')).toMatchObject([{ software: null }]);
    bench.pass(120_000);
    expect(bench.frames('x-oui:ping')).toEqual([]);
    expect(bench.frames('x-oui:receipt')).toEqual([]);
  });

  it('waits for a hello as long as it is set to', () => {
    const bench = ready('v1', { helloMs: 200 });
    bench.pass(199);
    expect(bench.of('peer')).toEqual([]);
    bench.pass(1);
    expect(bench.of('peer')).toMatchObject([{ software: null }]);
  });

  it('answers a ping', () => {
    const bench = ready();
    bench.receive('x-oui:ping', {});
    expect(bench.frames('x-oui:pong')).toHaveLength(1);
  });

  it('keeps results for the next connection: unsent ones, and those nobody acknowledged', () => {
    const bench = ready();
    const sent = bench.request('list_todos');
    bench.finish(sent);
    const acknowledged = bench.request('list_todos');
    bench.finish(acknowledged);
    bench.receive('x-oui:ack', { requestId: acknowledged, interim: false, ok: true });
    const unsent = bench.request('add_todo', { title: 'a' });
    bench.give({ kind: 'disconnected', reason: 'gone' });
    bench.finish(unsent);
    bench.connect();
    expect([sent, acknowledged, unsent].map((id) => bench.results(id).length)).toEqual([2, 1, 1]);
    const order = bench.frames().map(({ type }) => type);
    expect(order.lastIndexOf('surface:register')).toBeLessThan(order.lastIndexOf('action:result'));
  });

  it('sends nothing twice to a v1 peer', () => {
    const bench = ready('v1');
    bench.pass(10_000);
    const id = bench.request('list_todos');
    bench.finish(id);
    bench.give({ kind: 'disconnected', reason: 'gone' });
    bench.connect('v1');
    expect(bench.results(id)).toHaveLength(1);
  });
});
