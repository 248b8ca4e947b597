import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createHostTimers } from '../../../worker/host-timers.js';
import type { HostTimers } from '../../../worker/host-timers.js';
import type { TimerCommand } from '../../../worker/port-messages.js';

describe('timers that run in the worker', () => {
  let commands: TimerCommand[];
  let timers: HostTimers;

  beforeEach(() => {
    commands = [];
    timers = createHostTimers((command) => commands.push(command));
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

  it('drops everything on close', () => {
    const callback = vi.fn();
    const release = timers.set(10, callback);
    timers.close();
    release();
    timers.set(10, callback)();
    timers.fire(1);
    expect(callback).not.toHaveBeenCalled();
    expect(commands).toEqual([{ id: 1, ms: 10 }]);
  });
});
