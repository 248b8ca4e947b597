import { describe, expect, it, vi } from 'vitest';
import { setHostTimer } from '../../../../src/protocol/timer.js';
import { PageWork } from '../../../../src/surface/settle/track/page-work.js';
import type { PageScope } from '../../../../src/surface/settle/track/begin-work.js';
import { HandClock, idle } from '../hand-clock.js';

/** A window whose requests and timers are ended by the test. */
function fakePage() {
  const open: { resolve(value: unknown): void; reject(error: unknown): void }[] = [];
  const timers = new Map<number, (...args: unknown[]) => unknown>();
  let lastId = 0;
  const scope = {
    fetch(..._args: unknown[]) {
      return new Promise((resolve, reject) => open.push({ resolve, reject }));
    },
    setTimeout(callback: (...args: unknown[]) => unknown, _ms?: unknown, ...args: unknown[]) {
      timers.set(++lastId, () => callback(...args));
      return lastId;
    },
    clearTimeout: (id: number) => void timers.delete(id),
    clearInterval: (id: number) => void timers.delete(id),
  };
  return { scope, open, timers };
}

function setUp(page = fakePage()) {
  const clock = new HandClock();
  const work = new PageWork(page.scope as unknown as PageScope, true);
  const begin = () => {
    const rested = vi.fn();
    return { rested, action: work.begin({ now: () => clock.now(), rested }) };
  };
  return { ...page, clock, work, begin };
}

describe('requests', () => {
  it('are work from the call to the answer, and come back as they were', async () => {
    const { scope, open, begin } = setUp();
    const { action, rested } = begin();
    expect(action.busy).toBe(false);
    const good = scope.fetch('/a');
    const bad = scope.fetch('/b');
    expect(action.busy).toBe(true);
    open[0]!.resolve('answer');
    expect(await good).toBe('answer');
    expect(rested).not.toHaveBeenCalled();
    const error = new Error('offline');
    open[1]!.reject(error);
    await expect(bad).rejects.toBe(error);
    expect(rested).toHaveBeenCalledTimes(1);
    expect(action.busy).toBe(false);
    action.end();
  });

  it('that throw at once, or are no plain promises, are the page\'s own', () => {
    const page = fakePage();
    const error = new TypeError('Illegal invocation');
    const cancelable = Object.assign(Promise.resolve(1), { cancel: () => undefined });
    const results = [() => { throw error; }, () => cancelable, () => 'no promise', () => undefined];
    page.scope.fetch = (() => results.shift()!()) as never;
    const { scope, begin } = setUp(page);
    const { action } = begin();
    expect(() => scope.fetch()).toThrow(error);
    expect(action.busy).toBe(false);
    expect(scope.fetch()).toBe(cancelable);
    expect(action.busy).toBe(true);
    expect(scope.fetch()).toBe('no promise');
    expect(scope.fetch()).toBe(undefined);
    action.end();
  });

  it('that a page does not handle are still reported as unhandled', async () => {
    const { scope, open, begin } = setUp();
    const unhandled = vi.fn();
    // Vitest would fail the run for it.
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', unhandled);
    const { action } = begin();
    void scope.fetch();
    open[0]!.reject('lost');
    await idle();
    await idle();
    process.removeAllListeners('unhandledRejection');
    for (const other of others) process.on('unhandledRejection', other);
    action.end();
    expect(unhandled).toHaveBeenCalledExactlyOnceWith('lost', expect.anything());
  });

  it('count for every action that was running when they began, and for no later one', async () => {
    const { scope, open, begin } = setUp();
    const first = begin();
    void scope.fetch();
    const second = begin();
    void scope.fetch();
    expect([first.action.busy, second.action.busy]).toEqual([true, true]);
    open[1]!.resolve(1);
    await idle();
    expect([first.action.busy, second.action.busy]).toEqual([true, false]);
    open[0]!.resolve(1);
    await idle();
    expect(first.rested).toHaveBeenCalledTimes(1);
    expect(second.rested).toHaveBeenCalledTimes(1);
    first.action.end();
    second.action.end();
  });
});

