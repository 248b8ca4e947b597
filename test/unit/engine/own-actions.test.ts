import { describe, expect, it } from 'vitest';
import type { EngineConfig } from '../../../src/protocol/engine-config.js';
import type { OUIActionResult } from '../../../src/protocol/events.js';
import { ACTIONS, EngineBench, surface } from './engine-bench.js';

function ready(config: Partial<EngineConfig> = {}): EngineBench {
  const bench = new EngineBench(config);
  bench.mount();
  bench.connect();
  return bench;
}

function own(bench: EngineBench, actionId: string, params: unknown): OUIActionResult {
  return bench.result(bench.request(actionId, params, { surfaceId: 'oui' }));
}

const read = (bench: EngineBench, params: object = {}): OUIActionResult =>
  own(bench, 'read', { surface: 'todo-app', observation: 'todo_list', ...params });
const observe = (bench: EngineBench, value: unknown): void => {
  bench.give({ kind: 'observe', mountId: 1, observationId: 'todo_list', value: JSON.stringify(value) });
};
const numbers = (count: number, from = 0): number[] => Array.from({ length: count }, (_, index) => from + index);

describe("the runtime's own actions", () => {
  it('are answered at once, with the hash and nothing of the page', () => {
    const bench = ready();
    observe(bench, ['Milk']);
    const held = bench.request('add_todo', { title: 'a' });
    const result = read(bench);
    expect(result).toEqual({
      requestId: result.requestId,
      success: true,
      data: { rows: ['Milk'], total: 1, offset: 0 },
      durationMs: 0,
      timestamp: bench.wall,
      surfacesHash: expect.stringMatching(/^fnv1a64:/) as string,
      settled: true,
    });
    expect(bench.frames('x-oui:receipt').at(-1)?.payload).toEqual({ requestId: result.requestId, ok: true });
    expect(bench.results(held)).toEqual([]);
    expect(bench.of('run')).toHaveLength(1);
  });

  it('are behind the gate and the pause of the user', () => {
    const bench = ready({ hasGate: true });
    const id = bench.request('read', { surface: 'todo-app', observation: 'todo_list' }, { surfaceId: 'oui' });
    expect(bench.results(id)).toEqual([]);
    bench.give({ kind: 'gate', requestId: id, open: true });
    expect(bench.result(id).data).toEqual({ value: null });
    bench.give({ kind: 'pause' });
    const paused = bench.request('describe', { actions: [] }, { surfaceId: 'oui' });
    bench.give({ kind: 'gate', requestId: paused, open: true });
    expect(bench.result(paused).error?.code).toBe('ACTION_DENIED');
  });

  it('are there for the page too', () => {
    const bench = ready();
    bench.give({ kind: 'pause' });
    const params = { actions: [{ surface: 'todo-app', action: 'add_todo' }] };
    const request = { requestId: 'mine', surfaceId: 'oui', actionId: 'describe', params, timestamp: 1 };
    bench.give({ kind: 'execute', request, nested: false });
    expect(bench.of('executed')).toMatchObject([
      { requestId: 'mine', result: { success: true, data: { definitions: [{ action: ACTIONS[0] }] } } },
    ]);
  });

  it('answer a repeat as any action does', () => {
    const bench = ready();
    const { requestId } = own(bench, 'describe', { actions: [] });
    bench.pass(8_000);
    bench.request('describe', { actions: [] }, { surfaceId: 'oui', requestId });
    expect(bench.results(requestId)).toHaveLength(2);
    bench.receive('x-oui:ack', { requestId, interim: false, ok: true });
    bench.pass(8_000);
    bench.request('describe', { actions: [] }, { surfaceId: 'oui', requestId });
    expect(bench.results(requestId)).toHaveLength(2);
  });

  it('are two, and no limit of a surface is theirs', () => {
    const bench = ready({ rateBurst: 1, ratePerSecond: 1 });
    expect(own(bench, 'write', {}).error).toMatchObject({
      code: 'ACTION_NOT_FOUND',
      message: expect.stringContaining('describe, read') as string,
    });
    for (let count = 0; count < 5; count++) expect(read(bench).success).toBe(true);
  });
});

