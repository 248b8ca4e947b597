import type { Release } from '../protocol/ports.js';
import { WARNINGS, warnOnce } from '../protocol/warn-once.js';
import { messageOf } from './outcome.js';
import type { RuntimeEvent } from './runtime.js';

/** Calls a function of the application's: what it throws is reported once and stops nothing. */
export function callSafely(name: string, call: () => void): void {
  try {
    call();
  } catch (error) {
    warnOnce(WARNINGS.CALLBACK_THREW, `The runtime called ${name}, which threw: ${messageOf(error)}.`);
  }
}

/** Who listens to a runtime. */
export class Listeners {
  readonly #listeners = new Set<(event: RuntimeEvent) => void>();
  readonly #watched: (watched: boolean) => void;

  /** `watched` hears whether there is anybody at all. */
  constructor(watched: (watched: boolean) => void) {
    this.#watched = watched;
  }

  get size(): number {
    return this.#listeners.size;
  }

  add(listener: (event: RuntimeEvent) => void): Release {
    // One of its own, so that the same function can listen twice.
    const own = (event: RuntimeEvent): void => listener(event);
    if (this.#listeners.add(own).size === 1) this.#watched(true);
    return () => {
      if (this.#listeners.delete(own) && this.#listeners.size === 0) this.#watched(false);
    };
  }

  emit(event: RuntimeEvent): void {
    for (const listener of [...this.#listeners]) callSafely('a listener', () => listener(event));
  }

  clear(): void {
    this.#listeners.clear();
  }
}
