import { createContext, createElement, useContext } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { SurfaceRuntime } from '../../surface/runtime.js';
import type { SurfaceHost } from '../surface-host.js';

const RuntimeContext = createContext<SurfaceHost | null>(null);
RuntimeContext.displayName = 'SurfaceRuntime';

export interface SurfaceRuntimeProviderProps {
  /** From `createSurfaceRuntime`; one for the page. Another one later takes over what is mounted. */
  readonly runtime: SurfaceHost;
  readonly children?: ReactNode;
}

/** Makes a runtime known to the hooks below it. It does not end the runtime: who created it disposes of it. */
export function SurfaceRuntimeProvider({ runtime, children }: SurfaceRuntimeProviderProps): ReactElement {
  return createElement(RuntimeContext.Provider, { value: runtime }, children);
}

/**
 * The runtime of the nearest provider. Its type is the core's; name another where the page has one of
 * `oui-elements/compat`.
 *
 * @throws {Error} when there is no provider above.
 */
export function useSurfaceRuntime<Runtime extends SurfaceHost = SurfaceRuntime>(): Runtime {
  const runtime = useContext(RuntimeContext);
  if (runtime) return runtime as Runtime;
  throw new Error(
    'There is no SurfaceRuntimeProvider above this component. Put one at the root of the page: '
      + '<SurfaceRuntimeProvider runtime={createSurfaceRuntime({ … })}>.',
  );
}
