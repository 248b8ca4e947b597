import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../src/protocol/journal-entry.js';
import type { EngineConfig } from '../../../src/protocol/engine-config.js';
import { EngineBench } from './engine-bench.js';

/** A request that another document of the tab left. */
function left(more: Partial<JournalEntry> = {}): JournalEntry {
  return {
    requestId: 'e1',
    stage: 'running',
    origin: 'agent',
    earlier: true,
    request: { requestId: 'e1', surfaceId: 'todo-app', actionId: 'add_todo', params: null, timestamp: 1 },
    receivedAt: -100_000,
    deadlineAt: -70_000,
    waits: true,
    ...more,
  };
}

function ready(entries: readonly JournalEntry[] = [], config: Partial<EngineConfig> = {}): EngineBench {
  const bench = new EngineBench(config);
  bench.mount();
  bench.give({ kind: 'restore', entries });
  bench.connect();
  return bench;
}

describe('a request of an earlier document', () => {
  it('holds neither the queue of its surface nor its deregistration', () => {
    const bench = ready([left()]);
    expect(bench.running(bench.request('add_todo', { title: 'a' }))).toBe(true);
    const other = ready([left()]);
    other.give({ kind: 'unmount', mountId: 1 });
    expect(other.frames('surface:deregister')).toHaveLength(1);
  });

  it('has its time anew', () => {
    const bench = ready([left()]);
    bench.give({ kind: 'returned', requestId: 'e1', outcome: { success: true, data: '1' } });
    bench.pass(29_999);
    expect(bench.results('e1')).toEqual([]);
    bench.pass(1);
    expect(bench.result('e1')).toMatchObject({ success: true, data: 1, settled: false });
  });

  it('is marked as such for the engine after this one', () => {
    const bench = ready([left()]);
    bench.give({ kind: 'returned', requestId: 'e1', outcome: { success: true } });
    bench.give({ kind: 'settled', requestId: 'e1', settled: true });
    expect(bench.of('journal').at(-1)?.entry).toMatchObject({ requestId: 'e1', stage: 'answered', earlier: true });
  });

  it('is not looked at against the schema of today', () => {
    const bench = new EngineBench();
    bench.mount({
      id: 'todo-app', name: 'Todos', description: 'A list', observations: [],
      actions: [{ id: 'add_todo', description: 'Add', input: {}, output: { type: 'string' } }],
    });
    bench.give({ kind: 'restore', entries: [left()] });
    bench.give({ kind: 'returned', requestId: 'e1', outcome: { success: true, data: '1' } });
    expect(bench.of('warn')).toEqual([]);
  });
});

describe('data in the store', () => {
  const outcome = { success: true } as const;

  it('are fetched, and the result waits for both them and the page', () => {
    for (const order of ['loaded first', 'settled first']) {
      const bench = ready([left()]);
      bench.give({ kind: 'returned', requestId: 'e1', outcome, load: 9 });
      expect(bench.of('load')).toEqual([{ kind: 'load', key: 'client-1 e1', requestId: 'e1' }]);
      const inputs = [
        { kind: 'loaded', requestId: 'e1', data: '"abcdefg"' },
        { kind: 'settled', requestId: 'e1', settled: true },
      ] as const;
      const [first, second] = order === 'loaded first' ? inputs : [...inputs].reverse();
      bench.give(first!);
      expect(bench.results('e1')).toEqual([]);
      bench.give(second!);
      expect(bench.result('e1')).toMatchObject({ success: true, data: 'abcdefg', settled: true });
      expect(bench.result('e1')).not.toHaveProperty('fit');
    }
  });

  it('that are not there are left out, and it is said so: at once, and at the end of its time', () => {
    const fit = { data: { bytes: 9, limit: 4_096 } };
    const gone = ready([left()]);
    gone.give({ kind: 'returned', requestId: 'e1', outcome, load: 9 });
    gone.give({ kind: 'loaded', requestId: 'e1' });
    gone.give({ kind: 'settled', requestId: 'e1', settled: true });
    expect(gone.result('e1')).toMatchObject({ success: true, fit });
    const silent = ready([left()]);
    silent.give({ kind: 'returned', requestId: 'e1', outcome, load: 9 });
    silent.pass(30_000);
    expect(silent.result('e1')).toMatchObject({ success: true, fit, settled: false });
    silent.give({ kind: 'loaded', requestId: 'e1', data: '1' });
    expect(silent.results('e1')).toHaveLength(1);
  });

  it('are put there when the page says so, and taken away when they have arrived', () => {
    const bench = ready();
    const id = bench.request('add_todo', { title: 'a' });
    bench.give({ kind: 'returned', requestId: id, outcome: { success: true, data: '"long"' }, keep: true });
    const key = `client-1 ${id}`;
    expect(bench.of('store')).toEqual([{ kind: 'store', key, text: '"long"', until: bench.wall + 900_000 }]);
    expect(bench.of('journal').at(-1)?.entry.stored).toBe(true);
    bench.give({ kind: 'settled', requestId: id, settled: true });
    expect(bench.of('store-delete')).toEqual([]);
    bench.receive('x-oui:ack', { requestId: id, interim: false, ok: true });
    expect(bench.of('store-delete')).toEqual([{ kind: 'store-delete', key }]);
    expect(bench.of('journal').at(-1)?.entry).not.toHaveProperty('stored');
  });

  it('are taken away by the engine after the one that put them there', () => {
    const bench = ready([left({ stored: true })]);
    bench.give({ kind: 'returned', requestId: 'e1', outcome });
    bench.give({ kind: 'settled', requestId: 'e1', settled: true });
    bench.receive('x-oui:ack', { requestId: 'e1', interim: false, ok: true });
    expect(bench.of('store-delete')).toHaveLength(1);
  });
});