describe('timers', () => {
  it('are work until they have run, with what they were given, or are cleared', () => {
    const { scope, timers, begin } = setUp();
    const { action, rested } = begin();
    const callback = vi.fn();
    const id = scope.setTimeout(callback, 100, 'a', 'b');
    const cleared = [scope.setTimeout(callback, 100), scope.setTimeout(callback, '100')];
    timers.get(id)!();
    expect(callback).toHaveBeenCalledExactlyOnceWith('a', 'b');
    expect(action.busy).toBe(true);
    scope.clearTimeout(cleared[0]!);
    scope.clearInterval(cleared[1]!);
    expect(rested).toHaveBeenCalledTimes(1);
    expect(timers.size).toBe(1);
    action.end();
  });

  it('that throw are done too, and throw on', () => {
    const { scope, timers, begin } = setUp();
    const { action } = begin();
    const id = scope.setTimeout(() => {
      throw new Error('Broke.');
    });
    expect(() => timers.get(id)!()).toThrow('Broke.');
    expect(action.busy).toBe(false);
    action.end();
  });

  it('longer than a second do not count, nor what is no function, nor the library\'s own', () => {
    const { scope, begin, clock } = setUp();
    const { action } = begin();
    scope.setTimeout(() => undefined, 1001);
    scope.setTimeout('code' as never, 1);
    vi.stubGlobal('setTimeout', scope.setTimeout);
    setHostTimer(10, () => undefined);
    vi.unstubAllGlobals();
    expect(action.busy).toBe(false);
    scope.setTimeout(() => undefined, 1000);
    expect(action.busy).toBe(true);
    expect(clock.timers).toEqual([]);
    action.end();
  });

  it('count when they are due within a second of the return, or of the end of other work', async () => {
    const { scope, open, timers, begin, clock } = setUp();
    const { action } = begin();
    const fire = (id: number): void => void timers.get(id)!();
    const counts = (ms: number): boolean => {
      const id = scope.setTimeout(() => undefined, ms);
      const counted = action.busy;
      fire(id);
      return counted;
    };
    await clock.advance(5000);
    expect(counts(1000)).toBe(true);
    action.returned();
    await clock.advance(600);
    expect([counts(400), counts(401)]).toEqual([true, false]);
    await clock.advance(600);
    expect(counts(0)).toBe(false);
    void scope.fetch();
    open[0]!.resolve(1);
    await idle();
    expect([counts(1000), counts(1001)]).toEqual([true, false]);
    action.end();
  });
});

