import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../src/protocol/journal-entry.js';
import type { EngineConfig } from '../../../src/protocol/engine-config.js';
import { EngineBench, surface } from './engine-bench.js';

function ready(config: Partial<EngineConfig> = {}, features?: readonly string[] | 'v1'): EngineBench {
  const bench = new EngineBench(config);
  bench.mount();
  bench.connect(features);
  return bench;
}

/** What the page would hold after the steps of `old`. */
function journalOf(old: EngineBench): JournalEntry[] {
  const entries = new Map(old.of('journal').map(({ entry }) => [entry.requestId, entry]));
  for (const { requestId } of old.of('forget')) entries.delete(requestId);
  return [...entries.values()];
}

/** A new engine in the place of `old`, not connected yet. */
function takeOver(old: EngineBench, config: Partial<EngineConfig> = {}, losses = 1): EngineBench {
  const bench = new EngineBench(config);
  bench.now = old.now;
  bench.wall = old.wall;
  bench.mount(surface(), 1);
  bench.give({ kind: 'restore', entries: journalOf(old).map((entry) => ({ ...entry, losses })) });
  return bench;
}

const own = (actionId: string) =>
  ({
    kind: 'execute',
    nested: false,
    request: { requestId: 'own', surfaceId: 'todo-app', actionId, params: {}, timestamp: 1 },
  }) as const;

describe('a new engine takes over', () => {
  it('waits for running handlers without starting them again', () => {
    const old = ready();
    const running = old.request('add_todo', { title: 'a' });
    const queued = old.request('add_todo', { title: 'b' });
    const bench = takeOver(old);
    expect(bench.of('run')).toEqual([]);
    bench.connect();
    bench.finish(running, { success: true, data: '"done"' });
    expect(bench.result(running)).toMatchObject({ success: true, data: 'done' });
    expect(bench.running(queued)).toBe(true);
  });

  it('still knows a pure read when its surface has gone meanwhile', () => {
    const old = ready();
    const [read, write] = [old.request('list_todos'), old.request('add_todo', { title: 'a' })];
    const bench = new EngineBench();
    bench.give({ kind: 'restore', entries: journalOf(old) });
    for (const requestId of [read, write]) bench.finish(requestId);
    const reads = Object.fromEntries(journalOf(bench).map((entry) => [entry.requestId, entry.read]));
    expect(reads).toEqual({ [read]: true, [write]: undefined });
  });

  it('lets nothing past a running handler that came before it and had to wait for the user', () => {
    const old = ready();
    const asked = old.request('pay_now');
    const running = old.request('add_todo', { title: 'a' });
    old.give({ kind: 'decided', requestId: asked, decision: 'granted' });
    const bench = takeOver(old);
    expect(bench.running(asked)).toBe(false);
    bench.connect();
    bench.finish(running);
    expect(bench.running(asked)).toBe(true);
  });

  it('keeps their deadline', () => {
    const old = ready();
    const running = old.request('add_todo', { title: 'a' });
    old.pass(20_000);
    const bench = takeOver(old);
    bench.connect();
    bench.pass(5_000);
    expect(bench.result(running).error?.code).toBe('TIMEOUT');
  });

  it('remembers answers: acknowledged ones, and those it must send again', () => {
    const old = ready();
    const sent = old.request('list_todos');
    old.finish(sent);
    const acknowledged = old.request('list_todos');
    old.finish(acknowledged);
    old.receive('x-oui:ack', { requestId: acknowledged, interim: false, ok: true });
    const bench = takeOver(old);
    bench.connect();
    expect(bench.results(sent)).toHaveLength(1);
    bench.request('list_todos', {}, { requestId: acknowledged });
    expect(bench.results(acknowledged)).toEqual([]);
    expect(bench.of('run')).toEqual([]);
  });

  it('finishes jobs with one outcome', () => {
    const old = ready();
    const id = old.request('bulk_complete');
    const bench = takeOver(old);
    bench.connect();
    bench.finish(id, { success: true, data: '{"completed":1}' });
    // Nobody has acknowledged that it began: the agent is told again, and then what it came to.
    expect(bench.results(id)).toMatchObject([
      { interim: true, data: { trackingId: id } },
      { interim: false, data: { completed: 1 } },
    ]);
  });

  it('tells the agent of a job that goes on', () => {
    const old = ready();
    const id = old.request('bulk_complete');
    const bench = takeOver(old);
    bench.connect();
    expect(bench.frames('observation:update').map(({ payload }) => payload)).toMatchObject([
      { observationId: 'todo-app:bulk_complete:status', value: { status: 'running', requestId: id } },
    ]);
  });

  it('sends an acknowledgment that never left before the outcome', () => {
    const old = ready({ hasGate: true });
    const id = old.request('bulk_complete');
    old.give({ kind: 'disconnected', reason: 'gone' });
    old.give({ kind: 'gate', requestId: id, open: true });
    const bench = takeOver(old, { hasGate: true });
    bench.connect();
    bench.finish(id);
    expect(bench.results(id).map(({ interim }) => interim)).toEqual([true, false]);
  });

  it('asks the gate again, and answers its refusal when there was no connection for a receipt', () => {
    const old = ready({ hasGate: true });
    const id = old.request('add_todo', { title: 'a' });
    const bench = takeOver(old, { hasGate: true });
    expect(bench.of('ask-gate')).toHaveLength(1);
    bench.give({ kind: 'gate', requestId: id, open: false });
    bench.connect();
    expect(bench.result(id).error?.code).toBe('oui:not_accepting');
  });

  it('takes a line of requests over without the checks they have passed', () => {
    const old = ready({ rateBurst: 3, ratePerSecond: 1 });
    const ids = ['a', 'b', 'c'].map((title) => old.request('add_todo', { title }));
    const bench = takeOver(old, { rateBurst: 1, ratePerSecond: 1 });
    bench.connect();
    for (const id of ids) bench.finish(id);
    expect(ids.map((id) => bench.result(id).success)).toEqual([true, true, true]);
  });

  it('forgets in the page what the window does not hold', () => {
    const old = ready();
    for (let count = 0; count < 4; count++) old.finish(old.request('list_todos'));
    expect(takeOver(old, { dedupeWindow: 2 }).of('forget')).toHaveLength(2);
  });

  it('does not look again at a request that engine after engine was lost over', () => {
    const old = ready({ hasGate: true });
    const id = old.request('add_todo', { title: 'a' });
    const bench = takeOver(old, { hasGate: true }, 2);
    bench.connect();
    expect(bench.of('ask-gate')).toEqual([]);
    expect(bench.result(id).error).toMatchObject({ code: 'INTERNAL_ERROR', details: { ran: false } });
  });

  it('knows of a request before a pattern is tried on it', () => {
    const input = { type: 'object', properties: { code: { type: 'string', pattern: '^a+$' } } };
    const manifest = surface('todo-app', [{ id: 'check_code', description: 'Check', input }]);
    const old = new EngineBench();
    old.mount(manifest);
    old.connect();
    const id = old.request('check_code', { code: 'b' });
    expect(old.of('journal')).toMatchObject([{ entry: { requestId: id, stage: 'gate' } }]);
    expect(old.results(id)).toEqual([]);
    old.pass(0);
    expect(old.result(id).error?.code).toBe('VALIDATION_ERROR');
  });

  it('does not look again at such an outcome either, and sends it', () => {
    const output = { type: 'integer' };
    const manifest = surface('todo-app', [{ id: 'count_up', description: 'Count', input: {}, output }]);
    const outcomes = [1, 2].map((losses) => {
      const old = new EngineBench();
      old.mount(manifest);
      old.connect();
      const id = old.request('count_up');
      const bench = new EngineBench();
      bench.mount(manifest, 1);
      bench.give({ kind: 'restore', entries: journalOf(old).map((entry) => ({ ...entry, losses })) });
      bench.connect();
      bench.finish(id, { success: true, data: '"no number"' });
      return [bench.of('warn').length, bench.result(id).data];
    });
    expect(outcomes).toEqual([
      [1, 'no number'],
      [0, 'no number'],
    ]);
  });
});

