import { useCallback, useEffect, useInsertionEffect, useMemo, useRef, useState } from 'react';
import type { OUIActionResult } from '../../protocol/events.js';
import { ComponentSurface } from '../component-surface.js';
import type { MountableSurface, SurfaceHost } from '../surface-host.js';
import { useSurfaceRuntime } from './runtime-context.js';

/** Which surface, and when it is offered. */
export interface UseSurfaceBase<Ctx> {
  /** From `defineSurface`. Best made once, outside of the component; another one later takes the place of the first. */
  readonly surface: MountableSurface<Ctx>;
  /** `false`: the surface is not offered. Default true. */
  readonly active?: boolean;
}

/** `context`: what handlers get as their second argument. They see that of the last commit, whenever they start. */
export type UseSurfaceOptions<Ctx> = UseSurfaceBase<Ctx> &
  (undefined extends Ctx ? { readonly context?: NoInfer<Ctx> } : { readonly context: NoInfer<Ctx> });

/** The same object for as long as runtime and surface are the same. */
export interface UseSurfaceResult {
  readonly surfaceId: string;
  /**
   * The new value of an observation; an equal one is not sent again. While the surface is not mounted the value is kept
   * for when it is.
   * @throws {Error} when the surface does not declare it.
   */
  pushObservation(this: void, observationId: string, value: unknown): void;
  /** Runs an action of this surface as an agent would, without the `accept` gate. Always resolves. */
  execute(this: void, actionId: string, params?: unknown): Promise<OUIActionResult>;
}

/**
 * Offers a surface while the component is mounted and `active`. A component that suspends keeps its surface; one that
 * an `<Activity>` hides does not. What an agent is told follows React's commits: renderings that React threw away, or
 * ran twice for StrictMode, leave no trace.
 *
 * @throws {Error} when there is no `SurfaceRuntimeProvider` above.
 */
export function useSurface<Ctx>(options: UseSurfaceOptions<Ctx>): UseSurfaceResult {
  const { surface, active = true } = options as UseSurfaceBase<Ctx>;
  const context = (options as { readonly context?: unknown }).context;
  const runtime = useSurfaceRuntime<SurfaceHost>();

  // Written when React commits: a rendering that it throws away must not be what a handler sees.
  const committed = useRef(context);
  useInsertionEffect(() => {
    committed.current = context;
  });

  const [component] = useState(() => new ComponentSurface(() => committed.current));
  useEffect(() => {
    if (!active) return undefined;
    component.show(runtime, surface as MountableSurface<never>);
    return () => component.hide();
  }, [component, runtime, surface, active]);
  // After every commit: what `enabled` says of the context may be something else.
  useEffect(() => component.refresh());

  const surfaceId = surface.id;
  const { pushObservation } = component;
  const execute = useCallback(
    (actionId: string, params: unknown = {}) => runtime.execute({ surfaceId, actionId, params }),
    [runtime, surfaceId],
  );

  return useMemo(() => ({ surfaceId, pushObservation, execute }), [surfaceId, pushObservation, execute]);
}
