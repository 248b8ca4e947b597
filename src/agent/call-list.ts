import { RESERVED_SURFACE_ID } from '../protocol/author-ids.js';
import type { OUIError } from '../protocol/events.js';
import { isJsonObject } from '../protocol/shape.js';
import type { AgentCallOptions, AgentCallResult, AgentCallTarget } from './agent-types.js';
import { failedResult, tooManyCalls } from './call-errors.js';
import type { CallContext } from './call-context.js';
import type { CallRate } from './call-rate.js';
import { OpenCall } from './open-call.js';
import { copyParams } from './params-check.js';
import { randomId } from '../protocol/random-id.js';

/** The calls of one runtime that are open, by request id. */
export class CallList {
  readonly #context: CallContext;
  readonly #open = new Map<string, OpenCall>();
  readonly #rate: CallRate;

  constructor(context: Omit<CallContext, 'closed'>, rate: CallRate) {
    this.#rate = rate;
    this.#context = { ...context, closed: (requestId) => void this.#open.delete(requestId) };
  }

  start(target: AgentCallTarget, params: unknown, options: AgentCallOptions): Promise<AgentCallResult> {
    const requestId = randomId();
    // The runtime's own actions read a large value page after page, one at a time.
    const own = typeof target !== 'string' && target.surfaceId === RESERVED_SURFACE_ID;
    const copy = own || this.#rate.take() ? copyParams(params) : tooManyCalls(this.#rate);
    if ('code' in copy) {
      const result = failedResult(requestId, copy, this.#context.timers.wall());
      return Promise.resolve({ requestId, result, changed: {} });
    }
    const call = new OpenCall(this.#context, requestId, target, copy.params, options);
    this.#open.set(requestId, call);
    call.start();
    return call.result;
  }

  get(requestId: string): OpenCall | undefined {
    return this.#open.get(requestId);
  }

  /** A job's status (PROTOCOL.md §2): the newest change, and which other jobs of the action are open. */
  status(value: unknown): void {
    if (!isJsonObject(value)) return;
    const { jobs, ...own } = value;
    for (const requestId of Object.keys(isJsonObject(jobs) ? jobs : {})) this.#open.get(requestId)?.heard();
    const call = typeof own['requestId'] === 'string' ? this.#open.get(own['requestId']) : undefined;
    call?.heard();
    call?.progress(own);
  }

  each(visit: (call: OpenCall) => void): void {
    for (const call of [...this.#open.values()]) visit(call);
  }

  abandonAll(errorFor: (actionId: string, sent: boolean) => OUIError): void {
    this.each((call) => call.abandon(errorFor));
  }
}
