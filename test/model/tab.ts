import type { Release } from '../../src/protocol/ports.js';
import type { PageEnvironment } from '../../src/surface/page-environment.js';
import { FakeLocks, FakeStorage } from '../unit/surface/fake-tab.js';
import { FakeStore } from '../unit/surface/tab-bench.js';
import type { Life } from './timeline.js';

/** What outlives the documents of a tab: its storage, its locks and the device's store. And its wall clock. */
export class Tab {
  readonly storage = new FakeStorage();
  readonly locks = new FakeLocks();
  readonly store = new FakeStore();
  readonly wall: () => number;

  constructor(wall: () => number) {
    this.wall = wall;
  }

  open(life: Life): TabDocument {
    return new TabDocument(this, life);
  }
}

/** The document as its runtime sees it. Once it is gone, nothing that it still does reaches the tab. */
export class TabDocument implements PageEnvironment {
  readonly storage: PageEnvironment['storage'];
  readonly locks: PageEnvironment['locks'];
  readonly frame = '';
  readonly places = new Set<string>();
  readonly #tab: Tab;
  readonly #leaving = new Set<() => void>();
  readonly #returning = new Set<() => void>();

  constructor(tab: Tab, life: Life) {
    this.#tab = tab;
    const { storage } = tab;
    this.storage = {
      get length() {
        return storage.length;
      },
      key: (index) => storage.key(index),
      getItem: (key) => storage.getItem(key),
      setItem: (key, value) => void (life.over || storage.setItem(key, value)),
      removeItem: (key) => void (life.over || storage.removeItem(key)),
    };
    this.locks = tab.locks.of(this);
  }

  wall(): number {
    return this.#tab.wall();
  }

  onLeave(listener: () => void): Release {
    this.#leaving.add(listener);
    return () => void this.#leaving.delete(listener);
  }

  onReturn(listener: () => void): Release {
    this.#returning.add(listener);
    return () => void this.#returning.delete(listener);
  }

  /** `pagehide`. */
  leave(): void {
    for (const listener of this.#leaving) listener();
  }

  /** `pageshow`, out of the back/forward cache. */
  comeBack(): void {
    for (const listener of this.#returning) listener();
  }

  /** The document is gone: the browser takes back what it held. */
  gone(): void {
    this.#tab.locks.drop(this);
  }
}
