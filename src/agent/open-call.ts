import { messageOf } from '../protocol/error-message.js';
import { EVENT, EXTENSION, type OUIEvent } from '../protocol/events.js';
import type { OUIActionResult, OUIApprovalNotice, OUIError } from '../protocol/events.js';
import { RESERVED_SURFACE_ID } from '../protocol/author-ids.js';
import { isAsyncAction } from '../protocol/manifest.js';
import type { Release } from '../protocol/ports.js';
import type { AgentCallOptions, AgentCallResult, AgentCallTarget } from './agent-types.js';
import * as errors from './call-errors.js';
import { CallPreparation } from './call-preparation.js';
import { callSafely } from '../protocol/listener-set.js';
import { inOurDialect } from './page-dialect.js';
import { SentRequest, type AnswerKind } from './sent-request.js';
import type { ActionPlace } from './tool-list.js';
import type { CallContext } from './call-context.js';

/** One call, from the caller's word to its result (PROTOCOL.md §10). */
export class OpenCall {
  readonly requestId: string;
  readonly result: Promise<AgentCallResult>;
  readonly #context: CallContext;
  readonly #preparation: CallPreparation;
  readonly #params: unknown;
  readonly #options: AgentCallOptions;
  readonly #ending = new AbortController();
  #resolve: (result: AgentCallResult) => void = () => {};
  #stopClock: Release = () => {};
  #ended = false;
  #sent: SentRequest | undefined;
  #revision = 0;
  /** The page publishes the status of its jobs: one has named this request. */
  #statusSeen = false;
  #acknowledgment: OUIActionResult | undefined;
  #pending: OUIApprovalNotice | undefined;
  /** Why the page did not take the copy that went out last. */
  #refusal: string | undefined;

