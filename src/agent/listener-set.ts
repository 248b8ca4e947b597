import { WARNINGS, warnOnce } from '../protocol/warn-once.js';
import type { AgentEvent, AgentListener } from './agent-types.js';
import type { Release } from '../protocol/ports.js';

/** Calls one of the application's callbacks; what it throws is reported once and goes no further. */
export function callSafely(what: string, callback: () => void): void {
  try {
    callback();
  } catch (error) {
    warnOnce(WARNINGS.CALLBACK_THREW, `${what} threw: ${String(error)}`);
  }
}

/** The listeners of an agent runtime. */
export interface ListenerSet {
  add(listener: AgentListener): Release;
  emit(event: AgentEvent): void;
  clear(): void;
}

export function createListenerSet(): ListenerSet {
  // Wrapped, so that a function that was added twice is called twice and released one at a time.
  const entries = new Set<{ readonly listener: AgentListener }>();
  return {
    add(listener) {
      const entry = { listener };
      entries.add(entry);
      return () => void entries.delete(entry);
    },
    emit(event) {
      for (const { listener } of [...entries]) {
        callSafely(`A listener of the agent runtime, given "${event.type}",`, () => listener(event));
      }
    },
    clear: () => entries.clear(),
  };
}
