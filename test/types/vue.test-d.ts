import { computed, ref, shallowRef } from 'vue';
import { defineSurface as defineCompat } from '../../src/entries/compat-core.js';
import { createSurfaceRuntime as createCompat } from '../../src/entries/compat-core.js';
import type { SurfaceRuntime as CompatRuntime } from '../../src/entries/compat-core.js';
import { createSurfaceRuntime, defineSurface } from '../../src/entries/core.js';
import type { SurfaceRuntime } from '../../src/entries/core.js';
import { provideSurfaceRuntime, useObservation, useSurface, useSurfaceHold, useSurfaceRuntime } from '../../src/entries/vue.js';

/** Types of the composables, with surfaces and runtimes of both kinds. `tsc` is the test. */

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

export function useAll(): void {
  provideSurfaceRuntime(createSurfaceRuntime());
  provideSurfaceRuntime(createCompat());
  // @ts-expect-error -- no runtime
  provideSurfaceRuntime({});
  const count = ref(1);
  const surface = useSurface({ surface: core, context: () => ({ count: count.value }) });
  useSurface({ surface: core, context: { count: 1 }, active: () => count.value > 1 });
  useSurface({ surface: shallowRef(core), context: computed(() => ({ count: 1 })) });
  useSurface({ surface: compat, context: { count: 1 }, active: false });
  useSurface({ surface: plain });
  // @ts-expect-error -- its handlers need the context
  useSurface({ surface: core });
  // @ts-expect-error -- the context is another one
  useSurface({ surface: compat, context: { count: 'one' } });
  // @ts-expect-error -- not from defineSurface
  useSurface({ surface: { id: 'counter' }, context: undefined });
  useObservation(surface, 'value', count);
  useObservation(surface, 'value', () => count.value * 2);
  // @ts-expect-error -- an observation of what?
  useObservation('counter', 'value', count);
  useSurfaceHold(() => count.value > 1);
  // @ts-expect-error -- a number is neither busy nor idle
  useSurfaceHold(count);
  const runtime: SurfaceRuntime = useSurfaceRuntime();
  const other: CompatRuntime = useSurfaceRuntime<CompatRuntime>();
  void [runtime, other];
}
