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
});
