import { describe, expect, it } from 'vitest';
import { EngineBench } from './engine-bench.js';

/** A connection whose binding carries receipts and acknowledgments itself, as Socket.IO does. */
function connected(config: ConstructorParameters<typeof EngineBench>[0] = {}, hello?: readonly string[]): EngineBench {
  const bench = new EngineBench(config);
  bench.mount();
  bench.give({ kind: 'connected', acknowledges: true });
  if (hello) bench.receive('x-oui:hello', { protocol: '0.1', software: 'a/1', features: hello, now: bench.wall });
  return bench;
}

const add = (bench: EngineBench, more: Record<string, unknown> = {}): string =>
  bench.request('add_todo', { title: 'x' }, more);
const ack = (bench: EngineBench, requestId: string, more: object = { ok: true }): void =>
  void bench.receive('x-oui:ack', { requestId, interim: false, ...more });

describe('a binding that acknowledges', () => {
  it('has receipts before any hello', () => {
    const bench = connected();
    const requestId = add(bench);
    expect(bench.frames('x-oui:receipt')).toEqual([{ type: 'x-oui:receipt', payload: { requestId, ok: true } }]);
  });

  it('sends a smaller result when the first one of all is refused', () => {
    const bench = connected();
    const requestId = add(bench);
    bench.finish(requestId);
    ack(bench, requestId, { ok: false, reason: 'too large' });
    expect(bench.results(requestId)[1]?.delivery).toMatchObject({ trimmed: true, reason: 'too large' });
  });

  it('sends what was not acknowledged again on the next connection, and nothing that was', () => {
    const bench = connected();
    const [first, second] = [add(bench), add(bench)];
    bench.finish(first!);
    ack(bench, first!);
    bench.finish(second!);
    bench.give({ kind: 'disconnected', reason: 'gone' });
    bench.give({ kind: 'connected', acknowledges: true });
    expect([bench.results(first!).length, bench.results(second!).length]).toEqual([1, 2]);
  });

  it('waits for acknowledgments past the time for a hello, from a peer that has given one', () => {
    const bench = connected();
    const first = add(bench);
    bench.finish(first);
    ack(bench, first);
    const second = add(bench);
    bench.finish(second);
    bench.pass(60_000);
    bench.give({ kind: 'disconnected', reason: 'gone' });
    bench.give({ kind: 'connected', acknowledges: true });
    expect(bench.results(second)).toHaveLength(2);
  });

  it('takes a handed-over result for arrived at a peer that never acknowledged one within 10 s', () => {
    const bench = connected();
    const requestId = add(bench);
    bench.finish(requestId);
    bench.pass(9_999);
    expect(bench.of('journal').at(-1)!.entry.acknowledged).toBe(false);
    bench.pass(1);
    expect(bench.of('journal').at(-1)!.entry.acknowledged).toBe(true);
    bench.give({ kind: 'disconnected', reason: 'gone' });
    bench.give({ kind: 'connected', acknowledges: true });
    expect(bench.results(requestId)).toHaveLength(1);
  });

  it('goes by the first result without an answer, however many follow it', () => {
    const bench = connected();
    const ids = [add(bench), add(bench), add(bench)];
    for (const requestId of ids) {
      bench.finish(requestId);
      bench.pass(4_000);
    }
    expect(bench.of('journal').filter(({ entry }) => entry.acknowledged).map(({ entry }) => entry.requestId)).toEqual(ids);
  });

  it('believes a late acknowledgment again', () => {
    const bench = connected();
    const first = add(bench);
    bench.finish(first);
    bench.pass(10_000);
    ack(bench, first);
    const second = add(bench);
    bench.finish(second);
    expect(bench.of('journal').at(-1)!.entry).toMatchObject({ requestId: second, acknowledged: false });
  });

  it('still waits for the hello with what depends on it, in index form', () => {
    const bench = connected({ form: 'index' });
    expect(bench.frames('surface:register')).toEqual([]);
    bench.receive('x-oui:hello', { protocol: '0.1', software: 'a/1', features: ['index'], now: bench.wall });
    expect(bench.frames('surface:register')).toHaveLength(1);
  });
});

describe('a request without a callback on such a binding', () => {
  const send = (bench: EngineBench, payload: object): void =>
    void bench.give({ kind: 'message', message: { type: 'action:request', payload, receipt: false } });
  const request = { requestId: 'r1', surfaceId: 'todo-app', actionId: 'add_todo', params: {}, timestamp: 1 };

  it('is answered when the gate refuses it, not refused on its receipt', () => {
    const bench = connected({ hasGate: true });
    send(bench, request);
    bench.give({ kind: 'gate', requestId: 'r1', open: false });
    expect(bench.result('r1').error?.code).toBe('oui:not_accepting');
  });

  it('is answered when it cannot be read', () => {
    const bench = connected();
    send(bench, { requestId: 'r1', actionId: 'add_todo' });
    expect(bench.result('r1').error?.code).toBe('VALIDATION_ERROR');
  });

  it('is refused on its receipt where it has one', () => {
    const bench = connected({ hasGate: true });
    bench.receive('action:request', request);
    bench.give({ kind: 'gate', requestId: 'r1', open: false });
    expect(bench.frames('x-oui:receipt').at(-1)?.payload).toEqual({
      requestId: 'r1', ok: false, reason: 'this client does not accept requests now',
    });
    expect(bench.results('r1')).toEqual([]);
  });
});
