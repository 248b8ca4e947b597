import { assertInInjectionContext, untracked } from '@angular/core';
import { ComponentSurface } from '../component-surface.js';
import type { SurfaceHandle } from '../component-surface.js';
import type { MountableSurface, SurfaceHost } from '../surface-host.js';
import { pageEffect, valueOf } from './page-effect.js';
import { injectSurfaceRuntime } from './provide-runtime.js';

/** Which surface, and when it is offered. */
export interface InjectSurfaceBase<Ctx> {
  /**
   * From `defineSurface`, best made once, outside of the component; or a signal of one. Another one later takes the place
   * of the first.
   */
  readonly surface: MountableSurface<Ctx> | (() => MountableSurface<Ctx>);
  /** `false`: the surface is not offered. A value, a signal or a getter of signals. Default true. */
  readonly active?: boolean | (() => boolean);
}

/**
 * `context`: what handlers get as their second argument. It is a function, called for each request, so that they see the
 * present state.
 */
export type InjectSurfaceOptions<Ctx> = InjectSurfaceBase<Ctx> &
  (undefined extends Ctx
    ? { readonly context?: () => NoInfer<Ctx> }
    : { readonly context: () => NoInfer<Ctx> });

/**
 * Offers a surface while the component, directive or service lives and `active` is true. What `enabled` and enums read
 * of the context is followed. Handlers run outside of Angular's zone, where there is one: signals that they set tell
 * Angular themselves. On a server nothing happens. Call it in an injection context, such as the initialiser of a field.
 *
 * @throws {Error} when no runtime was provided.
 */
export function injectSurface<Ctx>(options: InjectSurfaceOptions<Ctx>): SurfaceHandle {
  assertInInjectionContext(injectSurface);
  const { surface, active = true } = options as InjectSurfaceBase<Ctx>;
  const { context } = options as { readonly context?: () => unknown };
  const runtime = injectSurfaceRuntime<SurfaceHost>();
  const component = new ComponentSurface(() => context?.());
  const present = (): MountableSurface<never> => valueOf(surface) as MountableSurface<never>;
  const offer = (): MountableSurface<never> | null => (valueOf(active) ? present() : null);
  pageEffect(
    offer,
    (offered) => {
      if (!offered) return undefined;
      component.show(runtime, offered);
      return () => component.hide();
    },
  );
  pageEffect(() => {
    if (offer()) component.refresh();
  });
  return component.handle(() => runtime, () => untracked(present).id);
}
