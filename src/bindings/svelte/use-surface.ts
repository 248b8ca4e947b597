import { onMount } from 'svelte';
import { derived, get, toStore } from 'svelte/store';
import { ComponentSurface } from '../component-surface.js';
import type { SurfaceHandle } from '../component-surface.js';
import type { MountableSurface, SurfaceHost } from '../surface-host.js';
import { followWhileMounted, storeOf } from './reactive-value.js';
import type { MaybeReactive } from './reactive-value.js';
import { getSurfaceRuntime } from './runtime-context.js';

/** Which surface, and when it is offered. */
export interface UseSurfaceBase<Ctx> {
  /** From `defineSurface`, best made once, outside of the component. Another one later takes the place of the first. */
  readonly surface: MaybeReactive<MountableSurface<Ctx>>;
  /** `false`: the surface is not offered. Default true. */
  readonly active?: MaybeReactive<boolean>;
}

/**
 * `context`: what handlers get as their second argument. It is a getter, called for each request, so that they see the
 * present state.
 */
export type UseSurfaceOptions<Ctx> = UseSurfaceBase<Ctx> &
  (undefined extends Ctx
    ? { readonly context?: () => NoInfer<Ctx> }
    : { readonly context: () => NoInfer<Ctx> });

/**
 * Offers a surface while the component is mounted and `active`. What `enabled` and enums read of the context is followed.
 * On a server nothing happens. Call it while the component is initialised.
 *
 * @throws {Error} when no runtime was set.
 */
export function useSurface<Ctx>(options: UseSurfaceOptions<Ctx>): SurfaceHandle {
  const { surface, active = true } = options as UseSurfaceBase<Ctx>;
  const { context } = options as { readonly context?: () => unknown };
  const runtime = getSurfaceRuntime<SurfaceHost>();
  const component = new ComponentSurface(() => context?.());
  const surfaces = storeOf(surface);
  const isActive = storeOf(active);
  const offered = derived([surfaces, isActive], ([present, is]) => (is ? present : null));
  // An effect that runs again when what `enabled` and enums have read changes.
  const asked = toStore(() => component.refresh());
  let stopAsking: (() => void) | undefined;
  const show = (present: MountableSurface<Ctx> | null): void => {
    stopAsking?.();
    stopAsking = undefined;
    if (!present) return component.hide();
    component.show(runtime, present as MountableSurface<never>);
    stopAsking = asked.subscribe(() => {});
  };
  followWhileMounted(offered, show);
  onMount(() => () => show(null));
  return component.handle(() => runtime, () => get(surfaces).id);
}