describe('the page\'s functions', () => {
  it('are what they were once the last action has ended, and look the same meanwhile', () => {
    const { scope, begin } = setUp();
    Object.defineProperty(scope, 'fetch', { enumerable: false });
    Object.assign(scope.fetch, { polyfill: true });
    const before = Object.getOwnPropertyDescriptors(scope);
    const keys = Object.keys(scope);
    const first = begin();
    const second = begin();
    expect(scope.fetch).not.toBe(before.fetch.value);
    expect([scope.fetch.name, scope.fetch.length, Reflect.get(scope.fetch, 'polyfill')]).toEqual(['fetch', 0, true]);
    first.action.end();
    first.action.end();
    expect(scope.fetch).not.toBe(before.fetch.value);
    second.action.end();
    expect(Object.getOwnPropertyDescriptors(scope)).toEqual(before);
    expect(Object.keys(scope)).toEqual(keys);
    expect(scope.fetch).toBe(before.fetch.value);
  });

  it('get their own this', () => {
    const page = fakePage();
    const selves: unknown[] = [];
    page.scope.fetch = function (this: unknown) {
      selves.push(this);
      return Promise.resolve();
    };
    const { scope, begin } = setUp(page);
    const { action } = begin();
    void scope.fetch();
    const { fetch } = scope;
    void fetch();
    action.end();
    expect(selves).toEqual([scope, undefined]);
  });

  it('that somebody wrapped meanwhile stay wrapped, ours passing on, and are listened to again later', async () => {
    const { scope, open, begin } = setUp();
    const first = begin();
    const ours = scope.fetch;
    const theirs = vi.fn((...args: unknown[]) => ours(...args));
    scope.fetch = theirs;
    first.action.end();
    expect(scope.fetch).toBe(theirs);
    void scope.fetch('/x');
    expect(theirs).toHaveBeenCalledWith('/x');
    expect(first.action.busy).toBe(false);
    const second = begin();
    void scope.fetch('/y');
    expect(second.action.busy).toBe(true);
    open[1]!.resolve(1);
    await idle();
    expect(second.rested).toHaveBeenCalledTimes(1);
    second.action.end();
    expect(scope.fetch).toBe(theirs);
  });

  it('that a wrapper gave back too late are listened to in place, and are what they were in the end', () => {
    const { scope, begin } = setUp();
    const original = scope.fetch;
    const first = begin();
    const ours = scope.fetch;
    scope.fetch = (...args) => ours(...args);
    first.action.end();
    scope.fetch = ours;
    const second = begin();
    expect(scope.fetch).toBe(ours);
    void scope.fetch();
    expect(second.action.busy).toBe(true);
    second.action.end();
    expect(scope.fetch).toBe(original);
  });

  it('that are missing, accessors or not writable are left alone', () => {
    const get = vi.fn(() => fakePage().scope.fetch);
    const accessor = Object.defineProperty({}, 'fetch', { get, configurable: true });
    const frozen = Object.freeze(fakePage().scope);
    const locked = Object.defineProperty(fakePage().scope, 'fetch', { writable: false });
    for (const scope of [{}, accessor, frozen, locked]) {
      const before = Object.getOwnPropertyDescriptor(scope, 'fetch');
      const action = new PageWork(scope as PageScope, true).begin({ now: () => 0, rested: () => undefined });
      const now = Object.getOwnPropertyDescriptor(scope, 'fetch');
      expect(now).toEqual(before);
      expect(now?.value).toBe(before?.value);
      action.end();
    }
    expect(get).not.toHaveBeenCalled();
  });

  it('of Node are listened to where it has them', async () => {
    const before = Object.getOwnPropertyDescriptors(globalThis);
    const rested = vi.fn();
    const action = new PageWork(globalThis, true).begin({ now: () => 0, rested });
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(rested).toHaveBeenCalled();
    action.end();
    const after = Object.getOwnPropertyDescriptors(globalThis);
    expect([after.setTimeout, after.clearTimeout, after.fetch]).toEqual([
      before.setTimeout, before.clearTimeout, before.fetch,
    ]);
    expect(setTimeout).toBe(before.setTimeout.value);
  });
});

describe('navigations', () => {
  /** A window with a Navigation API whose events the test sends. */
  class FakeNavigation extends EventTarget {
    transition: object | null = null;
    navigate(more: { canIntercept?: boolean; downloadRequest?: string | null; url?: string } = {}): void {
      const { canIntercept = true, downloadRequest = null, url = 'https://page.example/next' } = more;
      this.dispatchEvent(Object.assign(new Event('navigate'), { canIntercept, downloadRequest, destination: { url } }));
    }
  }

  it.each(['navigatesuccess', 'navigateerror'])('are work until %s', (event) => {
    const navigation = new FakeNavigation();
    const { begin } = setUp({ ...fakePage(), scope: { ...fakePage().scope, navigation } as never });
    const { action, rested } = begin();
    navigation.navigate();
    navigation.navigate();
    expect(action.busy).toBe(true);
    navigation.dispatchEvent(new Event(event));
    expect(action.busy).toBe(false);
    expect(rested).toHaveBeenCalled();
    action.end();
    navigation.navigate();
    expect(action.busy).toBe(false);
  });

  it('that were in progress count; downloads and other programs do not', () => {
    const navigation = new FakeNavigation();
    const { begin } = setUp({ ...fakePage(), scope: { navigation } as never });
    navigation.transition = {};
    const first = begin();
    expect(first.action.busy).toBe(true);
    first.action.end();
    navigation.transition = null;
    const second = begin();
    navigation.navigate({ downloadRequest: 'report.csv' });
    navigation.navigate({ canIntercept: false, url: 'mailto:you@example.org' });
    expect(second.action.busy).toBe(false);
    navigation.navigate({ canIntercept: false, url: 'https://other.example/' });
    expect(second.action.busy).toBe(true);
    second.action.end();
  });

  it('away from the document are seen without the Navigation API too', () => {
    const scope = new EventTarget();
    const { begin } = setUp({ ...fakePage(), scope: scope as never });
    const { action } = begin();
    scope.dispatchEvent(new Event('beforeunload'));
    expect(action.busy).toBe(true);
    action.end();
  });
});