describe('oui.describe', () => {
  const ask = (bench: EngineBench, ...names: readonly string[]): OUIActionResult => {
    const actions = names.map((name) => ({ surface: name.split(' ')[0], action: name.split(' ')[1] }));
    return own(bench, 'describe', { actions });
  };

  it('gives definitions in the order asked, and names what is missing', () => {
    const bench = ready({ form: 'index' });
    const result = ask(bench, 'todo-app pay_now', 'todo-app nope', 'todo-app add_todo', 'other-one add_todo');
    expect(result.data).toEqual({
      definitions: [
        { surface: 'todo-app', action: ACTIONS[3] },
        { surface: 'todo-app', action: ACTIONS[0] },
      ],
      missing: [
        { surface: 'todo-app', action: 'nope' },
        { surface: 'other-one', action: 'add_todo' },
      ],
    });
    expect(ask(bench).data).toEqual({ definitions: [] });
  });

  it('gives the first in any case, defers what does not fit, and gives that when asked again', () => {
    const bench = ready();
    const description = 'é'.repeat(100 * 1024);
    const actions = [1, 2, 3, 4, 5].map((each) => ({ id: `action_${each}`, description, input: {} }));
    bench.mount(surface('large-one', actions), 2);
    const names = actions.map(({ id }) => `large-one ${id}`);
    const first = ask(bench, ...names).data as { definitions: object[]; deferred: object[] };
    expect(first.definitions).toHaveLength(2);
    expect(first.deferred).toEqual([3, 4, 5].map((each) => ({ surface: 'large-one', action: `action_${each}` })));
    const next = own(bench, 'describe', { actions: first.deferred }).data as { definitions: object[] };
    expect(next.definitions).toMatchObject([{ action: { id: 'action_3' } }, { action: { id: 'action_4' } }]);
    for (const result of bench.frames('action:result')) expect(JSON.stringify(result).length).toBeLessThan(480 * 1024);

    const whole = [{ id: 'very_large', description: 'x'.repeat(600 * 1024), input: {} }, ...actions];
    bench.mount(surface('huge-one', whole), 3);
    expect(ask(bench, 'huge-one very_large', 'huge-one action_1').data).toMatchObject({
      definitions: [{ action: { id: 'very_large' } }],
      deferred: [{ action: 'action_1' }],
    });
  });

  it('says of a definition that no frame takes that it was left out', () => {
    const bench = ready();
    bench.mount(surface('huge-one', [{ id: 'very_large', description: 'x'.repeat(1_100_000), input: {} }]), 2);
    const result = ask(bench, 'huge-one very_large');
    expect(result).toMatchObject({ success: true, delivery: { omitted: ['data'] } });
    expect(result).not.toHaveProperty('data');
  });

  it('knows nothing of a surface that the user switched off', () => {
    const bench = ready();
    bench.give({ kind: 'consent', surfaceId: 'todo-app', allowed: false });
    expect(ask(bench, 'todo-app add_todo').data).toMatchObject({ definitions: [], missing: [{ action: 'add_todo' }] });
  });

  it.each([
    [undefined],
    [{ actions: 'add_todo' }],
    [{ actions: ['add_todo'] }],
    [{ actions: [{ surface: 'todo-app' }] }],
    [{ actions: [{ surface: 'todo-app', action: 7 }] }],
    [{ actions: numbers(1_001).map(() => ({ surface: 'a', action: 'b' })) }],
  ])('refuses %j', (params) => {
    expect(own(ready(), 'describe', params).error).toMatchObject({ code: 'INVALID_PARAMS', details: { ran: false } });
  });
});

