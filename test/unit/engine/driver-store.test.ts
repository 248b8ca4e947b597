import { describe, expect, it } from 'vitest';
import { createDriver } from '../../../src/engine/driver.js';
import type { EngineEffect, EngineInput } from '../../../src/protocol/engine-messages.js';
import type { JournalEntry } from '../../../src/protocol/journal-entry.js';
import type { Store } from '../../../src/protocol/ports.js';
import { CONFIG, surface } from './engine-bench.js';

const left: JournalEntry = {
  requestId: 'e1',
  stage: 'running',
  origin: 'agent',
  earlier: true,
  request: { requestId: 'e1', surfaceId: 'todo-app', actionId: 'add_todo', params: null, timestamp: 1 },
  receivedAt: 0,
  deadlineAt: 0,
  waits: true,
};
const start: readonly EngineInput[] = [
  { kind: 'configure', config: CONFIG },
  { kind: 'mount', mountId: 1, surface: surface(), policies: {} },
  { kind: 'connected' },
  { kind: 'restore', entries: [left] },
  { kind: 'returned', requestId: 'e1', outcome: { success: true }, load: 6 },
  { kind: 'settled', requestId: 'e1', settled: true },
];

/** A driver whose store answers when the test says so. */
function setUp(withStore = true) {
  const calls: string[] = [];
  const answers: ((value: never) => void)[] = [];
  const answer = (name: string, ...args: readonly unknown[]): Promise<never> => {
    calls.push([name, ...args].join(' '));
    return new Promise((resolve) => answers.push(resolve));
  };
  const store: Store = {
    put: (key, text, until) => answer('put', key, text, until),
    get: (key) => answer('get', key),
    delete: (key) => answer('delete', key),
    claim: (key, text, until) => answer('claim', key, text, until),
    clear: () => answer('clear'),
  };
  const timers = new Map<() => void, number>();
  const toPage: EngineEffect[] = [];
  const driver = createDriver({
    moment: () => ({ now: 0, wall: 0 }),
    setTimer(ms, callback) {
      timers.set(callback, ms);
      return () => void timers.delete(callback);
    },
    validator: { compile: () => () => [] },
    toPage: (effects) => void toPage.push(...effects),
    ...(withStore && { store }),
  });
  const results = (): unknown[] =>
    toPage.flatMap((effect) => (effect.kind === 'send' && effect.type === 'action:result' ? [JSON.parse(effect.payload)] : []));
  const fire = (ms: number): void => {
    for (const [callback, each] of [...timers]) if (each === ms && timers.delete(callback)) callback();
  };
  return { driver, calls, answers, timers, toPage, results, fire };
}

describe('a driver with a store', () => {
  it('fetches what an earlier document put there', async () => {
    const { driver, calls, answers, results, toPage } = setUp();
    driver.post(start);
    expect([calls, results()]).toEqual([['get client-1 e1'], []]);
    answers[0]!('"kept"' as never);
    await Promise.resolve();
    expect(results()).toMatchObject([{ data: 'kept' }]);
    expect(toPage.some(({ kind }) => kind === 'load')).toBe(false);
  });

  it('waits two seconds for it, and hears nothing of it after that', async () => {
    const { driver, answers, results, fire } = setUp();
    driver.post(start);
    fire(2_000);
    expect(results()).toMatchObject([{ success: true, fit: { data: { bytes: 6 } } }]);
    answers[0]!('"kept"' as never);
    await Promise.resolve();
    expect(results()).toHaveLength(1);
  });

  it('puts, deletes and clears', async () => {
    const { driver, calls, answers, toPage } = setUp();
    driver.post(start.slice(0, 2));
    const request = { requestId: 'r1', surfaceId: 'todo-app', actionId: 'add_todo', params: { title: 'a' }, timestamp: 1 };
    driver.post([
      { kind: 'message', message: { type: 'action:request', payload: request } },
      { kind: 'returned', requestId: 'r1', outcome: { success: true, data: '"long"' }, keep: true },
      { kind: 'forget-outcomes' },
    ]);
    expect(calls).toEqual(['put client-1 r1 "long" 900000', 'clear']);
    answers[1]!(true as never);
    await Promise.resolve();
    expect(toPage.at(-1)).toEqual({ kind: 'store-cleared', ok: true });
  });

  it('says when it could not clear it', () => {
    const { driver, toPage, fire } = setUp();
    driver.post([start[0]!, { kind: 'forget-outcomes' }]);
    fire(2_000);
    expect(toPage.at(-1)).toEqual({ kind: 'store-cleared', ok: false });
  });

  it('says nothing after it was closed, and leaves no timer', async () => {
    const { driver, answers, results, timers } = setUp();
    driver.post(start);
    driver.close();
    expect(timers.size).toBe(0);
    answers[0]!('"kept"' as never);
    await Promise.resolve();
    expect(results()).toEqual([]);
  });
});

describe('a driver without a store', () => {
  it('finds nothing, and has nothing to clear', () => {
    const { driver, results, toPage, fire } = setUp(false);
    driver.post(start);
    fire(0);
    expect(results()).toMatchObject([{ fit: { data: { bytes: 6 } } }]);
    driver.post([{ kind: 'forget-outcomes' }]);
    fire(0);
    expect(toPage.at(-1)).toEqual({ kind: 'store-cleared', ok: true });
  });
});
