import { describe, expect, it } from 'vitest';
import { PageTimers } from '../../../src/surface/clock/page-timers.js';
import { Settler } from '../../../src/surface/settle/settle.js';
import { HandClock, idle } from './hand-clock.js';

const never = new AbortController().signal;

function setUp(flush: (settler: Settler) => void = () => {}) {
  const clock = new HandClock();
  const timers = new PageTimers(clock);
  const times = { quietMs: 250, timeoutMs: 5000 };
  const settler: Settler = new Settler({ timers, times, flush: () => flush(settler), work: undefined });
  const settle = (mode: 'none' | 'sync' | 'quiet', signal = never) => {
    const state: { settled?: boolean; at?: number } = {};
    const start = clock.now();
    void settler.watch(mode, signal).settled().then((settled) => {
      state.settled = settled;
      state.at = clock.now() - start;
    });
    return state;
  };
  return { clock, timers, settler, settle };
}

describe('the quiet window', () => {
  it('ends 250 ms after the handler returned when nothing happens', async () => {
    const { clock, settle } = setUp();
    const state = settle('quiet');
    await clock.advance(249);
    expect(state).toEqual({});
    await clock.advance(1);
    expect(state).toEqual({ settled: true, at: 250 });
    expect(clock.timers).toEqual([]);
  });

  it('starts again with a mount, an observation and a hold, with one timer at a time', async () => {
    const { clock, settler, settle } = setUp();
    const state = settle('quiet');
    await clock.advance(200);
    settler.touched();
    await clock.advance(200);
    settler.changed({}, clock.now());
    expect(clock.timers).toHaveLength(1);
    await clock.advance(200);
    settler.hold()();
    await clock.advance(249);
    expect(state).toEqual({});
    await clock.advance(1);
    expect(state).toEqual({ settled: true, at: 850 });
    // Nobody waits any more.
    settler.hold()();
    expect(clock.timers).toEqual([]);
  });

  it('does not end while a hold is open, and 250 ms after the last one', async () => {
    const { clock, settler, settle } = setUp();
    const releases = [settler.hold(), settler.hold()];
    const state = settle('quiet');
    await clock.advance(2000);
    releases[0]!();
    releases[0]!();
    await clock.advance(1000);
    expect(state).toEqual({});
    releases[1]!();
    await clock.advance(249);
    expect(state).toEqual({});
    await clock.advance(1);
    expect(state).toEqual({ settled: true, at: 3250 });
  });

  it('gives up at the deadline, held or never quiet', async () => {
    const { clock, settler, settle } = setUp();
    const restless = settle('quiet');
    for (let at = 0; at < 5200; at += 200) {
      settler.touched();
      await clock.advance(200);
    }
    expect(restless).toEqual({ settled: false, at: 5000 });
    settler.hold();
    const held = settle('quiet');
    await clock.advance(4999);
    expect(held).toEqual({});
    await clock.advance(1);
    expect(held).toEqual({ settled: false, at: 5000 });
    expect(clock.timers).toEqual([]);
  });

  it('does not count an observation that changed three times in the second before', async () => {
    const { clock, settler, settle } = setUp();
    const ticker = {};
    const counter = {};
    for (let i = 0; i < 3; i += 1) {
      settler.changed(ticker, clock.now());
      if (i > 0) settler.changed(counter, clock.now());
      await clock.advance(300);
    }
    const state = settle('quiet');
    await clock.advance(200);
    settler.changed(ticker, clock.now());
    await clock.advance(50);
    expect(state).toEqual({ settled: true, at: 250 });
    // Two changes were not enough, and those of a second ago are forgotten.
    const second = settle('quiet');
    await clock.advance(200);
    settler.changed(counter, clock.now());
    await clock.advance(249);
    expect(second).toEqual({});
    await clock.advance(1100);
    const third = settle('quiet');
    await clock.advance(200);
    settler.changed(ticker, clock.now());
    await clock.advance(249);
    expect(third).toEqual({});
  });

  it('counts from the return of the handler, and judges observations by the time before it started', async () => {
    const { clock, settler } = setUp();
    const ticker = {};
    const watch = settler.watch('quiet', never);
    for (let i = 0; i < 5; i += 1) {
      await clock.advance(100);
      settler.changed(ticker, clock.now());
    }
    const settled = watch.settled();
    let at: number | undefined;
    const start = clock.now();
    void settled.then(() => (at = clock.now() - start));
    await clock.advance(100);
    settler.changed(ticker, clock.now());
    await clock.advance(249);
    expect(at).toBeUndefined();
    await clock.advance(1);
    expect(at).toBe(350);
  });

  it('looks for changes that are not known yet before it believes in quiet, by the time they were made', async () => {
    const changes: number[] = [];
    const { clock, settle } = setUp((settler) => {
      for (const at of changes.splice(0)) settler.changed({}, at);
    });
    const state = settle('quiet');
    await clock.advance(180);
    changes.push(clock.now());
    await clock.advance(70);
    expect(state).toEqual({});
    await clock.advance(180);
    expect(state).toEqual({ settled: true, at: 430 });
  });

  it('is not shortened by news of an older change', async () => {
    const { clock, settler, settle } = setUp();
    const state = settle('quiet');
    await clock.advance(200);
    settler.touched();
    settler.changed({}, clock.now() - 100);
    await clock.advance(249);
    expect(state).toEqual({});
    await clock.advance(1);
    expect(state).toEqual({ settled: true, at: 450 });
  });

  it('ends with its signal', async () => {
    const { clock, settle } = setUp();
    const controller = new AbortController();
    const state = settle('quiet', controller.signal);
    controller.abort();
    await idle();
    expect(state).toEqual({ settled: false, at: 0 });
    expect(clock.timers).toEqual([]);
    const late = settle('quiet', controller.signal);
    await idle();
    expect(late.settled).toBe(false);
    const waiting = new AbortController();
    const sync = settle('sync', waiting.signal);
    waiting.abort();
    await idle();
    expect(sync).toEqual({ settled: false, at: 0 });
    expect(clock.timers).toEqual([]);
  });

  it('ends when somebody who hears of a change ends the request', async () => {
    const controller = new AbortController();
    const { clock, settler, settle } = setUp(() => clock.now() > 1_000_200 && controller.abort());
    const state = settle('quiet', controller.signal);
    await clock.advance(200);
    settler.touched();
    await clock.advance(50);
    expect(state).toEqual({ settled: false, at: 250 });
    expect(clock.timers).toEqual([]);
  });

  it('goes on when the host of its timer is lost', async () => {
    const { clock, timers, settle } = setUp();
    timers.use({ setTimer: () => () => {} });
    const state = settle('quiet');
    await clock.advance(1000);
    expect(state).toEqual({});
    timers.use(null);
    await clock.advance(0);
    expect(state.settled).toBe(true);
  });
});

describe('settle: none and sync', () => {
  it('none waits for nothing', async () => {
    const { settle } = setUp();
    const state = settle('none');
    await idle();
    expect(state).toEqual({ settled: true, at: 0 });
  });

  it('sync waits for what is queued and for two frames', async () => {
    const { clock, settle } = setUp();
    const state = settle('sync');
    await clock.advance(0);
    expect(state).toEqual({});
    await clock.paint();
    expect(state).toEqual({});
    await clock.paint();
    expect(state.settled).toBe(true);
    expect(clock.timers).toEqual([]);
  });

  it('sync waits for no frames in a hidden page', async () => {
    const { clock, settle } = setUp();
    clock.visible = false;
    const state = settle('sync');
    await clock.advance(0);
    expect(state).toEqual({ settled: true, at: 0 });
  });

  it('sync does not hang when the page is hidden after it asked for a frame', async () => {
    const { clock, settle } = setUp();
    const state = settle('sync');
    await clock.advance(0);
    clock.visible = false;
    await clock.advance(100);
    expect(state).toEqual({ settled: true, at: 100 });
    expect(clock.frames).toEqual([]);
  });
});
