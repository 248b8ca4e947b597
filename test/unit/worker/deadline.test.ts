import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withDeadline } from '../../../worker/deadline.js';

describe('withDeadline', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('passes on what comes in time, and leaves no timer behind', async () => {
    await expect(withDeadline(Promise.resolve(7), 3000, 'late')).resolves.toBe(7);
    await expect(withDeadline(Promise.reject(new Error('broken')), 3000, 'late')).rejects.toThrow('broken');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('rejects with the reason when the time is over', async () => {
    const failed = vi.fn();
    withDeadline(new Promise(() => undefined), 3000, 'late').catch(failed);
    await vi.advanceTimersByTimeAsync(2999);
    expect(failed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(failed).toHaveBeenCalledWith(new Error('late'));
  });

  it('lets an answer in that a late timer has overtaken', async () => {
    let answer = (_: string): void => undefined;
    const result = withDeadline(new Promise<string>((resolve) => (answer = resolve)), 3000, 'late');
    // The page was busy for two of three steps; only then does it read the answer.
    vi.advanceTimersByTime(2000);
    answer('ready');
    await expect(result).resolves.toBe('ready');
  });
});
