import type { EffectOf, EngineInput, HandlerOutcome, InputOf, SettleMode } from '../../protocol/engine-messages.js';
import type { JournalEntry } from '../../protocol/journal-entry.js';
import * as ERROR_CODES from '../../protocol/error-codes.js';
import type { OUIActionResult, OUIError } from '../../protocol/events.js';
import type { Release } from '../../protocol/ports.js';
import type { ActionCall, ActionDefinition, ExecuteRequest } from '../definition/definition.js';
import type { Attachments } from './attachments.js';
import { JobFollower } from './job-follower.js';
import type { Journal } from '../document/journal.js';
import { actionPolicy } from '../definition/manifest.js';
import { actionName, dispatchResultOf, jsonText, returnedOutcome, thrownOutcome } from './outcome.js';
import { parseParams } from './parsed-params.js';
import type { PageTimers } from '../clock/page-timers.js';
import type { Settler } from '../settle/settle.js';
import type { SettleListener, SettleWatch } from '../settle/settle-watch.js';
import type { RunnableMount } from './runnable-mount.js';

/** What the runner needs of its runtime. */
export interface RunnerPorts {
  mounted(mountId: number): RunnableMount | undefined;
  /** The mount that serves a surface id now. */
  serving(surfaceId: string): RunnableMount | undefined;
  post(inputs: readonly EngineInput[]): void;
  /** Listens for an event that a job waits for, where the connection has names for events. */
  awaitEvent(event: string): Release;
  /** Observations that changed and were not published yet. */
  takePending(): EngineInput[];
  /** Takes down why a call's result waits, when somebody wants to know. */
  explain?(requestId: string): SettleListener | undefined;
  /** Kept for handlers that have not started. */
  readonly attachments: Attachments;
  /** A request from inside a handler, withdrawn when `within` fires. */
  execute(request: ExecuteRequest, within: AbortSignal): Promise<OUIActionResult>;
}

/** A handler that has ended; or one that started a job, which is to be followed now. */
interface Handled {
  readonly outcome: HandlerOutcome;
  readonly job?: { readonly dispatchResult: unknown; readonly resumable: boolean; follow(): Promise<HandlerOutcome> };
}

/**
 * Runs handlers, and follows the jobs that they start: from the engine's `run` to `returned` and `settled`
 * (PROTOCOL.md §2, steps 12 and 14, and async actions).
 */
export class RequestRunner {
  readonly #ports: RunnerPorts;
  readonly #journal: Journal;
  readonly #settler: Settler;
  readonly #follower: JobFollower;
  readonly #running = new Map<string, AbortController>();

