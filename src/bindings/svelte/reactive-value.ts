import { onMount, untrack } from 'svelte';
import { readable, toStore } from 'svelte/store';
import type { Readable } from 'svelte/store';

/** A value that may change: a getter that reads runes, `() => count`, or a store. */
export type ReactiveValue<Value> = (() => Value) | Readable<Value>;

/** The same, or a value that stays as it is. */
export type MaybeReactive<Value> = Value | ReactiveValue<Value>;

/** A store that follows a value. A getter belongs to the component in whose initialisation this is called. */
export function storeOf<Value>(value: MaybeReactive<Value>): Readable<Value> {
  if (isStore<Value>(value)) return value;
  return typeof value === 'function' ? toStore(value as () => Value) : readable(value);
}

/**
 * Tells the listener the value when the component is mounted and after each change, until it is destroyed. What the
 * listener reads and writes is no concern of Svelte's. Nothing happens on a server.
 */
export function followWhileMounted<Value>(store: Readable<Value>, listener: (value: Value) => void): void {
  onMount(() => {
    const end = store.subscribe((value) => untrack(() => listener(value))) as (() => void) | { unsubscribe(): void };
    // As Svelte itself does: RxJS gives an object.
    return () => (typeof end === 'function' ? end() : end.unsubscribe());
  });
}

/** By its member: stores are made by many libraries. */
function isStore<Value>(value: unknown): value is Readable<Value> {
  return typeof (value as Readable<Value> | null | undefined)?.subscribe === 'function';
}
