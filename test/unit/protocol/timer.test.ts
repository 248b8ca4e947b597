import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setHostTimer } from '../../../src/protocol/timer.js';

const DAY_MS = 24 * 60 * 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('waits as long as it is told, also for longer than setTimeout can', async () => {
  const short = vi.fn();
  const long = vi.fn();
  setHostTimer(100, short);
  setHostTimer(60 * DAY_MS, long);
  await vi.advanceTimersByTimeAsync(99);
  expect(short).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(short).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(60 * DAY_MS - 101);
  expect(long).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(long).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

it('can be taken back, in whichever part of a long wait it is', async () => {
  const callback = vi.fn();
  const release = setHostTimer(60 * DAY_MS, callback);
  await vi.advanceTimersByTimeAsync(30 * DAY_MS);
  release();
  release();
  expect(vi.getTimerCount()).toBe(0);
});
