import { hasInjectionContext, inject, provide, toRaw } from 'vue';
import type { InjectionKey } from 'vue';
import type { SurfaceRuntime } from '../../surface/runtime.js';
import type { SurfaceHost } from '../surface-host.js';

/**
 * For `app.provide(surfaceRuntimeKey, runtime)`: the same as `provideSurfaceRuntime` for a whole application. Take it with
 * `useSurfaceRuntime()`, which has the core's type; `inject` knows only what both kinds of runtimes have.
 */
export const surfaceRuntimeKey: InjectionKey<SurfaceHost> = Symbol('SurfaceRuntime');

/**
 * Makes a runtime known to the components below this one. It does not end the runtime: who created it disposes of it.
 * Call it in `setup`.
 */
export function provideSurfaceRuntime(runtime: SurfaceHost): void {
  // A runtime has private fields, which no proxy of Vue's can reach.
  provide(surfaceRuntimeKey, toRaw(runtime));
}

/**
 * The runtime that was provided nearest above. Its type is the core's; name another where the page has one of
 * `oui-elements/compat`. Call it in `setup`.
 *
 * @throws {Error} when none was provided.
 */
export function useSurfaceRuntime<Runtime extends SurfaceHost = SurfaceRuntime>(): Runtime {
  const runtime = hasInjectionContext() ? inject(surfaceRuntimeKey, null) : null;
  if (runtime) return toRaw(runtime) as Runtime;
  throw new Error(
    'No surface runtime was provided above this component. Provide one for the application, '
      + 'app.provide(surfaceRuntimeKey, createSurfaceRuntime({ … })), or with provideSurfaceRuntime(runtime) in setup().',
  );
}
