import { agentAddress } from './agent-address.js';
import { checkOptionTypes } from './option-types.js';
import { PageRuntime } from './page-runtime.js';
import type { SurfaceRuntimeOptions } from './runtime-options.js';
import type { RuntimeWiring, SurfaceRuntime } from './runtime.js';

/**
 * Creates the runtime of a page. Nothing is started before the first mount, attach, execute or forget.
 *
 * @throws {RangeError} naming the option that is out of its range. {TypeError} for one of another type, and for more than
 * one connection.
 */
export function createRuntime(options: SurfaceRuntimeOptions, wiring: RuntimeWiring): SurfaceRuntime {
  checkOptionTypes(options);
  const { url } = options;
  return new PageRuntime(url === undefined ? options : { ...options, url: agentAddress(url) }, wiring);
}
