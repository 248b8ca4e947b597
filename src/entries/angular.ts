/** `oui-elements/angular`: surfaces by injection, with signals. Angular is a peer, needed by this module only. */
export { injectObservation } from '../bindings/angular/inject-observation.js';
export type { Subscribable } from '../bindings/angular/inject-observation.js';
export { injectSurface } from '../bindings/angular/inject-surface.js';
export type { InjectSurfaceBase, InjectSurfaceOptions } from '../bindings/angular/inject-surface.js';
export { injectSurfaceHold } from '../bindings/angular/inject-surface-hold.js';
export { injectSurfaceRuntime, provideSurfaceRuntime } from '../bindings/angular/provide-runtime.js';
export type { SurfaceHandle } from '../bindings/component-surface.js';
export type { HostedSurface, MountableSurface, SurfaceHost } from '../bindings/surface-host.js';
