import { toValue, watch } from 'vue';
import type { MaybeRefOrGetter } from 'vue';
import type { SurfaceHandle } from '../component-surface.js';

/**
 * Keeps an observation equal to a ref, a computed value, a getter or a reactive object: `useObservation(surface,
 * 'todos', todos)`. What lies deeper in it is followed too. An equal value sends nothing. The value stays when the
 * component is gone, as long as the surface is mounted. Call it in `setup`.
 *
 * @throws {Error} (to Vue's error handler) when the surface does not declare the observation.
 */
export function useObservation(
  surface: Pick<SurfaceHandle, 'pushObservation'>,
  observationId: string,
  value: MaybeRefOrGetter<unknown>,
): void {
  const { pushObservation } = surface;
  watch(() => toValue(value), (present) => pushObservation(observationId, present), { deep: true, immediate: true });
}
