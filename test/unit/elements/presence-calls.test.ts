import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PresenceCalls } from '../../../elements/presence-calls.js';
import type { CallReport } from '../../../src/protocol/engine-messages.js';
import * as LIMITS from '../../../src/protocol/limits.js';
import type { RuntimeEvent, SurfaceRuntime } from '../../../src/surface/runtime.js';

/** As much of a runtime as a sign asks for: to name a call it takes no snapshot of the page. */
function fakeRuntime() {
  const listeners = new Set<(event: RuntimeEvent) => void>();
  const runtime = {
    subscribe(listener: (event: RuntimeEvent) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as SurfaceRuntime;
  const tell = (phase: CallReport['phase'], more: Partial<CallReport> = {}): void => {
    const title = phase === 'ended' || more.actionId ? {} : { title: 'Add a todo' };
    const report = { phase, requestId: 'r1', origin: 'agent', surfaceId: 'todo-app', actionId: 'add_todo', ...title, ...more };
    for (const each of listeners) each({ type: 'call', report: report as CallReport });
  };
  return { runtime, tell, listeners };
}

describe('what a sign knows of calls', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('shows what has ended for a moment, and then nothing', () => {
    const { runtime, tell } = fakeRuntime();
    const begins: boolean[] = [];
    const calls = new PresenceCalls((began) => begins.push(began));
    calls.follow([runtime]);
    tell('received');
    tell('started');
    expect(calls.running).toEqual([{ action: 'Add a todo', asking: false }]);
    tell('ended');
    expect([calls.running, calls.last?.action]).toEqual([[], 'Add a todo']);
    vi.advanceTimersByTime(LIMITS.presenceLingerMs - 1);
    expect(calls.last).not.toBe(null);
    vi.advanceTimersByTime(1);
    expect(calls.last).toBe(null);
    expect(begins).toEqual([true, false, false, false]);
  });

  it('names actions by their titles, and by their ids those that have none', () => {
    const { runtime, tell } = fakeRuntime();
    const calls = new PresenceCalls(() => {});
    calls.follow([runtime]);
    tell('received');
    tell('received', { requestId: 'r2', actionId: 'other' });
    tell('asking', { requestId: 'r2', actionId: 'other' });
    tell('received', { requestId: 'r3', surfaceId: 'oui', actionId: 'read' });
    expect(calls.running).toEqual([
      { action: null, asking: false }, { action: 'other', asking: true }, { action: 'Add a todo', asking: false },
    ]);
  });

  it('leaves out the page\'s own calls, ends that it saw no beginning of, and runtimes that are gone', () => {
    const first = fakeRuntime();
    const second = fakeRuntime();
    const calls = new PresenceCalls(() => {});
    calls.follow([first.runtime, second.runtime]);
    first.tell('received', { origin: 'local' });
    first.tell('ended', { requestId: 'unknown' });
    expect([calls.running, calls.last]).toEqual([[], null]);
    first.tell('received');
    second.tell('received');
    expect(calls.running).toHaveLength(2);
    calls.follow([second.runtime]);
    expect([calls.running.length, first.listeners.size]).toEqual([1, 0]);
    second.tell('ended');
    calls.end();
    expect([second.listeners.size, calls.last, vi.getTimerCount()]).toEqual([0, null, 0]);
  });

  it('hears that a runtime was resumed, by whomever', () => {
    const { runtime, listeners } = fakeRuntime();
    const heard: string[] = [];
    const calls = new PresenceCalls(() => heard.push('changed'), () => heard.push('resumed'));
    calls.follow([runtime]);
    for (const paused of [true, false]) for (const each of listeners) each({ type: 'paused', paused });
    expect(heard).toEqual(['changed', 'resumed', 'changed']);
  });
});
