import { getContext, setContext } from 'svelte';
import type { SurfaceRuntime } from '../../surface/runtime.js';
import type { SurfaceHost } from '../surface-host.js';

const KEY = Symbol('SurfaceRuntime');

/**
 * Makes a runtime known to this component and those below it. It does not end the runtime: who created it disposes of
 * it. Call it while the component is initialised.
 *
 * @returns the runtime.
 */
export function setSurfaceRuntime<Runtime extends SurfaceHost>(runtime: Runtime): Runtime {
  return setContext(KEY, runtime);
}

/**
 * The runtime that was set nearest above. Its type is the core's; name another where the page has one of
 * `oui-elements/compat`. Call it while a component is initialised.
 *
 * @throws {Error} when none was set.
 */
export function getSurfaceRuntime<Runtime extends SurfaceHost = SurfaceRuntime>(): Runtime {
  const runtime = getContext<Runtime | undefined>(KEY);
  if (runtime) return runtime;
  throw new Error(
    'No surface runtime was set above this component. Call setSurfaceRuntime(createSurfaceRuntime({ … })) '
      + 'in the script of the page\'s root component.',
  );
}
