import { effect, inject, NgZone, PLATFORM_ID, untracked } from '@angular/core';
import type { Release } from '../../protocol/ports.js';

/**
 * An effect of the present injection context that acts on the runtime: `read` is tracked, `act` is not, and what `act`
 * returns is called before the next run and when the context is destroyed. None on a server.
 *
 * Both run outside of Angular's zone, where there is one: else each timer and each message of the runtime's would make
 * Angular look for changes.
 */
export function pageEffect<Value>(read: () => Value, act?: (value: Value) => Release | undefined): void {
  if (inject(PLATFORM_ID) !== 'browser') return;
  const zone = inject(NgZone);
  effect((onCleanup) => {
    const end = zone.runOutsideAngular(() => {
      const value = read();
      return untracked(() => act?.(value));
    });
    if (end) onCleanup(end);
  });
}

/** A signal or another getter of signals is read; anything else is a value that stays as it is. */
export function valueOf<Value>(value: Value | (() => Value)): Value {
  return typeof value === 'function' ? (value as () => Value)() : value;
}
