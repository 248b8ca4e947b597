import { describe, expect, it } from 'vitest';
import type { EngineConfig } from '../../../src/protocol/engine-config.js';
import type { OUIActionResult } from '../../../src/protocol/events.js';
import { surfaceIndex } from '../../../src/rules/index-entry.js';
import { surfacesHash } from '../../../src/rules/surfaces-hash.js';
import { EngineBench, surface } from './engine-bench.js';

const KIB = 1024;

function ready(config: Partial<EngineConfig> = {}, features?: readonly string[] | 'v1'): EngineBench {
  const bench = new EngineBench(config);
  bench.mount();
  bench.connect(features);
  return bench;
}

const observe = (bench: EngineBench, value: unknown, observationId = 'todo_list'): void => {
  bench.give({ kind: 'observe', mountId: 1, observationId, value: JSON.stringify(value) });
};

/** Answers a read with this data. @returns its last result. */
function answer(bench: EngineBench, data: unknown = { ok: true }, more: Record<string, unknown> = {}): OUIActionResult {
  const id = bench.request('list_todos', {}, more);
  bench.finish(id, { success: true, data: JSON.stringify(data) });
  return bench.results(id).at(-1)!;
}

const ack = (bench: EngineBench, requestId: string, more: object = {}): void => {
  bench.receive('x-oui:ack', { requestId, interim: false, ok: true, ...more });
};

describe('the offered part of a result', () => {
  it('is the index, with its own hash, in index form', () => {
    const bench = ready({ form: 'index' });
    const result = answer(bench);
    const index = [surfaceIndex(surface())];
    expect(result).toMatchObject({ index, surfacesHash: surfacesHash(index) });
    expect(result).not.toHaveProperty('surfaces');
    const again = answer(bench, 1, { knownSurfaces: result.surfacesHash });
    expect(again).not.toHaveProperty('index');
    expect(again.surfacesHash).toBe(result.surfacesHash);
  });

  it('is compared with what the acknowledgment of a job carried, not with what the request knew', () => {
    const bench = ready();
    const { surfacesHash: knownSurfaces } = answer(bench);
    const id = bench.request('bulk_complete', {}, { knownSurfaces });
    bench.mount(surface('other-one'), 2);
    bench.finish(id);
    const same = bench.request('bulk_complete', {}, { knownSurfaces });
    bench.finish(same);
    const held = bench.results(id).concat(bench.results(same)).map(({ surfaces }) => surfaces?.length);
    expect(held).toEqual([undefined, 2, 2, undefined]);
  });

  it('goes whole, and what it leaves is for data and observations', () => {
    const bench = ready();
    const usage = 'x'.repeat(470 * KIB);
    bench.mount({ ...surface('large-one'), metadata: { usage } }, 2);
    observe(bench, Array.from({ length: 3000 }, (_, index) => ({ index })));
    const result = answer(bench, { id: 7 });
    expect(result.surfaces).toHaveLength(2);
    expect(result.data).toEqual({ id: 7 });
    expect(result.fit?.observations).toMatchObject([{ observation: 'todo_list', kind: 'list', total: 3000 }]);
    expect(result).not.toHaveProperty('delivery');
  });

  it('is left out first when even it does not fit, and delivery says so', () => {
    const bench = ready();
    bench.mount({ ...surface('large-one'), metadata: { usage: 'x'.repeat(500 * KIB) } }, 2);
    observe(bench, [1]);
    const result = answer(bench, { id: 7 });
    expect(result).toMatchObject({
      success: true,
      data: { id: 7 },
      observations: { 'todo-app': { todo_list: [1] } },
      delivery: { trimmed: true, reason: 'frame too large', omitted: ['surfaces'] },
    });
    expect(result.surfacesHash).toMatch(/^fnv1a64:/);
    expect(bench.of('warn')).toMatchObject([{ code: 'OUI1010' }]);
  });
});

