/** `oui-elements/vue`: surfaces as composables. Vue 3.4 or later is a peer, needed by this module only. */
export type { SurfaceHandle } from '../bindings/component-surface.js';
export type { HostedSurface, MountableSurface, SurfaceHost } from '../bindings/surface-host.js';
export { provideSurfaceRuntime, surfaceRuntimeKey, useSurfaceRuntime } from '../bindings/vue/runtime-key.js';
export { useObservation } from '../bindings/vue/use-observation.js';
export { useSurface } from '../bindings/vue/use-surface.js';
export type { UseSurfaceBase, UseSurfaceOptions } from '../bindings/vue/use-surface.js';
export { useSurfaceHold } from '../bindings/vue/use-surface-hold.js';
