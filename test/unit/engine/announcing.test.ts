import { describe, expect, it } from 'vitest';
import type { EngineConfig } from '../../../src/protocol/engine-config.js';
import { parseEventToAgent } from '../../../src/protocol/guards.js';
import { surfaceIndex } from '../../../src/rules/index-entry.js';
import { EngineBench, surface } from './engine-bench.js';

const FEATURES = ['receipt', 'ack', 'index'];
const LARGE = { ...surface('large-one'), metadata: { usage: 'x'.repeat(1_048_576) } };

function mounted(config: Partial<EngineConfig> = {}): EngineBench {
  const bench = new EngineBench(config);
  bench.mount();
  return bench;
}

const hello = (bench: EngineBench, features: readonly string[]): void => {
  bench.receive('x-oui:hello', { protocol: '0.1', software: 'agent/1', features, now: 1 });
};
const types = (bench: EngineBench): string[] => bench.frames().map(({ type }) => type);
const registered = (bench: EngineBench) => bench.frames('surface:register').map(({ payload }) => payload);

describe('registrations in index form', () => {
  it('wait for the hello, and come in order with their observations', () => {
    const bench = mounted({ form: 'index' });
    bench.mount(surface('beta'), 2);
    bench.give({ kind: 'observe', mountId: 1, observationId: 'todo_list', value: '[1]' });
    bench.give({ kind: 'connected' });
    expect(types(bench)).toEqual(['x-oui:hello']);
    bench.give({ kind: 'observe', mountId: 1, observationId: 'todo_list', value: '[2]' });
    expect(types(bench)).toEqual(['x-oui:hello']);
    hello(bench, FEATURES);
    expect(types(bench).slice(1)).toEqual(['surface:register', 'observation:update', 'surface:register']);
    expect(registered(bench)).toEqual([
      { index: surfaceIndex(surface()), timestamp: bench.wall },
      { index: surfaceIndex(surface('beta')), timestamp: bench.wall },
    ]);
    for (const event of bench.frames('surface:register')) expect(parseEventToAgent(event).kind).toBe('event');
  });

  it('are full ones for a peer that does not read them, or says no hello', () => {
    const bench = mounted({ form: 'index' });
    bench.connect(['receipt', 'ack']);
    expect(registered(bench)).toEqual([{ surface: surface(), timestamp: bench.wall }]);

    const plain = mounted({ form: 'index' });
    plain.connect('v1');
    plain.pass(9_999);
    expect(registered(plain)).toEqual([]);
    plain.pass(1);
    expect(registered(plain)).toMatchObject([{ surface: { id: 'todo-app' } }]);
  });

  it('go out again when the manifest changed', () => {
    const bench = mounted({ form: 'index' });
    bench.connect(FEATURES);
    bench.give({ kind: 'define', mountId: 1, surface: { ...surface(), name: 'Other' } });
    bench.give({ kind: 'define', mountId: 1, surface: { ...surface(), name: 'Other' } });
    expect(registered(bench)).toMatchObject([{ index: { name: 'Todos' } }, { index: { name: 'Other' } }]);
  });
});

describe('a manifest that the connection does not take', () => {
  it('goes in index form where that is read, once it is known', () => {
    const bench = mounted();
    bench.mount(LARGE, 2);
    bench.give({ kind: 'connected' });
    expect(registered(bench)).toMatchObject([{ surface: { id: 'todo-app' } }]);
    hello(bench, FEATURES);
    expect(registered(bench)).toMatchObject([{ surface: { id: 'todo-app' } }, { index: { id: 'large-one' } }]);
    expect(bench.of('warn')).toEqual([]);
  });

  it('is not sent elsewhere, and the error names the surface to split', () => {
    const bench = mounted();
    bench.mount(LARGE, 2);
    bench.connect(['receipt']);
    expect(registered(bench)).toHaveLength(1);
    expect(bench.of('warn')).toMatchObject([{ code: 'OUI1012', message: expect.stringContaining('"large-one"') as string }]);
    bench.give({ kind: 'observe', mountId: 2, observationId: 'todo_list', value: '[1]' });
    expect(bench.frames('observation:update')).toEqual([]);
  });

  it('is taken back when it has become too large', () => {
    const bench = mounted();
    bench.connect(['receipt']);
    bench.give({ kind: 'define', mountId: 1, surface: { ...surface(), metadata: LARGE.metadata } });
    expect(bench.frames('surface:deregister')).toHaveLength(1);
    bench.give({ kind: 'define', mountId: 1, surface: surface() });
    expect(registered(bench)).toHaveLength(2);
  });
});

describe('announce: false', () => {
  it('sends results, hello, receipts and what was asked for, and nothing else', () => {
    const bench = mounted({ announce: false });
    bench.give({ kind: 'observe', mountId: 1, observationId: 'todo_list', value: '[1]' });
    bench.connect();
    bench.give({ kind: 'observe', mountId: 1, observationId: 'todo_list', value: '[2]' });
    bench.mount(surface('beta'), 2);
    bench.give({ kind: 'unmount', mountId: 2 });
    const id = bench.request('bulk_complete');
    bench.finish(id);
    expect(types(bench)).toEqual(['x-oui:hello', 'x-oui:receipt', 'action:result', 'action:result']);
    expect(bench.results(id)[0]).toMatchObject({ surfaces: [{ id: 'todo-app' }] });
    expect(bench.results(id)[1]?.observations).toMatchObject({ 'todo-app': { todo_list: [2] } });
    const pull = { surfaceId: 'todo-app', observationId: 'todo_list', requestId: 'p1', timestamp: 1 };
    bench.receive('observation:request', pull);
    bench.give({ kind: 'dispose' });
    expect(types(bench).slice(4)).toEqual(['observation:update']);
  });
});

describe('an observation update', () => {
  it('is fitted to its budget, and says what was cut', () => {
    const bench = mounted({ budgets: { resultBytes: 491_520, updateBytes: 40_000 } });
    bench.connect();
    const rows = Array.from({ length: 20_000 }, (_, index) => ({ index, title: 'é' }));
    bench.give({ kind: 'observe', mountId: 1, observationId: 'todo_list', value: JSON.stringify(rows) });
    const update = bench.frames('observation:update')[0]!;
    expect(update.payload).toMatchObject({
      value: rows.slice(0, 200),
      fit: {
        observations: [
          { surface: 'todo-app', observation: 'todo_list', path: '', kind: 'list', total: 20_000, kept: 200 },
        ],
      },
    });
    expect(JSON.stringify(update).length).toBeLessThanOrEqual(40_000);
    expect(parseEventToAgent(update).kind).toBe('event');
  });

  it('is sent as it is when it fits', () => {
    const bench = mounted();
    bench.connect();
    bench.give({ kind: 'observe', mountId: 1, observationId: 'todo_list', value: '[1, 2]' });
    expect(bench.of('send').at(-1)?.payload).toContain('"value":[1, 2]');
    expect(bench.frames('observation:update')[0]?.payload).not.toHaveProperty('fit');
  });
});
