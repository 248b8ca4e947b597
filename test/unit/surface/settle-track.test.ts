import { describe, expect, it } from 'vitest';
import { PageTimers } from '../../../src/surface/clock/page-timers.js';
import { Settler } from '../../../src/surface/settle/settle.js';
import { PageWork } from '../../../src/surface/settle/track/page-work.js';
import type { PageScope } from '../../../src/surface/settle/track/begin-work.js';
import { HandClock, idle } from './hand-clock.js';

/** A page whose timers run on the hand-driven clock, and whose requests take a given time on it. */
function setUp(flush: (settler: Settler) => void = () => {}, tracked = true) {
  const clock = new HandClock();
  const timers = new PageTimers(clock);
  const scope = {
    setTimeout: (callback: () => void, ms: number) => clock.setTimer(ms, callback),
    clearTimeout: (release: () => void) => release(),
    fetch: (ms: number) => new Promise<void>((resolve) => void clock.setTimer(ms, resolve)),
    navigation: Object.assign(new EventTarget(), { transition: null }),
  };
  const navigates = (url: string): void => {
    const event = { canIntercept: false, destination: { url }, downloadRequest: null };
    scope.navigation.dispatchEvent(Object.assign(new Event('navigate'), event));
  };
  const before = { ...scope };
  const times = { quietMs: 250, timeoutMs: 5000 };
  const work = new PageWork(scope as unknown as PageScope, tracked);
  const settler: Settler = new Settler({ timers, times, flush: () => flush(settler), work });
  /** Runs a handler and lets its result settle. */
  const act = (handler: () => void | Promise<void>, signal = new AbortController().signal) => {
    const state: { settled?: boolean; at?: number } = {};
    const watch = settler.watch('quiet', signal);
    void (async () => {
      await handler();
      const start = clock.now();
      state.settled = await watch.settled();
      state.at = clock.now() - start;
    })();
    return state;
  };
  const untouched = (): boolean => scope.fetch === before.fetch && scope.setTimeout === before.setTimeout;
  const shown = {};
  const show = (): void => settler.changed(shown, clock.now());
  /** Two frames. */
  const frames = async (): Promise<void> => {
    await clock.paint();
    await clock.paint();
  };
  return { clock, scope, settler, act, untouched, navigates, show, shown, frames };
}

