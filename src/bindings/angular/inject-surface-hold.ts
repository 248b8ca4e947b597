import { assertInInjectionContext } from '@angular/core';
import type { SurfaceHost } from '../surface-host.js';
import { pageEffect, valueOf } from './page-effect.js';
import { injectSurfaceRuntime } from './provide-runtime.js';

/**
 * Keeps results of actions waiting while the component lives and `busy` is true: for work that neither mounting nor
 * observations show, such as data or a route's code that is still loading. At most the runtime's settle timeout; then
 * they are sent with `settled: false`. Call it in an injection context; in the component of a `@placeholder` or
 * `@loading` block, `injectSurfaceHold(true)` waits for what is deferred.
 *
 * @throws {Error} when no runtime was provided.
 */
export function injectSurfaceHold(busy: boolean | (() => boolean)): void {
  assertInInjectionContext(injectSurfaceHold);
  const runtime = injectSurfaceRuntime<SurfaceHost>();
  pageEffect(() => valueOf(busy), (held) => (held ? runtime.hold() : undefined));
}
