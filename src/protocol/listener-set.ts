import type { Release } from './ports.js';
import { warnOnce } from './warn-once.js';
import * as WARNINGS from './warning-codes.js';

/** Calls a function of the application's: what it throws is reported once (`OUI1009`) and stops nothing. */
export function callSafely(name: string, call: () => void): void {
  try {
    call();
  } catch (error) {
    warnOnce(WARNINGS.CALLBACK_THREW, `${name} threw: ${String(error)}`);
  }
}

/** Listeners of one kind, called in the order in which they were added. */
export interface ListenerSet<Args extends readonly unknown[]> {
  readonly size: number;
  /** Adds a listener; the same function added twice is called twice. */
  add(listener: (...args: Args) => void): Release;
  /** Calls every listener. One that throws does not keep the others from being called. */
  emit(...args: Args): void;
  clear(): void;
}

/** `name`: what the listeners are called in a warning, such as `A listener of onEvent`. */
export function createListenerSet<Args extends readonly unknown[]>(name: string): ListenerSet<Args> {
  // An entry object per registration, so that releasing one leaves another of the same function alone.
  const entries = new Set<{ readonly listener: (...args: Args) => void }>();
  return {
    get size() {
      return entries.size;
    },
    add(listener) {
      const entry = { listener };
      entries.add(entry);
      return () => void entries.delete(entry);
    },
    emit(...args) {
      for (const entry of [...entries]) {
        // One that ran just before may have released this one.
        if (entries.has(entry)) callSafely(name, () => entry.listener(...args));
      }
    },
    clear: () => entries.clear(),
  };
}
