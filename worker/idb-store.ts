import { clear, createStore, del, delMany, entries, get, set, update } from 'idb-keyval';
import type { UseStore } from 'idb-keyval';
import type { Store } from '../src/protocol/ports.js';

/** How a text lies in the database. */
interface Kept {
  readonly text: string;
  /** Unix epoch, ms. */
  readonly until: number;
}

/** Texts and claims lie in databases of their own: what is claimed outlasts a sign-out. */
const TEXTS = { database: 'oui-elements', table: 'outcomes' } as const;
const CLAIMS = { database: 'oui-elements-claims', table: 'claims' } as const;

/**
 * Keeps texts in IndexedDB, and in memory where there is none, or where it is full, closing or forbidden. What has
 * expired is dropped when a store is made.
 *
 * @param wall Unix epoch, ms. Default: the system's clock.
 */
export function createIdbStore(wall: () => number = Date.now): Store {
  const texts = createTable(TEXTS, wall);
  let claims: Table | undefined;

  return {
    put: (key, text, until) => texts.inTurn(async () => {
      const kept: Kept = { text, until };
      if (await texts.attempt((use) => set(key, kept, use))) texts.memory.delete(key);
      else texts.memory.set(key, kept);
    }),
    get: (key) => texts.inTurn(async () => {
      const kept = (await texts.attempt((use) => get<Kept>(key, use)))?.value ?? texts.memory.get(key);
      return kept && kept.until > wall() ? kept.text : undefined;
    }),
    delete: (key) => texts.inTurn(async () => {
      texts.memory.delete(key);
      await texts.attempt((use) => del(key, use));
    }),
    claim(key, text, until) {
      // Most pages never claim anything.
      const table = (claims ??= createTable(CLAIMS, wall));
      return table.inTurn(async () => {
        let holder: Kept | undefined;
        const taken = (present: Kept | undefined): Kept =>
          (holder = present && present.until > wall() ? present : { text, until });
        // A look and a write in one transaction: of two tabs that come at once, one sees the other.
        const done = await table.attempt((use) => update<Kept>(key, taken, use));
        if (!done) table.memory.set(key, taken(table.memory.get(key)));
        return holder?.text === text;
      });
    },
    clear: () => texts.inTurn(async () => {
      texts.memory.clear();
      // Where there is no database there is nothing in it.
      return !hasDatabase() || (await texts.attempt((use) => clear(use))) !== undefined;
    }),
  };
}

/** Where storage is forbidden a look at it may throw; what was kept before may lie there still. */
function hasDatabase(): boolean {
  try {
    return Boolean(globalThis.indexedDB);
  } catch {
    return true;
  }
}

interface Table {
  readonly memory: Map<string, Kept>;
  /** In turn: what fell back to memory must not overtake what is still on its way into the database. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** @returns `undefined` when the database failed. */
  attempt<T>(work: (database: UseStore) => Promise<T>): Promise<{ readonly value: T } | undefined>;
}

function createTable(place: { readonly database: string; readonly table: string }, wall: () => number): Table {
  let database: UseStore | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const table: Table = {
    memory: new Map(),
    inTurn(work) {
      const turn = last.then(work);
      last = turn;
      return turn;
    },
    async attempt(work) {
      try {
        return { value: await work((database ??= createStore(place.database, place.table))) };
      } catch {
        return undefined;
      }
    },
  };
  const sweep = async (use: UseStore): Promise<void> => {
    const expired = (await entries<string, Kept>(use)).filter(([, kept]) => !(kept.until > wall()));
    if (expired.length > 0) await delMany(expired.map(([key]) => key), use);
  };
  void table.inTurn(() => table.attempt(sweep));
  return table;
}
