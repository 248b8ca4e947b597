import { signal } from '@angular/core';
import { of } from 'rxjs';
import { createSurfaceRuntime, defineSurface } from '../../src/entries/core.js';
import type { SurfaceRuntime } from '../../src/entries/core.js';
import {
  injectObservation, injectSurface, injectSurfaceHold, injectSurfaceRuntime, provideSurfaceRuntime,
} from '../../src/entries/angular.js';

/** Types of what is injected. `tsc` is the test. */

interface Context {
  readonly count: number;
}
const parts = { id: 'counter', name: 'C', description: 'C' } as const;
const action = { id: 'go_on', description: 'D', input: {} } as const;
const counter = defineSurface<Context>({ ...parts, actions: [{ ...action, handler: (_params, { count }) => count }] });
const plain = defineSurface({ ...parts, actions: [{ ...action, handler: () => 1 }] });

export function injectAll(): void {
  provideSurfaceRuntime(createSurfaceRuntime());
  provideSurfaceRuntime(() => createSurfaceRuntime());
  // @ts-expect-error -- no runtime
  provideSurfaceRuntime({});
  const count = signal(1);
  const surface = injectSurface({ surface: counter, context: () => ({ count: count() }) });
  injectSurface({ surface: signal(counter), context: () => ({ count: 1 }), active: signal(true) });
  injectSurface({ surface: plain, active: false });
  // @ts-expect-error -- its handlers need the context
  injectSurface({ surface: counter });
  // @ts-expect-error -- the context is another one
  injectSurface({ surface: counter, context: () => ({ count: 'one' }) });
  injectObservation(surface, 'value', count);
  injectObservation(surface, 'value', () => count() * 2);
  injectObservation(surface, 'value', of(1));
  // @ts-expect-error -- neither a signal nor an observable: it could never change
  injectObservation(surface, 'value', 1);
  injectSurfaceHold(() => count() > 1);
  const runtime: SurfaceRuntime = injectSurfaceRuntime();
  void runtime;
}