describe('oui.read', () => {
  it('pages through a list', () => {
    const bench = ready();
    observe(bench, numbers(120));
    expect(read(bench).data).toEqual({ rows: numbers(50), total: 120, offset: 0, more: true, next: 50 });
    expect(read(bench, { offset: 50, limit: 60 }).data).toMatchObject({ rows: numbers(60, 50), next: 110 });
    expect(read(bench, { offset: 110 }).data).toEqual({ rows: numbers(10, 110), total: 120, offset: 110 });
    expect(read(bench, { offset: 500 }).data).toEqual({ rows: [], total: 120, offset: 120 });
  });

  it('finds a place by its pointer', () => {
    const bench = ready();
    observe(bench, { 'a/b': [{ '~': 'deep' }], n: 0 });
    expect(read(bench, { path: '/a~1b/0/~0' }).data).toEqual({ value: 'deep' });
    expect(read(bench, { path: '/n' }).data).toEqual({ value: 0 });
    for (const path of ['/x', '/a~1b/1', '/a~1b/-', '/n/0', '/toString']) {
      expect(read(bench, { path }).error).toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining(path) as string });
    }
  });

  it('gives the whole of what the frames before had cut', () => {
    const bench = ready();
    const rows = numbers(100_000);
    observe(bench, { rows, note: 'x'.repeat(300_000) });
    expect(read(bench, { path: '/note' }).data).toEqual({ value: 'x'.repeat(300_000) });
    expect(read(bench, { path: '/rows', offset: 99_990 }).data).toMatchObject({ rows: numbers(10, 99_990) });
    const all = read(bench).data as { value: { rows: number[] }; fit: { observations: object[] } };
    expect(all.value.rows).toHaveLength(200);
    expect(all.fit.observations).toMatchObject([{ path: '/rows', kind: 'list', total: 100_000, kept: 200 }]);
  });

  it('gives fewer rows when they would not fit, and one that is too large cut', () => {
    const bench = ready({ budgets: { resultBytes: 32_768, updateBytes: 32_768 } });
    observe(bench, [...numbers(3).map(() => 'x'.repeat(12_000)), { list: numbers(20_000), text: 'y' }, 'last']);
    expect(read(bench).data).toMatchObject({ total: 5, offset: 0, more: true, next: 2 });
    expect(read(bench, { offset: 2 }).data).toMatchObject({ rows: ['x'.repeat(12_000)], more: true, next: 3 });
    expect(read(bench, { offset: 3 }).data).toMatchObject({
      rows: [{ list: numbers(200), text: 'y' }],
      next: 4,
      fit: { observations: [{ surface: 'todo-app', observation: 'todo_list', path: '/3/list', kept: 200 }] },
    });
    for (const { payload } of bench.of('send')) expect(payload.length).toBeLessThanOrEqual(32_768);
  });

  it('reads a text or an object in pages when it is asked to', () => {
    const bench = ready({ budgets: { resultBytes: 32_768, updateBytes: 32_768 } });
    observe(bench, { text: 'a😀b'.repeat(20_000), wide: Object.fromEntries(numbers(9_000).map((key) => [`k${key}`, key])) });
    expect(read(bench, { path: '/text' }).data).toMatchObject({ fit: { observations: [{ path: '/text', kind: 'text' }] } });
    expect(read(bench, { path: '/text', offset: 1, limit: 1 }).data).toEqual({
      value: '😀', total: 80_000, offset: 1, more: true, next: 3,
    });
    expect(read(bench, { path: '/text', offset: 2, limit: 2 }).data).toMatchObject({ value: '😀', offset: 1, next: 3 });
    const long = read(bench, { path: '/text', offset: 0, limit: 80_000 }).data as { value: string; next: number };
    expect(long.value.length).toBe(long.next);
    expect(long.value).toBe('a😀b'.repeat(20_000).slice(0, long.next));
    expect(read(bench, { path: '/wide' }).data).toMatchObject({ value: null, fit: { observations: [{ kind: 'value' }] } });
    expect(read(bench, { path: '/wide', offset: 8_999 }).data).toEqual({ value: { k8999: 8_999 }, total: 9_000, offset: 8_999 });
  });

  it('knows job statuses, and null for what has no value yet', () => {
    const bench = ready();
    const id = bench.request('bulk_complete');
    const observation = 'todo-app:bulk_complete:status';
    expect(read(bench, { observation }).data).toMatchObject({ value: { status: 'running', requestId: id } });
    expect(read(bench).data).toEqual({ value: null });
  });

  it('says what there is when something is not', () => {
    const bench = ready();
    const noObservation = read(bench, { observation: 'nope' }).error;
    expect(noObservation).toMatchObject({ code: 'NOT_FOUND' });
    expect(noObservation?.message).toContain('todo_list, weight');
    expect(read(bench, { surface: 'nope' }).error?.message).toContain('todo-app');
    bench.give({ kind: 'consent', surfaceId: 'todo-app', allowed: false });
    expect(read(bench).error?.code).toBe('NOT_FOUND');
  });

  it.each([
    [{ surface: 7 }],
    [{ observation: '' }],
    [{ path: 'a' }],
    [{ path: '/~2' }],
    [{ path: 7 }],
    [{ offset: -1 }],
    [{ offset: 1.5 }],
    [{ limit: 0 }],
    [{ limit: '5' }],
  ])('refuses %j', (params) => {
    expect(read(ready(), params).error?.code).toBe('INVALID_PARAMS');
  });
});

describe('oui.read of an observation that is read in the page', () => {
  const ask = (bench: EngineBench): string =>
    bench.request('read', { surface: 'todo-app', observation: 'weight' }, { surfaceId: 'oui' });

  it('is answered with what the page reads, and nothing else is sent', () => {
    const bench = ready();
    const id = ask(bench);
    expect(bench.of('read')).toEqual([{ kind: 'read', mountId: 1, observationId: 'weight', requestId: id }]);
    expect(bench.results(id)).toEqual([]);
    bench.give({ kind: 'observed', mountId: 1, observationId: 'weight', value: '{"kg":4}', requestId: id });
    expect(bench.result(id).data).toEqual({ value: { kg: 4 } });
    expect(bench.frames('observation:update')).toEqual([]);
  });

  it('is not there any more when its surface went, or was switched off, meanwhile', () => {
    const bench = ready();
    const id = ask(bench);
    bench.give({ kind: 'unmount', mountId: 1 });
    bench.give({ kind: 'observed', mountId: 1, observationId: 'weight', value: '4', requestId: id });
    expect(bench.result(id).error?.code).toBe('NOT_FOUND');
  });

  it('is asked for again by the next engine, and ends with its time', () => {
    const old = ready();
    const id = ask(old);
    const bench = new EngineBench();
    bench.mount();
    bench.give({ kind: 'restore', entries: [{ ...old.of('journal').at(-1)!.entry, losses: 1 }] });
    bench.connect();
    expect(bench.of('read')).toMatchObject([{ requestId: id }]);
    bench.pass(30_000);
    expect(bench.result(id).error).toMatchObject({ code: 'TIMEOUT', details: { ran: false } });
    bench.give({ kind: 'observed', mountId: 1, observationId: 'weight', value: '4', requestId: id });
    expect(bench.results(id)).toHaveLength(1);
  });
});
