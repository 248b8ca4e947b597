import { describe, expect, it, vi } from 'vitest';
import { randomId } from '../../../src/protocol/random-id.js';
import { ClientId } from '../../../src/surface/document/client-id.js';
import { FakeStorage, FakeTab } from './fake-tab.js';
import type { FakeDocument } from './fake-tab.js';
import { HandClock } from './hand-clock.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function setUp(options?: ConstructorParameters<typeof FakeTab>[1]) {
  const clock = new HandClock();
  const tab = new FakeTab(clock, options);
  return { clock, tab, of: (document: FakeDocument = tab.open()) => new ClientId(document, clock, undefined) };
}

it('of one agent\'s end is not that of another, nor is what is kept for it', async () => {
  const { clock, tab } = setUp();
  const of = (url: string, document = tab.open()) => new ClientId(document, clock, url);
  const first = of('wss://one.example/oui/v1?token=a');
  const id = await first.claim();
  first.leave();
  const other = of('wss://two.example/oui/v1');
  expect(await other.claim()).not.toBe(id);
  expect(other.place).not.toBe(first.place);
  const again = of('wss://one.example/oui/v1?token=b');
  expect([await again.claim(), again.place]).toEqual([id, first.place]);
});

describe.each<[way: string, options: object]>([
  ['with Web Locks', {}],
  ['without, as on plain http', { locks: undefined }],
])('the client id, %s', (_way, options) => {
  it('survives a reload, also when the document before is slow to let go', async () => {
    const { clock, of } = setUp(options);
    const before = of();
    const id = await before.claim();
    expect(id).toMatch(UUID);
    const after = of().claim();
    await clock.advance(200);
    before.leave();
    await clock.advance(100);
    expect(await after).toBe(id);
    expect(clock.timers).toEqual([]);
  });

  it('of a duplicated tab is a new one, and each tab keeps its own from then on', async () => {
    const { clock, tab, of } = setUp(options);
    const original = await of().claim();
    const copy = tab.duplicate();
    const duplicate = of(copy.open());
    const claim = duplicate.claim();
    await clock.advance(300);
    const id = await claim;
    expect(id).toMatch(UUID);
    expect(id).not.toBe(original);
    expect([...copy.storage!.kept.values()]).toContain(id);
    expect([...tab.storage!.kept.values()]).toContain(original);
    duplicate.leave();
    expect(await of(copy.open()).claim()).toBe(id);
    expect(clock.timers).toEqual([]);
  });

  it('is the same again for a document that comes back, in the place it had', async () => {
    const { tab, of } = setUp(options);
    const document = tab.open();
    const [first, second] = [of(document), of(document)];
    const ids = [await first.claim(), await second.claim()];
    first.leave();
    second.leave();
    const again = await second.claim();
    expect([await first.claim(), again]).toEqual(ids);
  });

  it('that was given up while it was being claimed is free', async () => {
    const { clock, of } = setUp(options);
    const holder = of();
    const id = await holder.claim();
    const waiting = of();
    void waiting.claim();
    waiting.leave();
    await clock.advance(300);
    holder.leave();
    expect(await of().claim()).toBe(id);
  });

  it("is each runtime's and each frame's own; one that is disposed of makes room", async () => {
    const { tab, of } = setUp(options);
    const document = tab.open();
    const first = of(document);
    const ids = [await first.claim(), await of(document).claim(), await of(tab.open('0.1')).claim()];
    expect(new Set(ids).size).toBe(3);
    first.release();
    expect(await of(document).claim()).toBe(ids[0]);
  });
});

describe('the client id', () => {
  it('after a crash is kept where there are locks, and a new one where there are none', async () => {
    for (const [options, kept] of [[{}, true], [{ locks: undefined }, false]] as const) {
      const { clock, tab, of } = setUp(options);
      const document = tab.open();
      const id = await of(document).claim();
      document.crash();
      const next = of().claim();
      await clock.advance(300);
      expect((await next) === id).toBe(kept);
    }
  });

  const forbidden = new FakeStorage();
  forbidden.forbidden = true;
  const refusing = { of: () => ({ request: async () => Promise.reject(new Error('no')) }) };
  it.each<[what: string, options: object]>([
    ['no storage', { storage: undefined }],
    ['a storage that throws', { storage: forbidden }],
    ['locks that reject', { locks: refusing }],
  ])('is random with %s', async (_what, options) => {
    const { clock, of } = setUp(options);
    const claimed = of();
    expect(await claimed.claim()).toMatch(UUID);
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
