import type { Release } from '../protocol/ports.js';
import { WARNINGS, warnOnce } from '../protocol/warn-once.js';

/** Listeners of one kind, called in the order they were added. */
export interface ListenerSet<Args extends readonly unknown[]> {
  /** Adds a listener; the same function added twice is called twice. */
  add(listener: (...args: Args) => void): Release;
  /** Calls every listener. One that throws is reported (`OUI1009`) and does not keep the others from being called. */
  emit(...args: Args): void;
}

/** @param name How the listeners are registered, for the warning: `onEvent`. */
export function createListenerSet<Args extends readonly unknown[]>(name: string): ListenerSet<Args> {
  // An entry object per registration, so that releasing one leaves another of the same function alone.
  let entries: readonly { readonly call: (...args: Args) => void }[] = [];
  return {
    add(listener) {
      const entry = { call: listener };
      entries = [...entries, entry];
      return () => {
        entries = entries.filter((other) => other !== entry);
      };
    },
    emit(...args) {
      for (const entry of entries) {
        // Released by a listener that ran just before.
        if (!entries.includes(entry)) continue;
        try {
          entry.call(...args);
        } catch (error) {
          warnOnce(WARNINGS.CALLBACK_THREW, `A listener of a transport's ${name} threw: ${String(error)}`);
        }
      }
    },
  };
}
