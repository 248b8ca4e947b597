import { describe, expect, it, vi } from 'vitest';
import { claimClientId } from '../../../src/surface/client-id.js';
import type { ClaimedClientId } from '../../../src/surface/client-id.js';
import { randomId } from '../../../src/protocol/random-id.js';
import { HandClock } from './hand-clock.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

class Tab {
  readonly kept = new Map<string, string>();
  getItem = (key: string): string | null => this.kept.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.kept.set(key, value);

  duplicate(): Tab {
    const tab = new Tab();
    for (const [key, value] of this.kept) tab.setItem(key, value);
    return tab;
  }
}

/** Web Locks as far as they are used here: exclusive, first come first served, a signal ends the waiting. */
class Locks {
  readonly #queues = new Map<string, (() => void)[]>();

  request = ((name: string, { signal }: { signal: AbortSignal }, held: () => Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      const queue = this.#queues.get(name) ?? [];
      this.#queues.set(name, queue);
      const grant = (): void =>
        void held().then(() => {
          queue.shift();
          resolve();
          queue[0]?.();
        });
      signal.addEventListener('abort', () => {
        if (queue[0] === grant) return;
        queue.splice(queue.indexOf(grant), 1);
        reject(signal.reason as Error);
      });
      queue.push(grant);
      if (queue.length === 1) queueMicrotask(grant);
    })) as never;
}

/** A document of a tab: its module counts runtimes from the beginning. */
async function openDocument(storage: Tab, locks: Locks, clock: HandClock) {
  vi.resetModules();
  const { claimClientId: claim } = await import('../../../src/surface/client-id.js');
  return (frame = ''): ClaimedClientId => claim(clock, { storage, locks, frame } as never);
}

function setUp() {
  return { tab: new Tab(), locks: new Locks(), clock: new HandClock() };
}

function fail(): never {
  throw new Error('no');
}

describe('the client id', () => {
  it('survives a reload, also when the document before is slow to let go', async () => {
    const { tab, locks, clock } = setUp();
    const before = (await openDocument(tab, locks, clock))();
    const id = await before.id;
    expect(id).toMatch(UUID);
    const after = (await openDocument(tab, locks, clock))();
    await clock.advance(200);
    before.release();
    expect(await after.id).toBe(id);
    expect(clock.timers).toEqual([]);
  });

  it('of a duplicated tab is a new one, and each tab keeps its own from then on', async () => {
    const { tab, locks, clock } = setUp();
    const original = await (await openDocument(tab, locks, clock))().id;
    const copy = tab.duplicate();
    const duplicate = (await openDocument(copy, locks, clock))();
    await clock.advance(300);
    const id = await duplicate.id;
    expect(id).toMatch(UUID);
    expect(id).not.toBe(original);
    expect([...copy.kept.values()]).toEqual([id]);
    expect([...tab.kept.values()]).toEqual([original]);
    duplicate.release();
    expect(await (await openDocument(copy, locks, clock))().id).toBe(id);
    expect(clock.timers).toEqual([]);
  });

  it('is each runtime\'s and each frame\'s own; one that is disposed of makes room', async () => {
    const { tab, locks, clock } = setUp();
    const claim = await openDocument(tab, locks, clock);
    const first = claim();
    const ids = await Promise.all([first.id, claim().id, claim('0.1').id]);
    expect(new Set(ids).size).toBe(3);
    expect(tab.kept.size).toBe(3);
    first.release();
    expect(await claim().id).toBe(ids[0]);
  });

  it.each<[what: string, host: object]>([
    ['nothing', { frame: '' }],
    ['no locks', { frame: '', storage: new Tab() }],
    ['a storage that throws', { frame: '', locks: new Locks(), storage: { getItem: fail } }],
    ['locks that reject', { frame: '', storage: new Tab(), locks: { request: async () => fail() } }],
  ])('is random with %s', async (_what, host) => {
    const clock = new HandClock();
    const claimed = claimClientId(clock, host as never);
    expect(await claimed.id).toMatch(UUID);
    claimed.release();
    expect(clock.timers).toEqual([]);
  });
});

describe('random ids', () => {
  const { crypto: real } = globalThis;
  it.each<[what: string, crypto: unknown]>([
    ['randomUUID', real],
    ['getRandomValues, on plain http', { getRandomValues: real.getRandomValues.bind(real) }],
    ['no crypto', undefined],
  ])('with %s', (_what, crypto) => {
    vi.stubGlobal('crypto', crypto);
    const ids = Array.from({ length: 50 }, randomId);
    vi.unstubAllGlobals();
    for (const id of ids) expect(id).toMatch(UUID);
    expect(new Set(ids).size).toBe(50);
  });
});
