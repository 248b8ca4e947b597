import type { HandlerOutcome } from '../../protocol/engine-messages.js';
import * as ERROR_CODES from '../../protocol/error-codes.js';
import type { OUIError } from '../../protocol/events.js';
import type { JsonText } from '../../protocol/json.js';
import * as LIMITS from '../../protocol/limits.js';
import type { Release } from '../../protocol/ports.js';
import { warnOnce } from '../../protocol/warn-once.js';
import * as WARNINGS from '../../protocol/warning-codes.js';
import type { ActionPolling } from '../definition/definition.js';
import { actionName, jsonText, returnedOutcome, thrownOutcome } from './outcome.js';
import type { PageTimers } from '../clock/page-timers.js';
import { PollLoop } from './poll-loop.js';
import type { RunnableMount } from './runnable-mount.js';
import { matchesFilter, resolveFilter } from './subscribe-filter.js';
import type { ResolvedFilter } from './subscribe-filter.js';

/** One job: where it was started, and how it is followed. */
export interface Job {
  readonly requestId: string;
  readonly surfaceId: string;
  readonly actionId: string;
  /** As it was when the handler was started; an update of the surface does not change it. */
  readonly polling: ActionPolling<never>;
  /** Fires when the engine has ended the job. */
  readonly signal: AbortSignal;
}

export interface FollowPorts {
  /** The mount that serves a surface id now. */
  serving(surfaceId: string): RunnableMount | undefined;
  status(requestId: string, value: JsonText): void;
  /** Listens for an event of the application's, where the connection has names for events. */
  awaitEvent(event: string): Release;
}

/**
 * Follows one job to its end (PROTOCOL.md §2, async actions): by looking, by waiting for an event, or both. Events are
 * heard from the moment it is made, before the handler starts: what they are compared with is known once it returned.
 */
export class FollowedJob {
  readonly #job: Job;
  readonly #where: string;
  readonly #timers: PageTimers;
  readonly #ports: FollowPorts;
  readonly #onEnd: () => void;
  /** Payloads that came before there was a filter. */
  #early: (JsonText | undefined)[] = [];
  #filter: ResolvedFilter | undefined;
  #loop: PollLoop | undefined;
  #resolve: ((outcome: HandlerOutcome) => void) | undefined;
  #target: EventTarget | undefined;
  readonly #stopAwaiting: Release | undefined;
  /** Set while the surface is away. */
  #cancelLeave: Release | undefined;
  #ended = false;

  constructor(job: Job, timers: PageTimers, ports: FollowPorts, onEnd: () => void) {
    this.#job = job;
    this.#where = actionName(job.actionId, job.surfaceId);
    this.#timers = timers;
    this.#ports = ports;
    this.#onEnd = onEnd;
    job.signal.addEventListener('abort', this.#onAbort);
    const event = job.polling.subscribe?.event;
    if (event !== undefined) this.#stopAwaiting = ports.awaitEvent(event);
    this.surfacesChanged();
  }

  /** The handler has returned this. Resolves with what the job comes to. */
  follow(dispatchResult: unknown): Promise<HandlerOutcome> {
    const { polling, signal, requestId, surfaceId } = this.#job;
    return new Promise((resolve) => {
      if (this.#ended) return resolve(thrownOutcome(signal.reason));
      this.#resolve = resolve;
      try {
        this.#filter = resolveFilter(polling.subscribe?.filter ?? {}, dispatchResult);
      } catch (error) {
        return this.#finish(thrownOutcome(error));
      }
      for (const payload of this.#early) this.#compare(this.#filter, payload);
      this.#early = [];
      if (this.#ended) return;
      if (polling.resolve) {
        this.#loop = new PollLoop(polling, dispatchResult, this.#where, this.#timers, {
          context: () => this.#ports.serving(surfaceId)?.getContext,
          status: (value) => this.#ports.status(requestId, value),
          end: (outcome) => this.#finish(outcome),
        });
      }
      this.surfacesChanged();
    });
  }

  /** An event of the application's, whether or not this job waits for it. */
  hear(event: string, payload: unknown): void {
    if (event !== this.#job.polling.subscribe?.event) return;
    const text = jsonText(payload, this.#where);
    if (this.#filter) return this.#compare(this.#filter, text);
    this.#early.push(text);
    if (this.#early.length <= LIMITS.bufferedEvents) return;
    this.#early.shift();
    const message = `More than ${LIMITS.bufferedEvents} events "${event}" came before the handler of ${this.#where} `
      + 'returned. The oldest were dropped; return from the handler as soon as the job has started.';
    warnOnce(WARNINGS.EVENTS_DROPPED, message, this.#where);
  }

  /** A surface came or went: perhaps this job's. */
  surfacesChanged(): void {
    if (this.#ended) return;
    const mount = this.#ports.serving(this.#job.surfaceId);
    this.#listen(mount?.target);
    // Until the handler has returned, it is the handler that runs on.
    if (!this.#resolve) return;
    if (!mount) {
      this.#cancelLeave ??= this.#timers.set(LIMITS.surfaceReturnMs, () => this.#finish(surfaceLeft(this.#job)));
    } else {
      this.#cancelLeave?.();
      this.#cancelLeave = undefined;
      this.#loop?.resume();
    }
  }

  /** Lets go of everything. Idempotent. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#loop?.stop();
    this.#cancelLeave?.();
    this.#listen(undefined);
    this.#stopAwaiting?.();
    this.#job.signal.removeEventListener('abort', this.#onAbort);
    this.#onEnd();
  }

  #finish(outcome: HandlerOutcome): void {
    if (this.#ended) return;
    this.end();
    this.#resolve?.(outcome);
  }

  readonly #onAbort = (): void => this.#finish(thrownOutcome(this.#job.signal.reason));

  readonly #onDomEvent = (event: Event): void => this.hear(event.type, (event as CustomEvent<unknown>).detail);

  #listen(target: EventTarget | undefined): void {
    const event = this.#job.polling.subscribe?.event;
    if (event === undefined || target === this.#target) return;
    this.#target?.removeEventListener(event, this.#onDomEvent);
    this.#target = target;
    target?.addEventListener(event, this.#onDomEvent);
  }

  #compare(filter: ResolvedFilter, text: JsonText | undefined): void {
    const payload: unknown = text === undefined ? undefined : JSON.parse(text);
    if (!this.#ended && matchesFilter(filter, payload)) this.#finish(this.#toldBy(payload));
  }

  /** A payload whose own `error` has a code and a message tells of a failure. */
  #toldBy(payload: unknown): HandlerOutcome {
    const { error } = (payload ?? {}) as { readonly error?: Partial<OUIError> | null };
    const failed = typeof error?.code === 'string' && typeof error.message === 'string';
    return returnedOutcome({ success: !failed, data: payload, ...(failed && { error }) }, this.#where);
  }
}

function surfaceLeft({ surfaceId, actionId }: Job): HandlerOutcome {
  const message = `Surface "${surfaceId}" left the page, and its job "${actionId}" is followed no longer. The job `
    + 'itself may go on.';
  return { success: false, error: { code: ERROR_CODES.SURFACE_UNAVAILABLE, message } };
}
