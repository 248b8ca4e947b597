/** `oui-elements/react`: surfaces as hooks. React 18 or later is a peer, needed by this module only. */
export { SurfaceRuntimeProvider, useSurfaceRuntime } from '../bindings/react/runtime-context.js';
export type { SurfaceRuntimeProviderProps } from '../bindings/react/runtime-context.js';
export type { HostedSurface, MountableSurface, SurfaceHost } from '../bindings/surface-host.js';
export { useObservation } from '../bindings/react/use-observation.js';
export { useSurface } from '../bindings/react/use-surface.js';
export type { UseSurfaceBase, UseSurfaceOptions, UseSurfaceResult } from '../bindings/react/use-surface.js';
export { useSurfaceHold } from '../bindings/react/use-surface-hold.js';
