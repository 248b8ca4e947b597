import { toValue, watch } from 'vue';
import type { MaybeRefOrGetter } from 'vue';
import type { SurfaceHost } from '../surface-host.js';
import { useSurfaceRuntime } from './runtime-key.js';
import { useShown } from './use-shown.js';

/**
 * Keeps results of actions waiting while the component is on the page and `busy` is true: for work that neither mounting
 * nor observations show, such as data or a route's code that is still loading. At most the runtime's settle timeout; then
 * they are sent with `settled: false`. In a component that stands in the fallback of a `<Suspense>`,
 * `useSurfaceHold(true)` waits for what is suspended. Call it in `setup`.
 *
 * @throws {Error} when no runtime was provided.
 */
export function useSurfaceHold(busy: MaybeRefOrGetter<boolean>): void {
  const runtime = useSurfaceRuntime<SurfaceHost>();
  const shown = useShown();
  watch(
    () => shown.value && toValue(busy),
    (held, _before, onCleanup) => {
      if (held) onCleanup(runtime.hold());
    },
    { flush: 'sync' },
  );
}
