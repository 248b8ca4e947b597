import { writable } from 'svelte/store';
import { createSurfaceRuntime, defineSurface } from '../../src/entries/core.js';
import type { SurfaceRuntime } from '../../src/entries/core.js';
import { getSurfaceRuntime, setSurfaceRuntime, useObservation, useSurface, useSurfaceHold } from '../../src/entries/svelte.js';

/** Types of the functions for Svelte. `tsc` is the test. */

interface Context {
  readonly count: number;
}
const parts = { id: 'counter', name: 'C', description: 'C' } as const;
const action = { id: 'go_on', description: 'D', input: {} } as const;
const counter = defineSurface<Context>({ ...parts, actions: [{ ...action, handler: (_params, { count }) => count }] });
const plain = defineSurface({ ...parts, actions: [{ ...action, handler: () => 1 }] });

export function useAll(): void {
  const set: SurfaceRuntime = setSurfaceRuntime(createSurfaceRuntime());
  // @ts-expect-error -- no runtime
  setSurfaceRuntime({});
  const surface = useSurface({ surface: counter, context: () => ({ count: 1 }) });
  useSurface({ surface: () => counter, context: () => ({ count: 1 }), active: writable(true) });
  useSurface({ surface: plain, active: () => false });
  // @ts-expect-error -- its handlers need the context
  useSurface({ surface: counter });
  // @ts-expect-error -- the context is read when it is needed: a value would stay what it was
  useSurface({ surface: counter, context: { count: 1 } });
  useObservation(surface, 'value', () => 1);
  useObservation(surface, 'value', writable(1));
  // @ts-expect-error -- neither a getter nor a store: it could never change
  useObservation(surface, 'value', 1);
  useSurfaceHold(() => true);
  const runtime: SurfaceRuntime = getSurfaceRuntime();
  void [set, runtime];
}
