import type { SurfaceRuntime as CoreRuntime } from '../surface/runtime.js';
import { wireCode } from './policy.js';
import type { SurfaceRuntime } from './runtime-types.js';
import type { OUIActionResult } from './wire-types.js';

type Request = Parameters<SurfaceRuntime['execute']>[0];

/** Requests of the page's own, by id: one that comes again resolves as the first did. */
export class SeenExecutions {
  readonly #runtime: CoreRuntime;
  readonly #window: number;
  readonly #results = new Map<string, Promise<OUIActionResult>>();

  /** `window`: how many ids are remembered. */
  constructor(runtime: CoreRuntime, window: number) {
    this.#runtime = runtime;
    this.#window = window;
  }

  execute(request: Request): Promise<OUIActionResult> {
    const { requestId } = request;
    const seen = requestId === undefined ? undefined : this.#results.get(requestId);
    if (seen) return seen;
    const result = this.#run(request);
    if (requestId === undefined) return result;
    this.#results.set(requestId, result);
    for (const oldest of this.#results.keys()) {
      if (this.#results.size <= this.#window) break;
      this.#results.delete(oldest);
    }
    return result;
  }

  async #run(request: Request): Promise<OUIActionResult> {
    const { error, ...result } = await this.#runtime.execute(request);
    return { ...result, ...(error && { error: { ...error, code: wireCode(error.code) } }) } as OUIActionResult;
  }
}
