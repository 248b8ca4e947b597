import { useEffect } from 'react';
import { useSurfaceRuntime } from './runtime-context.js';
import type { SurfaceHost } from '../surface-host.js';

/**
 * Keeps results of actions waiting while `busy`: for work that neither mounting nor observations show, such as data or
 * a route's code that is still loading. At most the runtime's settle timeout; then they are sent with `settled: false`.
 * In the fallback of a `<Suspense>`, `useSurfaceHold(true)` waits for what is suspended.
 *
 * @throws {Error} when there is no `SurfaceRuntimeProvider` above.
 */
export function useSurfaceHold(busy: boolean): void {
  const runtime = useSurfaceRuntime<SurfaceHost>();
  useEffect(() => (busy ? runtime.hold() : undefined), [runtime, busy]);
}
