import { assertInInjectionContext, DestroyRef, inject, InjectionToken, makeEnvironmentProviders } from '@angular/core';
import type { EnvironmentProviders } from '@angular/core';
import type { SurfaceRuntime } from '../../surface/runtime.js';
import type { SurfaceHost } from '../surface-host.js';

const SURFACE_RUNTIME = new InjectionToken<SurfaceHost>('SurfaceRuntime');

/**
 * Makes a runtime known to an application, or to the routes and components below an environment injector:
 * `bootstrapApplication(App, { providers: [provideSurfaceRuntime(() => createSurfaceRuntime({ url }))] })`.
 * A runtime that a function creates, when it is first injected, is disposed of with the injector; one that is given as it
 * is stays its creator's to dispose of.
 */
export function provideSurfaceRuntime(
  runtime: SurfaceHost | (() => SurfaceHost & { dispose(): void }),
): EnvironmentProviders {
  if (typeof runtime !== 'function') return makeEnvironmentProviders([{ provide: SURFACE_RUNTIME, useValue: runtime }]);
  const useFactory = (): SurfaceHost => {
    const created = runtime();
    inject(DestroyRef).onDestroy(() => created.dispose());
    return created;
  };
  return makeEnvironmentProviders([{ provide: SURFACE_RUNTIME, useFactory }]);
}

/**
 * The runtime that was provided. Its type is the core's; name another where the page has one of `oui-elements/compat`.
 * Call it in an injection context.
 *
 * @throws {Error} when none was provided.
 */
export function injectSurfaceRuntime<Runtime extends SurfaceHost = SurfaceRuntime>(): Runtime {
  assertInInjectionContext(injectSurfaceRuntime);
  const runtime = inject(SURFACE_RUNTIME, { optional: true });
  if (runtime) return runtime as Runtime;
  throw new Error(
    'No surface runtime was provided. Add provideSurfaceRuntime(() => createSurfaceRuntime({ … })) '
      + 'to the providers of bootstrapApplication.',
  );
}
