import type { OUIActionResult } from '../protocol/events.js';
import type { Release } from '../protocol/ports.js';
import type { ExecuteRequest, SURFACE_BRAND } from '../surface/definition/definition.js';

/** A surface of `defineSurface`, from `oui-elements/core` or from `oui-elements/compat`. */
export interface MountableSurface<Ctx> {
  readonly id: string;
  readonly [SURFACE_BRAND]: { readonly context?: (context: Ctx) => void };
}

/** What the bindings need of a mount. */
export interface HostedSurface {
  pushObservation(observationId: string, value: unknown): void;
  unmount(): void;
  /** New manifest and handlers under the same id. Where it is missing, the surface is mounted anew. */
  update?(surface: never): void;
  /** Asks the functions of the definition again, `enabled` and enums. Where it is missing, they are asked less often. */
  refresh?(): void;
}

/** What the bindings need of a runtime. The runtimes of `oui-elements/core` and `oui-elements/compat` have it. */
export interface SurfaceHost {
  mount(surface: never, getContext: () => never): HostedSurface;
  execute(request: ExecuteRequest): Promise<OUIActionResult>;
  hold(): Release;
}
