import { assertInInjectionContext, DestroyRef, inject, PLATFORM_ID } from '@angular/core';
import type { SurfaceHandle } from '../component-surface.js';
import { pageEffect } from './page-effect.js';

/** What delivers values: an RxJS observable, for one. */
export interface Subscribable {
  subscribe(listener: (value: unknown) => void): { unsubscribe(): void };
}

/**
 * Keeps an observation equal to a signal, to what a getter reads of signals, or to the newest value of an observable:
 * `injectObservation(surface, 'todos', this.todos)`. An equal value sends nothing. The value stays when the component is
 * gone, as long as the surface is mounted. Call it in an injection context, such as a constructor.
 *
 * @throws {Error} (to Angular's error handler) when the surface does not declare the observation.
 */
export function injectObservation(
  surface: Pick<SurfaceHandle, 'pushObservation'>,
  observationId: string,
  value: (() => unknown) | Subscribable,
): void {
  assertInInjectionContext(injectObservation);
  const { pushObservation } = surface;
  const push = (present: unknown): undefined => {
    pushObservation(observationId, present);
  };
  if (typeof value === 'function') return pageEffect(value, push);
  if (inject(PLATFORM_ID) !== 'browser') return undefined;
  const subscription = value.subscribe(push);
  inject(DestroyRef).onDestroy(() => subscription.unsubscribe());
}
