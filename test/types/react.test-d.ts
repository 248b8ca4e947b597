import { defineSurface as defineCompat } from '../../src/entries/compat-core.js';
import { createSurfaceRuntime as createCompat } from '../../src/entries/compat-core.js';
import type { SurfaceRuntime as CompatRuntime } from '../../src/entries/compat-core.js';
import { createSurfaceRuntime, defineSurface } from '../../src/entries/core.js';
import type { SurfaceRuntime } from '../../src/entries/core.js';
import { SurfaceRuntimeProvider, useObservation, useSurface, useSurfaceRuntime } from '../../src/entries/react.js';
import { createElement } from 'react';

/** Types of the hooks, with surfaces and runtimes of both kinds. `tsc` is the test. */

interface Context {
  readonly count: number;
}
const parts = { id: 'counter', name: 'C', description: 'C' } as const;
const action = { id: 'go_on', description: 'D', input: {} } as const;
const core = defineSurface<Context>({ ...parts, actions: [{ ...action, handler: (_params, { count }) => count }] });
const plain = defineSurface({ ...parts, actions: [{ ...action, handler: () => 1 }] });
const compat = defineCompat<Context>({
  ...parts,
  actions: [{ ...action, handler: async (_params, { count }) => ({ success: count > 0 }) }],
});

createElement(SurfaceRuntimeProvider, { runtime: createSurfaceRuntime() });
createElement(SurfaceRuntimeProvider, { runtime: createCompat() });
// @ts-expect-error -- the runtime is missing
createElement(SurfaceRuntimeProvider, {});

export function useAll(): void {
  const surface = useSurface({ surface: core, context: { count: 1 } });
  useSurface({ surface: compat, context: { count: 1 }, active: false });
  // Nothing is known of its context: any will do.
  useSurface({ surface: plain, context: undefined });
  // @ts-expect-error -- its handlers need the context
  useSurface({ surface: core });
  // @ts-expect-error -- the context is another one
  useSurface({ surface: compat, context: { count: 'one' } });
  // @ts-expect-error -- not from defineSurface
  useSurface({ surface: { id: 'counter' }, context: undefined });
  useObservation(surface, 'value', 1);
  // @ts-expect-error -- an observation of what?
  useObservation('counter', 'value', 1);
  const runtime: SurfaceRuntime = useSurfaceRuntime();
  const other: CompatRuntime = useSurfaceRuntime<CompatRuntime>();
  void [runtime, other];
}
