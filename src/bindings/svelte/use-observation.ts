import { toStore } from 'svelte/store';
import type { SurfaceHandle } from '../component-surface.js';
import { readDeep } from './read-deep.js';
import { followWhileMounted, storeOf } from './reactive-value.js';
import type { ReactiveValue } from './reactive-value.js';

/**
 * Keeps an observation equal to what a getter reads of runes, or to a store: `useObservation(surface, 'todos', () =>
 * todos)`. What lies deeper in `$state`, and in the classes of `svelte/reactivity`, is followed too. An equal value sends
 * nothing. The value stays when the component is gone, as long as the surface is mounted. Call it while the component is
 * initialised.
 *
 * @throws {Error} (while the component is mounted) when the surface does not declare the observation.
 */
export function useObservation(
  surface: Pick<SurfaceHandle, 'pushObservation'>,
  observationId: string,
  value: ReactiveValue<unknown>,
): void {
  const { pushObservation } = surface;
  const store = typeof value === 'function' ? toStore(() => readDeep(value())) : storeOf(value);
  followWhileMounted(store, (present) => pushObservation(observationId, present));
}
