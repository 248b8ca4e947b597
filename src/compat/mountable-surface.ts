import type { SURFACE_BRAND } from '../surface/definition/definition.js';

/** What `defineSurface` made, that of this drop-in or that of `oui-elements/core`. */
export interface MountableSurface<TContext> {
  readonly id: string;
  readonly [SURFACE_BRAND]: { readonly context?: (context: TContext) => void };
}
