import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHostTimers } from '../../../worker/host-timers.js';
import type { HostTimers } from '../../../worker/host-timers.js';
import type { TimerCommand } from '../../../worker/port-messages.js';

describe('timers that run in the worker', () => {
  let commands: TimerCommand[];
  let timers: HostTimers;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    commands = [];
    timers = createHostTimers((command) => commands.push(command));
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('sets, fires once, and clears', () => {
    const first = vi.fn();
    const second = vi.fn();
    timers.set(100, first);
    const release = timers.set(200, second);
    expect(commands).toEqual([{ id: 1, ms: 100 }, { id: 2, ms: 200 }]);
    timers.fire(1);
    timers.fire(1);
    expect(first).toHaveBeenCalledTimes(1);
    release();
    release();
    expect(commands.slice(2)).toEqual([{ id: 2 }]);
    // It was on its way when it was released.
    timers.fire(2);
    expect(second).not.toHaveBeenCalled();
  });

  it('waits out on the page what is left when the worker is gone', () => {
    const late = vi.fn();
    const overdue = vi.fn();
    const released = vi.fn();
    timers.set(1000, late);
    timers.set(100, overdue);
    const release = timers.set(500, released);
    vi.advanceTimersByTime(400);
    timers.takeOver();
    vi.advanceTimersByTime(0);
    expect(overdue).toHaveBeenCalledTimes(1);
    release();
    vi.advanceTimersByTime(599);
    expect(late).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(late).toHaveBeenCalledTimes(1);
    expect(released).not.toHaveBeenCalled();
    expect(commands).toHaveLength(3);
  });

  it('sets new timers on the page when the worker is gone', () => {
    const callback = vi.fn();
    timers.takeOver();
    timers.set(50, callback);
    vi.advanceTimersByTime(50);
    expect(callback).toHaveBeenCalledTimes(1);
    expect(commands).toEqual([]);
  });

  it('drops everything on close', () => {
    const callback = vi.fn();
    timers.set(10, callback);
    timers.takeOver();
    timers.close();
    timers.set(10, callback)();
    vi.advanceTimersByTime(1000);
    timers.fire(1);
    expect(callback).not.toHaveBeenCalled();
  });
});