describe('a tracked action', () => {
  it('is answered two frames after what it has shown', async () => {
    const { clock, act, show, frames, untouched } = setUp();
    const state = act(show);
    await idle();
    await clock.paint();
    expect(state).toEqual({});
    expect(untouched()).toBe(false);
    await frames();
    expect(state).toEqual({ settled: true, at: 0 });
    expect(untouched()).toBe(true);
    expect(clock.timers).toEqual([]);
    expect(clock.frames).toEqual([]);
  });

  it('that has shown nothing waits for 250 ms, and two frames after what comes within them', async () => {
    const { clock, act, show, frames } = setUp();
    const nothing = act(() => undefined);
    await frames();
    await clock.advance(249);
    expect(nothing).toEqual({});
    await clock.advance(1);
    expect(nothing).toEqual({ settled: true, at: 250 });
    const late = act(() => undefined);
    await clock.advance(200);
    show();
    await clock.advance(20);
    await frames();
    expect(late).toEqual({ settled: true, at: 220 });
  });

  it('is not answered early for a change that was made before it started', async () => {
    const { clock, act, settler, frames } = setUp();
    const state = act(() => settler.changed({}, clock.now() - 1));
    await idle();
    await frames();
    expect(state).toEqual({});
  });

  it('is not answered early for a value that changes all the time, unless while the handler ran', async () => {
    const { clock, scope, act, show, frames } = setUp();
    for (let i = 0; i < 3; i += 1) show();
    await clock.advance(10);
    const idleOne = act(() => void scope.fetch(50));
    await idle();
    show();
    await clock.advance(50);
    await frames();
    expect(idleOne).toEqual({});
    await clock.advance(250);
    expect(idleOne.settled).toBe(true);
    for (let i = 0; i < 3; i += 1) show();
    const showing = act(show);
    await idle();
    await frames();
    expect(showing).toEqual({ settled: true, at: 0 });
  });

  it('waits for what it has set going, and for what follows from it, longer than 250 ms', async () => {
    const { clock, scope, act, show, frames } = setUp();
    const state = act(() => {
      show();
      scope.setTimeout(() => {
        void scope.fetch(800).then(() => scope.setTimeout(show, 700));
      }, 600);
    });
    await frames();
    await clock.advance(600);
    await frames();
    await clock.advance(800);
    await frames();
    await clock.advance(699);
    await frames();
    expect(state).toEqual({});
    await clock.advance(1);
    await clock.paint();
    expect(state).toEqual({});
    await clock.paint();
    expect(state).toEqual({ settled: true, at: 2100 });
  });

  it('waits for 250 ms from the end of work that has shown nothing', async () => {
    const { clock, scope, act, frames } = setUp();
    const state = act(() => void scope.fetch(1000));
    await clock.advance(1000);
    await frames();
    await clock.advance(249);
    expect(state).toEqual({});
    await clock.advance(1);
    expect(state).toEqual({ settled: true, at: 1250 });
  });

  it('begins its two frames again with each change and each piece of work', async () => {
    const { clock, scope, act, show, frames } = setUp();
    const state = act(show);
    await idle();
    await clock.paint();
    show();
    await clock.paint();
    await clock.paint();
    void scope.fetch(0);
    await clock.advance(0);
    await clock.paint();
    expect(state).toEqual({});
    await clock.paint();
    await frames();
    expect(state.settled).toBe(true);
  });

  it('looks for changes that are not known yet before it believes in stillness', async () => {
    let changes = 0;
    const { clock, act, frames } = setUp((settler) => {
      if (changes > 0) settler.changed({}, clock.now());
      changes = 0;
    });
    const state = act(() => void (changes = 1));
    await idle();
    changes = 1;
    await frames();
    expect(state).toEqual({});
    await frames();
    expect(state.settled).toBe(true);
  });

  it('waits for a hold, and two frames after it', async () => {
    const { clock, settler, act, frames } = setUp();
    let release = (): void => {};
    const state = act(() => void (release = settler.hold()));
    await frames();
    await clock.advance(2000);
    await frames();
    release();
    await clock.paint();
    expect(state).toEqual({});
    await clock.paint();
    expect(state).toEqual({ settled: true, at: 2000 });
  });

  it('has shown something when a hold is released that was open before', async () => {
    const { clock, settler, act, frames } = setUp();
    const release = settler.hold();
    await clock.advance(10);
    const state = act(() => undefined);
    await clock.advance(1000);
    release();
    await frames();
    expect(state).toEqual({ settled: true, at: 1000 });
  });

  it('is given up at the deadline while its work goes on', async () => {
    const { clock, scope, act, show, untouched } = setUp();
    const state = act(() => {
      show();
      void scope.fetch(9000);
    });
    await clock.advance(5000);
    expect(state).toEqual({ settled: false, at: 5000 });
    expect(untouched()).toBe(true);
  });

  it('is not held by a page that sets timers for ever', async () => {
    const { clock, scope, act, show, frames } = setUp();
    const tick = (): void => void scope.setTimeout(tick, 16);
    tick();
    const state = act(show);
    await clock.advance(900);
    await frames();
    expect(state).toEqual({});
    await clock.advance(150);
    await frames();
    expect(state.settled).toBe(true);
  });

  it('of several waits for work that may be another\'s', async () => {
    const { clock, scope, act, show, frames, untouched } = setUp();
    const first = act(show);
    const second = act(() => void scope.fetch(300));
    await idle();
    await frames();
    expect(first).toEqual({});
    await clock.advance(300);
    await frames();
    expect(first).toEqual({ settled: true, at: 300 });
    expect(untouched()).toBe(false);
    await clock.advance(250);
    expect(second).toEqual({ settled: true, at: 550 });
    expect(untouched()).toBe(true);
  });

  it('gives the page\'s functions back when it is ended, also while its handler still runs', async () => {
    const { act, untouched } = setUp();
    const controller = new AbortController();
    const state = act(() => new Promise(() => undefined), controller.signal);
    await idle();
    expect(untouched()).toBe(false);
    controller.abort();
    expect(untouched()).toBe(true);
    expect(state).toEqual({});
  });

  it('needs no frames in a hidden page', async () => {
    const { clock, act, show } = setUp();
    clock.visible = false;
    const state = act(show);
    await clock.advance(33);
    expect(state).toEqual({ settled: true, at: 33 });
    expect(clock.frames).toEqual([]);
  });

  it('takes a visible page that is not painted for busy, and is quiet after the whole while', async () => {
    const { clock, act, show } = setUp();
    const state = act(show);
    await clock.advance(240);
    expect(state).toEqual({});
    await clock.advance(10);
    expect(state).toEqual({ settled: true, at: 250 });
    expect(clock.frames).toEqual([]);
    expect(clock.timers).toEqual([]);
  });

  it('goes on without frames when the page is hidden after it asked for one', async () => {
    const { clock, act, show } = setUp();
    const state = act(show);
    await idle();
    clock.visible = false;
    await clock.advance(200);
    expect(state.settled).toBe(true);
    expect(clock.frames).toEqual([]);
  });

  it('is settled as the action says when it says none or sync, without tracking', async () => {
    const { settler, untouched } = setUp();
    const { signal } = new AbortController();
    settler.watch('none', signal);
    settler.watch('sync', signal);
    await idle();
    expect(untouched()).toBe(true);
  });
});

describe('an action that is not tracked', () => {
  it('leaves the functions of the page alone, and waits for the whole while', async () => {
    const { clock, act, show, frames, untouched } = setUp(undefined, false);
    const state = act(show);
    expect(untouched()).toBe(true);
    await frames();
    await clock.advance(249);
    expect(state).toEqual({});
    await clock.advance(1);
    expect(state).toEqual({ settled: true, at: 250 });
  });

  it('is not settled while its document is being left: the next one is to answer', async () => {
    const { clock, act, navigates } = setUp(undefined, false);
    const state = act(() => navigates('https://shop.example/next'));
    await clock.advance(4_999);
    expect(state).toEqual({});
    await clock.advance(1);
    expect(state).toEqual({ settled: false, at: 5_000 });
  });

  it('waits until the page itself has carried out a navigation', async () => {
    const { clock, scope, act, navigates } = setUp(undefined, false);
    const state = act(() => navigates('https://shop.example/route'));
    await clock.advance(1_000);
    scope.navigation.dispatchEvent(new Event('navigatesuccess'));
    await clock.advance(250);
    expect(state).toEqual({ settled: true, at: 1_250 });
  });
});