describe('a result within its budget', () => {
  it('cuts observations and keeps data', () => {
    const bench = ready();
    observe(bench, Array.from({ length: 100_000 }, (_, index) => index));
    const result = answer(bench, 'x'.repeat(400 * KIB));
    expect(result.data).toHaveLength(400 * KIB);
    expect(result.observations?.['todo-app']?.['todo_list']).toHaveLength(200);
    expect(result.fit?.observations).toMatchObject([{ path: '', kind: 'list', total: 100_000, kept: 200 }]);
  });

  it('says how large data was that left too little', () => {
    const bench = ready();
    observe(bench, Array.from({ length: 20_000 }, (_, index) => index));
    const result = answer(bench, 'é'.repeat(600_000));
    expect(result).not.toHaveProperty('data');
    expect(result.fit?.data?.bytes).toBe(1_200_002);
    expect(result.success).toBe(true);
    expect(result.observations?.['todo-app']?.['todo_list']).toHaveLength(20_000);
  });

  it('keeps to what the connection takes', () => {
    const bench = new EngineBench();
    bench.mount();
    bench.give({ kind: 'connected', frameBytes: 64 * KIB });
    bench.receive('x-oui:hello', { protocol: '0.1', software: 'a', features: ['ack'], now: 1 });
    const result = answer(bench, 'x'.repeat(100 * KIB));
    expect(result.fit?.data?.bytes).toBe(100 * KIB + 2);
    expect(bench.of('send').every(({ payload }) => payload.length < 64 * KIB)).toBe(true);
  });

  it('leaves out the details of an error that are a document, not its code and message', () => {
    const bench = ready();
    observe(bench, [1]);
    const id = bench.request('list_todos');
    const error = { code: 'app:full', message: 'No room.', details: 'x'.repeat(700_000) };
    bench.finish(id, { success: false, error, data: '[1]' });
    expect(bench.result(id)).toMatchObject({
      error: { code: 'app:full', message: 'No room.' },
      data: [1],
      observations: { 'todo-app': { todo_list: [1] } },
      delivery: { omitted: ['error.details'] },
    });
    expect(bench.result(id).error).not.toHaveProperty('details');
  });

  it('is of no account for the page\'s own calls', () => {
    const bench = ready();
    const request = { requestId: 'own', surfaceId: 'todo-app', actionId: 'list_todos', params: {}, timestamp: 1 };
    bench.give({ kind: 'execute', request, nested: false });
    bench.finish('own', { success: true, data: JSON.stringify('x'.repeat(2_000_000)) });
    const result = bench.of('executed')[0]!.result;
    expect(result.data).toHaveLength(2_000_000);
    expect(result).not.toHaveProperty('surfaces');
  });
});

describe('a refused result', () => {
  it('goes again a step smaller each time, four sends at most, then a warning', () => {
    const bench = ready();
    observe(bench, [1]);
    const { requestId } = answer(bench, { id: 7 });
    const omitted = () => bench.results(requestId).map(({ delivery }) => delivery?.omitted);
    const steps = [undefined, ['surfaces'], ['surfaces', 'observations'], ['surfaces', 'observations', 'data']];
    for (let sends = 1; sends <= 4; sends++) {
      expect(omitted()).toEqual(steps.slice(0, sends));
      expect(bench.of('warn')).toEqual([]);
      ack(bench, requestId, { ok: false, error: 'over 1000 bytes' });
    }
    expect(bench.results(requestId)).toHaveLength(4);
    expect(bench.of('warn')).toMatchObject([{ code: 'OUI1013' }]);
    const [whole, ...smaller] = bench.results(requestId);
    for (const result of smaller) {
      expect(result).toMatchObject({ success: true, requestId, surfacesHash: whole?.surfacesHash });
      expect(result.delivery?.reason).toBe('over 1000 bytes');
    }
    bench.pass(60_000);
    bench.request('list_todos', {}, { requestId });
    expect(bench.results(requestId)).toHaveLength(4);
  });

  it('is taken for acknowledged when the smaller one is, and takes a reason under either name', () => {
    const bench = ready();
    const { requestId } = answer(bench);
    ack(bench, requestId, { ok: false, reason: 'too large' });
    ack(bench, requestId);
    ack(bench, requestId, { ok: false, reason: 'too large' });
    expect(bench.results(requestId)).toHaveLength(2);
    expect(bench.of('journal').at(-1)?.entry).toMatchObject({ acknowledged: true });
  });

  it('is the smaller one that a repeat and the next connection get', () => {
    const bench = ready();
    const { requestId } = answer(bench);
    ack(bench, requestId, { ok: false, reason: 'too large' });
    bench.give({ kind: 'disconnected', reason: 'gone' });
    bench.connect();
    bench.pass(8_000);
    bench.request('list_todos', {}, { requestId });
    const omitted = bench.results(requestId).map(({ delivery }) => delivery?.omitted);
    expect(omitted).toEqual([undefined, ['surfaces'], ['surfaces'], ['surfaces']]);
  });

  it.each([{ ok: false }, { ok: false, error: '' }, { ok: true, interim: true }])('is not one: %j', (more) => {
    const bench = ready();
    const { requestId } = answer(bench);
    ack(bench, requestId, more);
    expect(bench.results(requestId)).toHaveLength(1);
    bench.pass(8_000);
    bench.request('list_todos', {}, { requestId });
    expect(bench.results(requestId)).toHaveLength(2);
  });
});

