/** `oui-elements/svelte`: surfaces for components with runes or stores. Svelte 5 is a peer, needed by this module only. */
export type { SurfaceHandle } from '../bindings/component-surface.js';
export type { HostedSurface, MountableSurface, SurfaceHost } from '../bindings/surface-host.js';
export type { MaybeReactive, ReactiveValue } from '../bindings/svelte/reactive-value.js';
export { getSurfaceRuntime, setSurfaceRuntime } from '../bindings/svelte/runtime-context.js';
export { useObservation } from '../bindings/svelte/use-observation.js';
export { useSurface } from '../bindings/svelte/use-surface.js';
export type { UseSurfaceBase, UseSurfaceOptions } from '../bindings/svelte/use-surface.js';
export { useSurfaceHold } from '../bindings/svelte/use-surface-hold.js';
