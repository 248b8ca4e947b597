import { createListenerSet } from '../protocol/listener-set.js';
import type { Release } from '../protocol/ports.js';
import type { RuntimeEvent } from './runtime.js';

/** Who listens to a runtime. */
export class Listeners {
  readonly #listeners = createListenerSet<[event: RuntimeEvent]>('A listener of the runtime');
  readonly #watched: (watched: boolean) => void;

  /** `watched` hears whether there is anybody at all. */
  constructor(watched: (watched: boolean) => void) {
    this.#watched = watched;
  }

  get size(): number {
    return this.#listeners.size;
  }

  add(listener: (event: RuntimeEvent) => void): Release {
    const release = this.#listeners.add(listener);
    if (this.size === 1) this.#watched(true);
    return () => {
      const before = this.size;
      release();
      if (before === 1 && this.size === 0) this.#watched(false);
    };
  }

  emit(event: RuntimeEvent): void {
    this.#listeners.emit(event);
  }

  clear(): void {
    this.#listeners.clear();
  }
}
