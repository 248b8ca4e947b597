import { onMount } from 'svelte';
import type { Release } from '../../protocol/ports.js';
import type { SurfaceHost } from '../surface-host.js';
import { followWhileMounted, storeOf } from './reactive-value.js';
import type { MaybeReactive } from './reactive-value.js';
import { getSurfaceRuntime } from './runtime-context.js';

/**
 * Keeps results of actions waiting while the component is mounted and `busy` is true: for work that neither mounting nor
 * observations show, such as data or a route's code that is still loading. At most the runtime's settle timeout; then
 * they are sent with `settled: false`. Call it while the component is initialised.
 *
 * @throws {Error} when no runtime was set.
 */
export function useSurfaceHold(busy: MaybeReactive<boolean>): void {
  const runtime = getSurfaceRuntime<SurfaceHost>();
  let release: Release | undefined;
  const hold = (wanted: boolean): void => {
    if (wanted) release ??= runtime.hold();
    else {
      release?.();
      release = undefined;
    }
  };
  followWhileMounted(storeOf(busy), hold);
  onMount(() => () => hold(false));
}
