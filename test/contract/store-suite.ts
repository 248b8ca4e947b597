import { assert } from 'chai';
import type { Store } from '../../src/protocol/ports.js';
import type { Runner } from './engine-host-suite.js';

/** What whoever keeps something gets from a store. `open`: on one device, at a time that the test sets. */
export function describeStore(name: string, open: (wall: () => number) => Store, runner: Runner, lasts: boolean): void {
  const { describe, it, afterEach } = runner;

  describe(`store contract: ${name}`, () => {
    let now = 1_000_000;
    let store = open(() => now);
    const reopen = (): Store => (store = open(() => now));
    afterEach(() => void store.clear());

    it('keeps texts by key, the newest of each', async () => {
      await Promise.all([store.put('a', 'one', now + 1), store.put('b', 'two', now + 1), store.put('a', 'three', now + 1)]);
      assert.deepEqual(await Promise.all([store.get('a'), store.get('b'), store.get('c')]), ['three', 'two', undefined]);
    });

    it('takes calls for one key in their order, awaited or not', async () => {
      void store.put('a', 'one', now + 1);
      void store.delete('a');
      void store.put('a', 'two', now + 1);
      assert.equal(await store.get('a'), 'two');
      void store.put('a', 'three', now + 1);
      void store.delete('a');
      assert.equal(await store.get('a'), undefined);
    });

    it('keeps long texts whole', async () => {
      const text = '\u{1F600} \uD800 '.repeat(200_000);
      await store.put('long', text, now + 1);
      assert.isTrue((await store.get('long')) === text);
    });

    it('clears everything, and says so', async () => {
      await store.put('a', 'one', now + 1);
      assert.isTrue(await store.clear());
      assert.equal(await store.get('a'), undefined);
    });

    it('gives a key to the first who claims it, and to nobody else until its time is over', async () => {
      const key = `claim ${Math.random()}`;
      const claims = [store.claim(key, 'first', now + 10), store.claim(key, 'second', now + 10)];
      assert.deepEqual(await Promise.all(claims), [true, false]);
      assert.isTrue(await store.claim(key, 'first', now + 10));
      // A sign-out gives no approval back.
      await store.clear();
      assert.isFalse(await store.claim(key, 'second', now + 10));
      now += 10;
      assert.isTrue(await store.claim(key, 'second', now + 10));
    });

    it('finds nothing after its time', async () => {
      await store.put('a', 'one', now + 10);
      now += 9;
      assert.equal(await store.get('a'), 'one');
      now += 1;
      assert.equal(await store.get('a'), undefined);
    });

    if (!lasts) return;

    it('gives a claimed key to one of two who come at the same time', async () => {
      const key = `claim ${Math.random()}`;
      const stores = [store, open(() => now)];
      const got = await Promise.all(stores.map((each, index) => each.claim(key, `tab ${index}`, now + 10)));
      assert.equal(got.filter((ok) => ok).length, 1);
    });

    it('is there for the next document, less what has expired', async () => {
      await Promise.all([store.put('old', 'one', now + 10), store.put('new', 'two', now + 20)]);
      now += 10;
      reopen();
      assert.equal(await store.get('new'), 'two');
      now -= 10;
      // Gone for good, not only hidden.
      assert.equal(await store.get('old'), undefined);
    });
  });
}