describe('an answer that nobody acknowledged', () => {
  it('goes again on a repeat after the time that is set', () => {
    const bench = ready({ reanswerAfterMs: 500 });
    const { requestId } = answer(bench);
    bench.pass(499);
    bench.request('list_todos', {}, { requestId });
    expect(bench.results(requestId)).toHaveLength(1);
    bench.pass(1);
    bench.request('list_todos', {}, { requestId });
    expect(bench.results(requestId)).toHaveLength(2);
  });

  it('is the acknowledgment while a job runs, and the outcome once it has ended', () => {
    const bench = ready();
    const id = bench.request('bulk_complete');
    const interims = () => bench.results(id).map(({ interim }) => interim);
    bench.request('bulk_complete', {}, { requestId: id });
    expect(interims()).toEqual([true]);
    bench.pass(8_000);
    bench.request('bulk_complete', {}, { requestId: id });
    expect(interims()).toEqual([true, true]);
    bench.finish(id);
    expect(interims()).toEqual([true, true, false]);
    bench.pass(8_000);
    bench.request('bulk_complete', {}, { requestId: id });
    expect(interims()).toEqual([true, true, false, false]);
    expect(bench.of('run')).toHaveLength(1);
  });

  it('is not the acknowledgment of a job once that was acknowledged', () => {
    const bench = ready();
    const id = bench.request('bulk_complete');
    ack(bench, id, { interim: true });
    bench.pass(8_000);
    bench.request('bulk_complete', {}, { requestId: id });
    bench.give({ kind: 'disconnected', reason: 'gone' });
    bench.connect();
    expect(bench.results(id)).toHaveLength(1);
    bench.finish(id);
    expect(bench.results(id)).toHaveLength(2);
  });

  it('goes again on the next connection, the acknowledgment before the outcome', () => {
    const bench = ready();
    const id = bench.request('bulk_complete');
    bench.give({ kind: 'disconnected', reason: 'gone' });
    bench.finish(id);
    const started = 'never handed over';
    bench.receive('action:request', { requestId: started, surfaceId: 'todo-app', actionId: 'bulk_complete' });
    bench.finish(started);
    bench.connect();
    const interims = (requestId: string) => bench.results(requestId).map(({ interim }) => interim);
    expect(interims(id)).toEqual([true, true, false]);
    expect(interims(started)).toEqual([true, false]);
    ack(bench, id);
    bench.give({ kind: 'disconnected', reason: 'gone' });
    bench.connect();
    expect(interims(id)).toEqual([true, true, false]);
  });

  it('is handed to the next engine, a refused acknowledgment in its smaller form', () => {
    const old = ready();
    const id = old.request('bulk_complete');
    ack(old, id, { interim: true, ok: false, error: 'too large' });
    expect(old.results(id).at(-1)).toMatchObject({ interim: true, delivery: { omitted: ['surfaces'] } });
    const bench = new EngineBench();
    bench.mount();
    bench.give({ kind: 'restore', entries: [{ ...old.of('journal').at(-1)!.entry, losses: 1 }] });
    bench.connect();
    expect(bench.results(id)).toMatchObject([{ interim: true, delivery: { omitted: ['surfaces'] } }]);
    bench.finish(id);
    expect(bench.results(id).at(-1)).toMatchObject({ interim: false });
  });
});
