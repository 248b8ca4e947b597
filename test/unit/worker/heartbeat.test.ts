import { beforeEach, describe, expect, it, vi } from 'vitest';
import { startHeartbeat } from '../../../worker/heartbeat.js';
import type { Heartbeat } from '../../../worker/heartbeat.js';
import { createManualTimers } from '../transports/manual-timers.js';
import type { ManualTimers } from '../transports/manual-timers.js';

const SILENCE_MS = 10_000;

describe('heartbeat', () => {
  let timers: ManualTimers;
  let heartbeat: Heartbeat;
  /** Answers to the pings, in order of asking. */
  let pings: { answer(): void; fail(): void }[];
  const dead = vi.fn();

  const start = (always = false): void => {
    timers = createManualTimers();
    pings = [];
    dead.mockReset();
    heartbeat = startHeartbeat({
      ping: () => new Promise<void>((resolve, reject) => pings.push({ answer: resolve, fail: reject })),
      setTimer: timers.setTimer,
      silenceMs: SILENCE_MS,
      always,
      dead,
    });
  };
  const answer = async (index: number): Promise<void> => {
    pings[index]?.answer();
    await Promise.resolve();
    await Promise.resolve();
  };
  beforeEach(() => start());

  it('does nothing while nothing is owed', () => {
    timers.advance(1_000_000);
    expect(pings).toEqual([]);
    expect(timers.waits()).toEqual([]);
  });

  it('finds a silent worker after exactly the silence that is allowed', () => {
    heartbeat.expect();
    timers.advance(SILENCE_MS - 1);
    expect(pings).toHaveLength(3);
    expect(dead).not.toHaveBeenCalled();
    timers.advance(1);
    expect(dead).toHaveBeenCalledTimes(1);
    heartbeat.expect();
    timers.advance(1_000_000);
    expect(dead).toHaveBeenCalledTimes(1);
    expect(timers.waits()).toEqual([]);
  });

  it('is at rest again after one answer', async () => {
    heartbeat.expect();
    heartbeat.expect();
    timers.advance(SILENCE_MS / 4);
    await answer(0);
    timers.advance(1_000_000);
    expect(pings).toHaveLength(1);
    expect(dead).not.toHaveBeenCalled();
  });

  it('asks again for what was owed after a ping', async () => {
    heartbeat.expect();
    timers.advance(SILENCE_MS / 4);
    heartbeat.expect();
    await answer(0);
    timers.advance(SILENCE_MS);
    expect(pings).toHaveLength(4);
    expect(dead).toHaveBeenCalledTimes(1);
  });

  it('spares a worker whose page slept: the timers come late, and each late one before the answer', async () => {
    heartbeat.expect();
    timers.advance(SILENCE_MS / 4);
    expect(pings).toHaveLength(1);
    // The page's thread was busy for an hour; its timer runs first, the answer that came meanwhile after it.
    timers.advance(SILENCE_MS / 4);
    expect(dead).not.toHaveBeenCalled();
    await answer(0);
    expect(timers.waits()).toEqual([SILENCE_MS / 4]);
    timers.advance(SILENCE_MS / 4);
    await answer(2);
    timers.advance(1_000_000);
    expect(pings).toHaveLength(3);
    expect(dead).not.toHaveBeenCalled();
  });

  it('takes anything that comes from the worker for a sign of life', () => {
    heartbeat.expect();
    timers.advance(SILENCE_MS - 1);
    heartbeat.heard();
    timers.advance(1);
    expect(dead).not.toHaveBeenCalled();
    timers.advance(SILENCE_MS);
    expect(dead).toHaveBeenCalledTimes(1);
  });

  it('takes a failed ping for an unanswered one', async () => {
    heartbeat.expect();
    timers.advance(SILENCE_MS / 4);
    pings[0]?.fail();
    await Promise.resolve();
    timers.advance(SILENCE_MS);
    expect(dead).toHaveBeenCalledTimes(1);
  });

  it('goes on for ever where nothing else would notice a death', async () => {
    start(true);
    for (let round = 0; round < 5; round += 1) {
      timers.advance(SILENCE_MS / 4);
      await answer(round);
    }
    expect(pings).toHaveLength(5);
    timers.advance(SILENCE_MS);
    expect(dead).toHaveBeenCalledTimes(1);
  });

  it('stops', async () => {
    heartbeat.expect();
    timers.advance(SILENCE_MS / 4);
    heartbeat.stop();
    await answer(0);
    heartbeat.expect();
    timers.advance(1_000_000);
    expect(pings).toHaveLength(1);
    expect(dead).not.toHaveBeenCalled();
    expect(timers.waits()).toEqual([]);
  });
});
