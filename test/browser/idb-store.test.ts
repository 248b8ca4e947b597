import { expect } from 'chai';
import { createIdbStore } from '../../worker/idb-store.js';
import { describeStore } from '../contract/store-suite.js';

describeStore('IndexedDB', createIdbStore, { describe, it, afterEach }, true);

describe('a store whose database fails', () => {
  const failing = [
    ['refuses to open', () => { throw new DOMException('denied', 'SecurityError'); }],
    ['cannot be opened', () => {
      const request = {} as IDBOpenDBRequest;
      queueMicrotask(() => request.onerror?.(new Event('error')));
      return request;
    }],
  ] as const;

  for (const [how, open] of failing) {
    it(`keeps in memory what it can: ${how}`, async () => {
      const { open: real } = IDBFactory.prototype;
      IDBFactory.prototype.open = open;
      try {
        const store = createIdbStore();
        await store.put('a', 'one', Date.now() + 1_000);
        expect(await store.get('a')).to.equal('one');
        await store.delete('a');
        expect(await store.get('a')).to.equal(undefined);
        expect(await store.clear()).to.equal(false);
      } finally {
        IDBFactory.prototype.open = real;
      }
    });
  }

  it('keeps in memory what it can: a look at it throws', async () => {
    const own = Object.getOwnPropertyDescriptor(globalThis, 'indexedDB')!;
    Object.defineProperty(globalThis, 'indexedDB', {
      get: () => { throw new DOMException('denied', 'SecurityError'); },
      configurable: true,
    });
    try {
      const store = createIdbStore();
      // What was kept before storage was forbidden may lie there still.
      expect(await store.clear()).to.equal(false);
      await store.put('a', 'one', Date.now() + 1_000);
      expect(await store.get('a')).to.equal('one');
    } finally {
      Object.defineProperty(globalThis, 'indexedDB', own);
    }
  });
});
