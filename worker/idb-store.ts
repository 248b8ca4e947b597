import { clear, createStore, del, delMany, entries, get, set } from 'idb-keyval';
import type { UseStore } from 'idb-keyval';
import type { Store } from '../src/protocol/ports.js';

/** How a text lies in the database. */
interface Kept {
  readonly text: string;
  /** Unix epoch, ms. */
  readonly until: number;
}

const DATABASE = 'oui-elements';
const TABLE = 'outcomes';

/**
 * Keeps texts in IndexedDB, and in memory where there is none, or where it is full, closing or forbidden. What has
 * expired is dropped when a store is made.
 *
 * @param wall Unix epoch, ms. Default: the system's clock.
 */
export function createIdbStore(wall: () => number = Date.now): Store {
  const memory = new Map<string, Kept>();
  let database: UseStore | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** In turn: what fell back to memory must not overtake what is still on its way into the database. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn;
    return turn;
  };

  /** @returns `undefined` when the database failed. */
  const attempt = async <T>(work: (database: UseStore) => Promise<T>): Promise<{ readonly value: T } | undefined> => {
    try {
      return { value: await work((database ??= createStore(DATABASE, TABLE))) };
    } catch {
      return undefined;
    }
  };

  const sweep = async (use: UseStore): Promise<void> => {
    const expired = (await entries<string, Kept>(use)).filter(([, kept]) => !(kept.until > wall()));
    if (expired.length > 0) await delMany(expired.map(([key]) => key), use);
  };
  void inTurn(() => attempt(sweep));

  return {
    put: (key, text, until) => inTurn(async () => {
      const kept: Kept = { text, until };
      if (await attempt((use) => set(key, kept, use))) memory.delete(key);
      else memory.set(key, kept);
    }),
    get: (key) => inTurn(async () => {
      const kept = (await attempt((use) => get<Kept>(key, use)))?.value ?? memory.get(key);
      return kept && kept.until > wall() ? kept.text : undefined;
    }),
    delete: (key) => inTurn(async () => {
      memory.delete(key);
      await attempt((use) => del(key, use));
    }),
    clear: () => inTurn(async () => {
      memory.clear();
      // Where there is no database there is nothing in it.
      return typeof indexedDB === 'undefined' || (await attempt((use) => clear(use))) !== undefined;
    }),
  };
}
