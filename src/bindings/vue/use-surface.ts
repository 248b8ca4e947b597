import { toRaw, toValue, watch, watchEffect } from 'vue';
import type { MaybeRefOrGetter } from 'vue';
import { ComponentSurface } from '../component-surface.js';
import type { SurfaceHandle } from '../component-surface.js';
import type { MountableSurface, SurfaceHost } from '../surface-host.js';
import { useSurfaceRuntime } from './runtime-key.js';
import { useShown } from './use-shown.js';

/** Which surface, and when it is offered. */
export interface UseSurfaceBase<Ctx> {
  /** From `defineSurface`, best made once, outside of the component. Another one later takes the place of the first. */
  readonly surface: MaybeRefOrGetter<MountableSurface<Ctx>>;
  /** `false`: the surface is not offered. Default true. */
  readonly active?: MaybeRefOrGetter<boolean>;
}

/**
 * `context`: what handlers get as their second argument; a ref is unwrapped and a getter called for each request, so that
 * they see the present state.
 */
export type UseSurfaceOptions<Ctx> = UseSurfaceBase<Ctx> &
  (undefined extends Ctx
    ? { readonly context?: MaybeRefOrGetter<NoInfer<Ctx>> }
    : { readonly context: MaybeRefOrGetter<NoInfer<Ctx>> });

/**
 * Offers a surface while the component is on the page and `active`. A component that a `<KeepAlive>` puts away takes its
 * surface along, and brings it back; one that waits in a `<Suspense>` has none yet. What `enabled` and enums read of the
 * context is followed. On a server nothing happens. Call it in `setup`.
 *
 * @throws {Error} when no runtime was provided.
 */
export function useSurface<Ctx>(options: UseSurfaceOptions<Ctx>): SurfaceHandle {
  const { surface, active = true } = options as UseSurfaceBase<Ctx>;
  const { context } = options as { readonly context?: MaybeRefOrGetter<unknown> };
  const runtime = useSurfaceRuntime<SurfaceHost>();
  const component = new ComponentSurface(() => toValue(context));
  const present = (): MountableSurface<never> => toRaw(toValue(surface)) as MountableSurface<never>;
  const shown = useShown();
  const offer = (): MountableSurface<never> | null => (shown.value && toValue(active) ? present() : null);
  watch(
    offer,
    (offered) => (offered ? component.show(runtime, offered) : component.hide()),
    // When the component is about to go, nothing of it is watched later.
    { flush: 'sync' },
  );
  watchEffect(() => {
    if (offer()) component.refresh();
  });
  return component.handle(() => runtime, () => present().id);
}