  constructor(
    context: CallContext,
    requestId: string,
    target: AgentCallTarget,
    params: unknown,
    options: AgentCallOptions,
  ) {
    this.requestId = requestId;
    this.#context = context;
    this.#params = params;
    this.#options = options;
    this.#preparation = new CallPreparation(context, requestId, target, params, options, this.#ending.signal);
    this.result = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Sends at once where nothing stands in the way. */
  start(): void {
    const { signal, timeoutMs } = this.#options;
    if (signal?.aborted === true) {
      this.#onCancel();
      return;
    }
    signal?.addEventListener('abort', this.#onCancel);
    if (timeoutMs !== undefined) {
      this.#stopClock = this.#context.timers.setTimer(timeoutMs, () => this.#onLate(timeoutMs));
    }
    this.#preparation.run((place) => this.#send(place)).then(
      (error) => error && this.fail(error),
      (error: unknown) => {
        const reason = messageOf(error);
        this.abandon((actionId, sent) => errors.callFailed(actionId, sent, reason));
      },
    );
  }

  /** What a result means to this call. A repeat changes nothing. */
  kindOf(result: OUIActionResult): AnswerKind {
    return this.#sent?.kindOf(result) ?? 'repeat';
  }

  answer(result: OUIActionResult, kind: AnswerKind): void {
    if (!this.#sent || kind === 'repeat') return;
    if (kind === 'final') {
      this.#pending = undefined;
      this.#end(inOurDialect(result));
      this.#close();
      return;
    }
    this.#pending = undefined;
    this.#acknowledgment = result;
    this.#sent.acknowledge();
    if (this.#ended) this.#close();
    else this.#tell('onAcknowledged', (callback) => callback(result));
  }

  /** A result for this call came, and it cannot be read. A page that was told so sends it again in a smaller form. */
  unreadable(problem: string): void {
    if (this.#context.page.speaks('ack')) this.#sent?.refused(problem);
    else this.#endUnreadable(problem);
  }

  #endUnreadable(problem: string): void {
    this.fail(errors.unreadableAnswer(this.#preparation.surfaceId, this.#preparation.actionId, problem));
    this.#close();
  }

  receipt(ok: boolean, reason: string | undefined): void {
    if (!this.#sent) return;
    if (!ok && this.#options.approval && !this.#ended) {
      // Its grant may be on its way to the tab, or the page's turn: it is asked again until the time is over.
      this.#refusal = reason;
      this.#sent.turnedAway();
      return;
    }
    if (!ok) {
      this.fail(errors.notAccepted(this.#preparation.actionId, reason, this.#sent.mayRun));
      this.#close();
      return;
    }
    if (this.#sent.received()) this.#tell('onReceipt', (callback) => callback());
  }

  /** What the call brings along under this id, for as long as somebody waits for it. */
  attachment(id: string): Blob | undefined {
    const { attachments } = this.#options;
    return !this.#ended && attachments && Object.hasOwn(attachments, id) ? attachments[id] : undefined;
  }

  notice(notice: OUIApprovalNotice): void {
    if (this.#sent?.notice(notice) !== true) return;
    this.#pending = notice.state === 'pending' ? notice : undefined;
    this.#tell('onApproval', (callback) => callback(notice));
  }

  /** A job's status names this request. */
  heard(): void {
    this.#statusSeen = true;
    this.#sent?.heard();
  }

  progress(value: unknown): void {
    this.#tell('onProgress', (callback) => callback(value));
  }

  /** A surface was deregistered. What has been sent may still be answered: leaving is what many actions do. */
  surfaceGone(surfaceId: string): void {
    if (this.#ended || surfaceId !== this.#preparation.surfaceId) return;
    if (!this.#sent) this.fail(errors.surfaceLeft(surfaceId, this.#preparation.actionId));
    else if (this.#context.page.introduction === 'plain') this.#sent.doubt('The surface left the page');
  }

  /** A page that tells of its jobs names this one, or has lost it; from another, this is all that there is to hear. */
  surfaceBack(surfaceId: string): void {
    const enough = this.#context.page.introduction === 'plain' || !this.#statusSeen;
    if (enough && surfaceId === this.#preparation.surfaceId) this.#sent?.heard();
  }

  pageAway(): void {
    this.#sent?.pageAway();
  }

  pageBack(): void {
    this.#sent?.pageBack(!this.#ended && this.#context.page.speaks('receipt'));
  }

  /** Ends the call because the page, or the runtime, is gone for good. */
  abandon(errorFor: (actionId: string, sent: boolean) => OUIError): void {
    this.fail(errorFor(this.#preparation.actionId, this.#sent !== undefined));
    this.#close();
  }

  fail(error: OUIError): void {
    this.#end(errors.failedResult(this.requestId, error, this.#context.timers.wall()));
  }

  #send({ surface, action }: ActionPlace): void {
    const { page, timers, acknowledgmentMs } = this.#context;
    const { turnId, timeoutMs, approval } = this.#options;
    const knownSurfaces = this.#context.knownSurfaces();
    // The runtime's own actions are answered at once.
    const actionMs = surface.id === RESERVED_SURFACE_ID ? this.#context.pullMs : this.#context.actionMs;
    this.#revision = this.#context.revision();
    // A repeat of it is the same to the last character, its time too.
    const frame: OUIEvent = {
      type: EVENT.request,
      payload: {
        requestId: this.requestId,
        surfaceId: surface.id,
        actionId: action.id,
        params: this.#params,
        timestamp: timers.wall(),
        ...(turnId === undefined ? {} : { turnId }),
        ...(approval === undefined ? {} : { approval }),
        ...(knownSurfaces === undefined ? {} : { knownSurfaces }),
      },
    };
    this.#sent = new SentRequest(
      {
        timers,
        asynchronous: isAsyncAction(action),
        receipts: page.speaks('receipt'),
        plain: page.introduction === 'plain',
        // The caller's own time is for the whole call; this clock must not end it earlier.
        actionMs: Math.max(actionMs, timeoutMs ?? 0),
        acknowledgmentMs,
        clockOffset: page.clockOffset,
      },
      {
        resend: () => {
          this.#refusal = undefined;
          this.#context.send(frame);
        },
        silent: () => this.#context.silent(),
        turnOver: () => this.#preparation.leaveLine(),
        late: (awaited, ms) => {
          const { surfaceId, actionId } = this.#preparation;
          // Still refused at its last receipt: it did not run, and nothing of it is left in the page.
          const refused = awaited === 'receipt' && this.#refusal !== undefined;
          this.fail(refused
            ? errors.notAccepted(actionId, this.#refusal, false)
            : errors.timedOut(surfaceId, actionId, ms, awaited));
          this.#close();
        },
        lost: (why, ms) => {
          this.fail(errors.jobLost(this.#preparation.surfaceId, this.#preparation.actionId, why, ms));
          this.#close();
        },
        unreadable: (problem) => this.#endUnreadable(problem),
      },
    );
    this.#sent.start();
    this.#context.send(frame);
  }

  readonly #onCancel = (): void => {
    const told = this.#sent !== undefined && this.#context.page.speaks('cancel');
    if (told) this.#context.send({ type: EXTENSION.cancel, payload: { requestId: this.requestId } });
    this.fail(errors.cancelledByCaller(this.#preparation.actionId, this.#sent !== undefined, told));
  };

  #onLate(ms: number): void {
    const awaited = this.#sent?.awaited ?? this.#preparation.awaited;
    this.fail(errors.timedOut(this.#preparation.surfaceId, this.#preparation.actionId, ms, awaited));
  }

  /** Gives the caller its result. A page that still works on it keeps the surface's turn until it is done. */
  #end(result: OUIActionResult): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#stopClock();
    this.#options.signal?.removeEventListener('abort', this.#onCancel);
    this.#ending.abort();
    this.#sent?.unwanted(this.#context.givenUpMs);
    const changed = this.#sent && this.#context.changedSince(this.#revision);
    this.#resolve({
      requestId: this.requestId,
      result,
      ...(this.#acknowledgment === undefined ? {} : { acknowledgment: this.#acknowledgment }),
      changed: changed?.values ?? {},
      ...(changed !== undefined && changed.cuts.length > 0 && { cuts: changed.cuts }),
      ...(this.#pending === undefined ? {} : { approvalPending: this.#pending }),
    });
    if (this.#sent === undefined || !this.#preparation.inLine) this.#close();
  }

  #close(): void {
    this.#sent?.close();
    this.#preparation.leaveLine();
    this.#context.closed(this.requestId);
  }

  #tell<Name extends 'onReceipt' | 'onAcknowledged' | 'onProgress' | 'onApproval'>(
    name: Name,
    call: (callback: NonNullable<AgentCallOptions[Name]>) => void,
  ): void {
    const callback = this.#options[name];
    if (callback === undefined || this.#ended) return;
    callSafely(`The "${name}" callback of a call`, () => call(callback as NonNullable<AgentCallOptions[Name]>));
  }
}
