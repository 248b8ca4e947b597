import type { EngineEffect, EngineInput, HandlerOutcome } from '../protocol/engine-messages.js';
import * as ERROR_CODES from '../protocol/error-codes.js';
import type { OUIActionResult, OUIError } from '../protocol/events.js';
import type { ActionCall, DefinedSurface, ExecuteRequest } from './definition.js';
import type { Journal } from './journal.js';
import { jsonText, returnedOutcome, thrownOutcome } from './outcome.js';
import type { Settler } from './settle.js';

type RunEffect = Extract<EngineEffect, { kind: 'run' }>;

/** A mount, as far as running its handlers goes. */
export interface RunnableMount {
  readonly surface: DefinedSurface<never>;
  readonly getContext: () => never;
}

/** What the runner needs of its runtime. */
export interface RunnerPorts {
  mounted(mountId: number): RunnableMount | undefined;
  post(inputs: readonly EngineInput[]): void;
  /** Observations that changed and were not published yet. */
  takePending(): EngineInput[];
  /** A request from inside a handler, withdrawn when `within` fires. */
  execute(request: ExecuteRequest, within: AbortSignal): Promise<OUIActionResult>;
}

/** Runs handlers: from the engine's `run` to `returned` and `settled` (PROTOCOL.md §2, steps 12 and 14). */
export class RequestRunner {
  readonly #ports: RunnerPorts;
  readonly #journal: Journal;
  readonly #settler: Settler;
  readonly #running = new Map<string, AbortController>();

  constructor(ports: RunnerPorts, journal: Journal, settler: Settler) {
    this.#ports = ports;
    this.#journal = journal;
    this.#settler = settler;
  }

  /** Starts the handler, unless an earlier engine has started it already: then its outcome is on the way, or here. */
  run(effect: RunEffect): void {
    const { requestId } = effect;
    if (this.#running.has(requestId)) return;
    const ended = this.#journal.ended(requestId);
    if (ended.length > 0) return this.#ports.post(ended);
    const controller = new AbortController();
    this.#running.set(requestId, controller);
    void this.#carryOut(effect, controller.signal).finally(() => this.#running.delete(requestId));
  }

  /** The request has ended without its handler. The handler is told; what it still returns is of no account. */
  abort(requestId: string, error: OUIError): void {
    this.#running.get(requestId)?.abort(Object.assign(new Error(error.message), { name: 'AbortError', ...error }));
  }

  abortAll(error: OUIError): void {
    for (const requestId of this.#running.keys()) this.abort(requestId, error);
  }

  async #carryOut(effect: RunEffect, signal: AbortSignal): Promise<void> {
    const { requestId, settle } = effect;
    const noisy = this.#settler.noisyNow();
    const outcome = await this.#outcome(effect, signal);
    const returned: EngineInput = { kind: 'returned', requestId, outcome };
    this.#journal.returned(requestId, outcome);
    if (settle === 'none') return this.#settled(requestId, true, [returned]);
    // The engine hears at once that the handler is done: its clock is then the settling's.
    this.#ports.post([returned]);
    this.#settled(requestId, await this.#settler.settle(settle, noisy, signal), []);
  }

  /** Pending observations go before the end, so that a result never overtakes the update it caused. */
  #settled(requestId: string, settled: boolean, before: EngineInput[]): void {
    this.#journal.settled(requestId, settled);
    this.#ports.post([...before, ...this.#ports.takePending(), { kind: 'settled', requestId, settled }]);
  }

  async #outcome({ requestId, mountId, actionId, params }: RunEffect, signal: AbortSignal): Promise<HandlerOutcome> {
    const mount = this.#ports.mounted(mountId);
    if (!mount) {
      return notRun(ERROR_CODES.SURFACE_UNAVAILABLE, `"${actionId}" did not run: its surface left the page just before.`);
    }
    const action = mount.surface.actions.find(({ id }) => id === actionId);
    if (!action) {
      const why = `an update just before took it from surface "${mount.surface.id}"`;
      return notRun(ERROR_CODES.ACTION_NOT_FOUND, `"${actionId}" did not run: ${why}.`);
    }
    const where = `Action "${actionId}" of surface "${mount.surface.id}"`;
    const call: ActionCall = {
      requestId,
      signal,
      progress: (value) => {
        if (signal.aborted || !this.#running.has(requestId)) return;
        this.#ports.post([{ kind: 'progress', requestId, value: jsonText(value, where) ?? 'null' }]);
      },
      execute: (request) => this.#ports.execute(request, signal),
    };
    try {
      // Not within the engine's turn: a handler may mount, execute or dispose.
      await Promise.resolve();
      signal.throwIfAborted();
      return returnedOutcome(await action.handler(params as never, mount.getContext(), call), where);
    } catch (error) {
      return thrownOutcome(error);
    }
  }
}

function notRun(code: string, message: string): HandlerOutcome {
  return { success: false, error: { code, message, details: { ran: false } } };
}