describe('what the journal holds', () => {
  it('names pure reads, and gives the parameters of anything else a hash', () => {
    const bench = ready();
    const [read, write] = [bench.request('list_todos'), bench.request('add_todo', { title: 'a' })];
    const of = (id: string) => bench.of('journal').findLast(({ entry }) => entry.requestId === id)!.entry;
    expect([of(read).read, of(write).read]).toEqual([true, undefined]);
    expect([of(read).argsHash, of(write).argsHash]).toEqual([undefined, expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  it('has what the engine itself ended a request with, until that was acknowledged', () => {
    const bench = ready();
    const id = bench.request('add_todo', { title: 'a' });
    bench.pass(30_000);
    expect(bench.of('journal').at(-1)?.entry).toMatchObject({ stage: 'answered', failure: { code: 'TIMEOUT' } });
    bench.receive('x-oui:ack', { requestId: id, interim: false, ok: true });
    expect(bench.of('journal').at(-1)?.entry).not.toHaveProperty('failure');
  });
});

describe('a request whose id is not known', () => {
  /** The journal began a minute before this moment. */
  const since = (bench: EngineBench) => bench.wall - 60_000;
  const withJournal = () => ready([], { journalSince: since(new EngineBench()) });
  const resend = (bench: EngineBench, actionId: string, at: number) =>
    bench.request(actionId, { title: 'a' }, { timestamp: at });

  it('and that is a resend from before the journal is not run, but answered', () => {
    const bench = withJournal();
    const id = resend(bench, 'add_todo', since(bench) - 5_000);
    expect(bench.running(id)).toBe(false);
    expect(bench.frames('x-oui:receipt').at(-1)?.payload).toEqual({ requestId: id, ok: true });
    expect(bench.result(id).error).toMatchObject({ code: 'SURFACE_UNAVAILABLE', details: { ran: 'unknown' } });
    resend(bench, 'add_todo', since(bench) - 5_000);
    expect(bench.of('run')).toEqual([]);
  });

  it('whatever the gate says now, and whether or not its surface is there', () => {
    const bench = ready([], { journalSince: since(new EngineBench()), hasGate: true });
    const id = resend(bench, 'add_todo', since(bench) - 5_000);
    const other = bench.request('go_on', {}, { surfaceId: 'elsewhere', timestamp: since(bench) - 5_000 });
    expect(bench.of('ask-gate')).toEqual([]);
    for (const each of [id, other]) expect(bench.result(each).error?.details).toEqual({ ran: 'unknown' });
  });

  it('is run when it is a pure read, a first send, or from a time that the journal knows', () => {
    const bench = withJournal();
    expect(bench.running(resend(bench, 'list_todos', since(bench) - 5_000))).toBe(true);
    // First sends follow the hello of their connection.
    expect(bench.running(resend(bench, 'list_todos', bench.wall))).toBe(true);
    expect(bench.running(resend(bench, 'add_todo', since(bench) + 5_000))).toBe(true);
  });

  it('is run for a peer that never resends', () => {
    const bench = new EngineBench({ journalSince: since(new EngineBench()) });
    bench.mount();
    bench.connect('v1');
    expect(bench.running(resend(bench, 'add_todo', 5))).toBe(true);
    const hello = ready([], { journalSince: since(new EngineBench()) });
    hello.give({ kind: 'disconnected', reason: 'gone' });
    hello.connect(['ack']);
    expect(hello.running(resend(hello, 'add_todo', 5))).toBe(true);
  });

  it('is placed in time by the clock of the peer, whatever that shows', () => {
    for (const ahead of [-3_600_000, 3_600_000]) {
      const bench = new EngineBench({ journalSince: since(new EngineBench()) });
      bench.mount();
      bench.give({ kind: 'connected' });
      const features = ['receipt', 'ack'];
      const hello = { protocol: '0.1', software: 'agent/1', features, now: bench.wall + ahead };
      bench.receive('x-oui:hello', hello);
      const ran = [-65_000, -55_000].map((ago) => bench.running(resend(bench, 'list_todos', bench.wall + ahead + ago)));
      expect(ran).toEqual([true, true]);
      const old = resend(bench, 'add_todo', bench.wall + ahead - 65_000);
      const known = resend(bench, 'add_todo', bench.wall + ahead - 55_000);
      expect([bench.running(old), bench.running(known)]).toEqual([false, true]);
    }
  });

  it('may have fallen out of the window', () => {
    const bench = ready([], { dedupeWindow: 2 });
    const first = bench.request('add_todo', { title: 'a' });
    bench.finish(first);
    bench.pass(5_000);
    for (const title of ['b', 'c', 'd']) bench.finish(bench.request('add_todo', { title }));
    bench.give({ kind: 'disconnected', reason: 'gone' });
    bench.connect();
    const runs = bench.of('run').length;
    bench.request('add_todo', { title: 'a' }, { requestId: first, timestamp: bench.wall - 5_000 });
    expect(bench.of('run')).toHaveLength(runs);
    expect(bench.results(first).at(-1)?.error?.details).toEqual({ ran: 'unknown' });
  });
});

describe('signing out', () => {
  it('retracts results that have not arrived, and clears the store', () => {
    const bench = ready([left()]);
    bench.give({ kind: 'returned', requestId: 'e1', outcome: { success: true, data: '"secret"' } });
    const sent = bench.request('add_todo', { title: 'a' });
    bench.finish(sent, { success: true, data: '"secret"' });
    const running = bench.request('add_todo', { title: 'b' });
    bench.give({ kind: 'disconnected', reason: 'gone' });
    bench.give({ kind: 'forget-outcomes' });
    expect(bench.of('clear-store')).toHaveLength(1);
    const frames = bench.frames().length;
    bench.connect();
    bench.finish(running);
    expect(JSON.stringify(bench.frames().slice(frames))).not.toContain('secret');
    for (const id of ['e1', sent]) expect(bench.results(id).at(-1)?.error?.details).toEqual({ ran: 'unknown' });
    expect(bench.result(running).success).toBe(true);
  });

  it('leaves what has arrived alone', () => {
    const bench = ready();
    const id = bench.request('add_todo', { title: 'a' });
    bench.finish(id);
    bench.receive('x-oui:ack', { requestId: id, interim: false, ok: true });
    bench.give({ kind: 'forget-outcomes' });
    expect(bench.results(id)).toHaveLength(1);
    bench.request('add_todo', { title: 'a' }, { requestId: id });
    expect(bench.of('run')).toHaveLength(1);
  });

  it('runs nothing that was first sent before it', () => {
    const bench = ready();
    bench.pass(5_000);
    bench.give({ kind: 'forget-outcomes' });
    bench.pass(5_000);
    bench.give({ kind: 'disconnected', reason: 'gone' });
    bench.connect();
    const id = bench.request('add_todo', { title: 'a' }, { timestamp: bench.wall - 5_001 });
    expect(bench.of('run')).toEqual([]);
    expect(bench.result(id).error?.details).toEqual({ ran: 'unknown' });
  });
});