  constructor(ports: RunnerPorts, journal: Journal, settler: Settler, timers: PageTimers) {
    this.#ports = ports;
    this.#journal = journal;
    this.#settler = settler;
    this.#follower = new JobFollower(timers, {
      serving: (surfaceId) => ports.serving(surfaceId),
      awaitEvent: (event) => ports.awaitEvent(event),
      status: (requestId, value) => ports.post([{ kind: 'progress', requestId, value }]),
    });
  }

  get attachments(): Attachments {
    return this.#ports.attachments;
  }

  /** Starts the handler, unless an earlier engine has started it already: then its outcome is on the way, or here. */
  run(effect: EffectOf<'run'>): void {
    const { requestId } = effect;
    if (this.#running.has(requestId)) return;
    const ended = this.#journal.ended(requestId);
    if (ended.length > 0) return this.#ports.post(ended);
    this.#begin(requestId, (signal) => this.#carryOut(effect, signal));
  }

  /**
   * Goes on with a `resumable` job of an earlier document, once a surface with its action is mounted. The engine must
   * have the entry already; it is told how the job ends as of any other.
   */
  resume(entry: JournalEntry): void {
    this.#begin(entry.requestId, (signal) => this.#goOn(entry, signal));
  }

  /** An event of the application's: open jobs may wait for it. */
  hear(event: string, payload: unknown): void {
    this.#follower.hear(event, payload);
  }

  /** A surface was mounted, unmounted or updated. */
  surfacesChanged(): void {
    this.#follower.surfacesChanged();
  }

  /** The request has ended without its handler. The handler is told; what it still returns is of no account. */
  abort(requestId: string, error: OUIError): void {
    this.attachments.close(requestId);
    this.#running.get(requestId)?.abort(Object.assign(new Error(error.message), { name: 'AbortError', ...error }));
  }

  /** The request is another document's now: its handler is told, and what it comes to is of no account. */
  drop(requestId: string, error: OUIError): void {
    this.abort(requestId, error);
    this.#running.delete(requestId);
  }

  abortAll(error: OUIError): void {
    for (const requestId of this.#running.keys()) this.abort(requestId, error);
    this.attachments.closeAll();
  }

  #begin(requestId: string, work: (signal: AbortSignal) => Promise<void>): void {
    const controller = new AbortController();
    this.#running.set(requestId, controller);
    void work(controller.signal).finally(() => {
      if (this.#isCurrent(requestId, controller.signal)) this.#running.delete(requestId);
    });
  }

  #watch(requestId: string, settle: SettleMode, signal: AbortSignal): SettleWatch {
    return this.#settler.watch(settle, signal, this.#ports.explain?.(requestId));
  }

  #isCurrent(requestId: string, signal: AbortSignal): boolean {
    return this.#running.get(requestId)?.signal === signal;
  }

  async #carryOut(effect: EffectOf<'run'>, signal: AbortSignal): Promise<void> {
    const { requestId, settle } = effect;
    const watch = this.#watch(requestId, settle, signal);
    const { outcome, job } = await this.#handle(effect, signal);
    if (!this.#isCurrent(requestId, signal)) return watch.end();
    if (!job) return this.#end(requestId, outcome, settle, watch, signal);
    // A job may take hours; what it leads to is watched from its end on.
    watch.end();
    const dispatch = job.resumable
      ? jsonText(job.dispatchResult, `The job of "${effect.actionId}"`) ?? 'null'
      : undefined;
    this.#dispatched({
      kind: 'dispatched',
      requestId,
      ...(outcome.data !== undefined && { data: outcome.data }),
      ...(dispatch !== undefined && { dispatch }),
    });
    const end = await job.follow();
    await this.#end(requestId, end, settle, this.#watch(requestId, settle, signal), signal);
  }

  async #goOn({ requestId, request, dispatch = 'null' }: JournalEntry, signal: AbortSignal): Promise<void> {
    const { surfaceId, actionId } = request;
    const action = await this.#follower.awaitAction(surfaceId, actionId, signal);
    if (signal.aborted) return;
    let outcome = leftBehind(actionId);
    if (action?.polling) {
      this.#dispatched({ kind: 'dispatched', requestId, dispatch });
      const { polling } = action;
      const followed = this.#follower.begin({ requestId, surfaceId, actionId, polling, signal });
      outcome = await followed.follow(JSON.parse(dispatch));
    }
    const settle = action ? actionPolicy(action).settle : 'quiet';
    await this.#end(requestId, outcome, settle, this.#watch(requestId, settle, signal), signal);
  }

  /** Pending observations go first here too: the acknowledgment carries the page as the handler left it. */
  #dispatched(input: InputOf<'dispatched'>): void {
    this.#journal.dispatched(input);
    this.#ports.post([...this.#ports.takePending(), input]);
  }

  async #end(
    requestId: string,
    outcome: HandlerOutcome,
    settle: SettleMode,
    watch: SettleWatch,
    signal: AbortSignal,
  ): Promise<void> {
    if (!this.#isCurrent(requestId, signal)) return watch.end();
    const returned = this.#journal.returned(requestId, outcome);
    if (settle === 'none') return this.#settled(requestId, true, [returned]);
    // The engine hears at once that the handler is done: its clock is then the settling's. And what the handler changed:
    // whatever ends the request from now on, by a stop or a deadline too, answers with it.
    this.#ports.post([...this.#ports.takePending(), returned]);
    const settled = await watch.settled();
    if (this.#isCurrent(requestId, signal)) this.#settled(requestId, settled, []);
  }

  /** Pending observations go before the end, so that a result never overtakes the update it caused. */
  #settled(requestId: string, settled: boolean, before: EngineInput[]): void {
    this.#journal.settled(requestId, settled);
    this.#ports.post([...before, ...this.#ports.takePending(), { kind: 'settled', requestId, settled }]);
  }

  async #handle(effect: EffectOf<'run'>, signal: AbortSignal): Promise<Handled> {
    const { requestId, mountId, actionId } = effect;
    const attached = this.attachments.take(requestId);
    const mount = this.#ports.mounted(mountId);
    if (!mount) {
      const message = `"${actionId}" did not run: its surface left the page just before.`;
      return notRun(ERROR_CODES.SURFACE_UNAVAILABLE, message);
    }
    const action = mount.surface.actions.find(({ id }) => id === actionId);
    if (!action) {
      const why = `an update just before took it from surface "${mount.surface.id}"`;
      return notRun(ERROR_CODES.ACTION_NOT_FOUND, `"${actionId}" did not run: ${why}.`);
    }
    const { polling, resumable = false } = action;
    const surfaceId = mount.surface.id;
    const followed = polling && this.#follower.begin({ requestId, surfaceId, actionId, polling, signal });
    const call = this.#actionCall(effect, surfaceId, signal);
    const { value, outcome } = await this.#call(action, mount, { params: effect.params, attached }, call);
    const goesOn = polling?.resolve !== undefined || polling?.subscribe !== undefined;
    if (!goesOn || !outcome.success) followed?.end();
    if (!followed || !outcome.success) return { outcome };
    const dispatchResult = dispatchResultOf(value);
    const follow = () => (goesOn ? followed.follow(dispatchResult) : Promise.resolve(outcome));
    return { outcome, job: { dispatchResult, resumable, follow } };
  }

  async #call(
    action: ActionDefinition<never>,
    mount: RunnableMount,
    { params, attached }: { readonly params: unknown; readonly attached: (params: unknown) => unknown },
    call: ActionCall,
  ): Promise<{ readonly value?: unknown; readonly outcome: HandlerOutcome }> {
    try {
      // Not within the engine's turn: a handler may mount, execute or dispose.
      // A library's schema has the ids, as the wire does.
      const parsed = await parseParams(action, params);
      if (parsed.error) return { outcome: { success: false, error: parsed.error } };
      call.signal.throwIfAborted();
      // The engine knows what was so a moment ago; the handler must not start on it.
      const refusal = mount.refusalNow(action);
      if (refusal) return { outcome: { success: false, error: refusal } };
      const value: unknown = await action.handler(attached(parsed.params) as never, mount.getContext(), call);
      return { value, outcome: returnedOutcome(value, actionName(action.id, mount.surface.id)) };
    } catch (error) {
      return { outcome: thrownOutcome(error) };
    }
  }

  #actionCall({ requestId, actionId }: EffectOf<'run'>, surfaceId: string, signal: AbortSignal): ActionCall {
    return {
      requestId,
      signal,
      progress: (value) => {
        if (signal.aborted || !this.#running.has(requestId)) return;
        const text = jsonText(value, actionName(actionId, surfaceId)) ?? 'null';
        this.#ports.post([{ kind: 'progress', requestId, value: text }]);
      },
      execute: (request) => this.#ports.execute(request, signal),
    };
  }
}

function notRun(code: string, message: string): Handled {
  return { outcome: { success: false, error: { code, message, details: { ran: false } } } };
}

/** The page was reloaded while the job went on, and nothing is there any more to follow it with. */
function leftBehind(actionId: string): HandlerOutcome {
  const message = `The page was loaded anew while the job of "${actionId}" went on, and its surface has not come back.`;
  return {
    success: false,
    error: { code: ERROR_CODES.SURFACE_UNAVAILABLE, message, details: { ran: 'unknown' } },
  };
}
