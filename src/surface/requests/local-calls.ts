import type { EngineInput, InputOf } from '../../protocol/engine-messages.js';
import * as ERROR_CODES from '../../protocol/error-codes.js';
import { messageOf } from '../../protocol/error-message.js';
import type { OUIActionRequest, OUIActionResult, OUIError } from '../../protocol/events.js';
import * as LIMITS from '../../protocol/limits.js';
import type { ExecuteRequest } from '../definition/definition.js';
import type { Journal } from '../document/journal.js';
import { randomId } from '../../protocol/random-id.js';

interface LocalCall {
  readonly input: InputOf<'execute'>;
  readonly promise: Promise<OUIActionResult>;
  /** Engines that were lost with it before they had written it into the journal. */
  losses: number;
  end(result: OUIActionResult): void;
}

/** Requests of the page's own, by `runtime.execute` or from inside a handler. Each resolves once, whatever happens. */
export class LocalCalls {
  readonly #post: (inputs: readonly EngineInput[]) => void;
  readonly #journal: Journal;
  readonly #open = new Map<string, LocalCall>();

  constructor(post: (inputs: readonly EngineInput[]) => void, journal: Journal) {
    this.#post = post;
    this.#journal = journal;
  }

  /** `within`: the signal of the handler that runs it as part of itself. */
  execute(request: ExecuteRequest, within?: AbortSignal): Promise<OUIActionResult> {
    const { surfaceId, actionId, requestId = randomId(), approval, signal } = (request ?? {}) as Partial<ExecuteRequest>;
    const refuse = (code: string, message: string): Promise<OUIActionResult> =>
      Promise.resolve(failed(String(requestId), { code, message }));
    if (!isName(surfaceId) || !isName(actionId) || !isName(requestId)) {
      const given = `surfaceId is ${typeof surfaceId}, actionId ${typeof actionId}, requestId ${typeof requestId}`;
      const message = `execute takes { surfaceId, actionId, params?, requestId? }, all ids texts and not empty; ${given}.`;
      return refuse(ERROR_CODES.VALIDATION_ERROR, message);
    }
    if (approval !== undefined && !(isName(approval?.approvalId) && isName(approval.argsHash))) {
      return refuse(ERROR_CODES.VALIDATION_ERROR, 'The approval of execute takes { approvalId, argsHash }, both texts.');
    }
    const signals = [signal, within].filter((each) => each !== undefined);
    const open = this.#open.get(requestId);
    if (open) return open.promise;
    if (this.#journal.has(requestId)) {
      const message = `requestId "${requestId}" was used before; leave it out to get a fresh one.`;
      return refuse(ERROR_CODES.VALIDATION_ERROR, message);
    }
    if (signals.some(({ aborted }) => aborted)) return refuse(ERROR_CODES.CANCELLED, `"${actionId}" was withdrawn before it began.`);
    let params: unknown;
    try {
      // As it would come from an agent: plain data of its own, whether or not a worker stands between.
      params = request.params === undefined ? {} : JSON.parse(JSON.stringify(request.params));
    } catch (error) {
      return refuse(ERROR_CODES.VALIDATION_ERROR, `The params of "${actionId}" are not JSON: ${messageOf(error)}`);
    }
    const named = approval && { approvalId: approval.approvalId, argsHash: approval.argsHash };
    const wire: OUIActionRequest = {
      requestId, surfaceId, actionId, params, timestamp: Date.now(), ...(named && { approval: named }),
    };
    const input = { kind: 'execute', request: wire, nested: within !== undefined } as const;
    const withdraw = (): void => this.#post([{ kind: 'withdraw', requestId }]);
    let resolve: (result: OUIActionResult) => void;
    const promise = new Promise<OUIActionResult>((done) => (resolve = done));
    const end = (result: OUIActionResult): void => {
      for (const each of signals) each.removeEventListener('abort', withdraw);
      this.#open.delete(requestId);
      resolve(result);
    };
    this.#open.set(requestId, { input, promise, end, losses: 0 });
    for (const each of signals) each.addEventListener('abort', withdraw);
    this.#post([input]);
    return promise;
  }

  finish(requestId: string, result: OUIActionResult): void {
    this.#open.get(requestId)?.end(result);
  }

  /** Ends everything that is open with this error. A call that had not begun says so. */
  failAll(error: OUIError): void {
    for (const [requestId, call] of this.#open) {
      const begun = this.#journal.runs(requestId);
      this.#journal.close(requestId);
      call.end(failed(requestId, begun ? error : { ...error, details: { ran: false } }));
    }
  }

  /**
   * An engine was lost. A call with which several were lost before it was in the journal may be what ended them.
   * @returns those.
   */
  lost(): InputOf<'execute'>[] {
    const suspects: InputOf<'execute'>[] = [];
    for (const [requestId, call] of this.#open) {
      if (this.#journal.has(requestId)) continue;
      call.losses += 1;
      if (call.losses >= LIMITS.engineLosses) suspects.push(call.input);
    }
    return suspects;
  }

  /** Calls that no engine has taken into the journal yet, for a new one. */
  replay(): EngineInput[] {
    return [...this.#open].flatMap(([requestId, { input }]) => (this.#journal.has(requestId) ? [] : [input]));
  }
}

function failed(requestId: string, error: OUIError): OUIActionResult {
  return { requestId, success: false, error, timestamp: Date.now() };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