describe('a question that stood when the engine was lost', () => {
  it('is the same question: a yes runs the request', () => {
    const old = ready();
    const id = old.request('delete_todo');
    old.pass(60_000);
    const bench = takeOver(old);
    expect(bench.of('ask-user')).toMatchObject([{ approval: { requestId: id, expiresAt: old.wall + 240_000 } }]);
    bench.connect();
    expect(bench.results(id)).toEqual([]);
    bench.give({ kind: 'decided', requestId: id, decision: 'granted' });
    expect(bench.running(id)).toBe(true);
  });

  it('admits nothing else', () => {
    const old = ready();
    const id = old.request('delete_todo');
    const bench = takeOver(old);
    bench.connect('v1');
    bench.give({ kind: 'decided', requestId: id, decision: 'granted' });
    expect(bench.running(bench.request('delete_todo', {}, { requestId: 'other' }))).toBe(false);
  });

  it('has stopped the clock all the while', () => {
    const old = ready();
    old.give(own('delete_todo'));
    old.pass(60_000);
    const bench = takeOver(old);
    bench.give({ kind: 'decided', requestId: 'own', decision: 'granted' });
    expect(bench.running('own')).toBe(true);
  });

  it('a yes that came before counts', () => {
    const old = ready();
    const first = old.request('add_todo', { title: 'a' });
    const id = old.request('delete_todo');
    old.give({ kind: 'decided', requestId: id, decision: 'granted' });
    const bench = takeOver(old);
    bench.connect();
    expect(bench.of('ask-user')).toEqual([]);
    bench.finish(first);
    expect(bench.running(id)).toBe(true);
  });

  it('of a v1 agent keeps its answer', () => {
    const denied = ready({}, 'v1');
    denied.give({ kind: 'decided', requestId: denied.request('delete_todo'), decision: 'denied' });
    const afterNo = takeOver(denied);
    afterNo.connect('v1');
    const again = afterNo.request('delete_todo', {}, { requestId: 'again' });
    expect(afterNo.of('ask-user')).toEqual([]);
    expect(afterNo.result(again).error?.code).toBe('ACTION_DENIED');

    const asked = ready({}, 'v1');
    const id = asked.request('delete_todo');
    const pending = takeOver(asked);
    pending.connect('v1');
    pending.give({ kind: 'decided', requestId: id, decision: 'granted' });
    expect(pending.of('ask-user')).toHaveLength(1);
    expect(pending.running(pending.request('delete_todo', {}, { requestId: 'again' }))).toBe(true);
  });

  it('of a v1 agent goes when its surface has not come back: it holds no place', () => {
    const old = ready({}, 'v1');
    const ids = Array.from({ length: 20 }, (_, n) => old.request('delete_todo', { n }));
    const bench = new EngineBench();
    [bench.now, bench.wall] = [old.now, old.wall];
    bench.give({ kind: 'restore', entries: journalOf(old) });
    expect(bench.of('close-question').map(({ requestId }) => requestId)).toEqual(ids);
    bench.mount(surface(), 1);
    bench.connect('v1');
    const again = bench.request('delete_todo', { n: 0 }, { requestId: 'again' });
    expect(bench.of('ask-user')).toMatchObject([{ approval: { requestId: again } }]);
    const later = takeOver(bench);
    expect(later.of('ask-user')).toMatchObject([{ approval: { requestId: again } }]);
  });
});
