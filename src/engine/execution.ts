import * as ERROR_CODES from '../protocol/error-codes.js';
import type { HandlerOutcome, InputOf } from '../protocol/engine-messages.js';
import type { OUIError } from '../protocol/events.js';
import type { JsonText } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';
import { isAsyncAction, isPureRead } from '../protocol/manifest.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import { fillDefaults } from '../rules/fill-defaults.js';
import { argsHash } from '../rules/args-hash.js';
import type { Answers } from './answers.js';
import type { Approvals } from './approvals.js';
import type { Attachments } from './attachments.js';
import { report } from './call-report.js';
import type { EngineContext } from './context.js';
import type { Jobs } from './jobs.js';
import type { LedgerEntry } from './ledger.js';
import { RequestClock } from './request-clock.js';
import { loadData, storeData } from './stored-data.js';
import { jobOutOfTime, outOfTime, superseded } from './engine-errors.js';
import { findTarget, validate, type Target } from './target.js';

/** From the queue to the outcome (PROTOCOL.md §2, steps 10 to 14, and its one deadline). */
export class Execution {
  readonly #context: EngineContext;
  readonly #answers: Answers;
  readonly #approvals: Approvals;
  readonly #attachments: Attachments;
  readonly #jobs: Jobs;
  readonly #clock: RequestClock;
  readonly #ready: LedgerEntry[] = [];
  #starting = false;
  /** Called when a request has ended and nothing of it is left to do, or goes on as a job. */
  onReleased: (entry: LedgerEntry) => void = () => {};

  constructor(
    context: EngineContext,
    answers: Answers,
    approvals: Approvals,
    attachments: Attachments,
    jobs: Jobs,
  ) {
    this.#context = context;
    this.#answers = answers;
    this.#approvals = approvals;
    this.#attachments = attachments;
    this.#jobs = jobs;
    this.#clock = new RequestClock(context);
  }

  startClock(entry: LedgerEntry): void {
    this.#clock.start(entry);
  }

  enqueue(entry: LedgerEntry): void {
    this.startClock(entry);
    entry.stage = 'queued';
    this.#context.touch(entry);
    if (this.#skipsQueue(entry)) {
      this.#ready.push(entry);
    } else {
      entry.inQueue = true;
      if (this.#context.queue.enter(entry.request.surfaceId, entry.requestId)) this.#ready.push(entry);
    }
    this.#startReady();
  }

  /** A request whose handler an earlier engine had started: the page still runs it. */
  resume(entry: LedgerEntry): void {
    if (entry.interimHash !== undefined) {
      this.#jobs.resume(entry);
      this.startClock(entry);
      return;
    }
    if (!entry.earlier && !this.#skipsQueue(entry)) {
      entry.inQueue = true;
      this.#context.queue.resume(entry.request.surfaceId, entry.requestId);
    }
    this.startClock(entry);
  }

  /** The store has written down who uses the request's grant up: it alone, or another tab before it. */
  onClaimed(requestId: string, ok: boolean): void {
    const entry = this.#context.ledger.get(requestId);
    if (!entry || entry.grant !== 'asked') return;
    // Used up also when the request has ended meanwhile: what is written stands.
    const held = this.#approvals.grants.use(entry);
    entry.grant = ok && held ? 'held' : 'open';
    if (entry.stage === 'queued') this.#goOn(entry);
  }

  /** What the request names is open, or cannot be: it goes on, or ends with the reason. */
  onAttached(input: InputOf<'attached'>): void {
    const entry = this.#attachments.opened(input);
    if (!entry) return;
    if (input.error) this.abandon(entry, input.error);
    else this.#goOn(entry);
  }

  /** It has its turn already. */
  #goOn(entry: LedgerEntry): void {
    this.#ready.push(entry);
    this.#startReady();
  }

  onReturned({ requestId, outcome, keep, load }: InputOf<'returned'>): void {
    const entry = this.#context.ledger.get(requestId);
    if (!entry || entry.stage !== 'running') return;
    entry.outcome = outcome;
    entry.stage = 'settling';
    if (keep && outcome.data !== undefined) storeData(this.#context, entry, outcome.data);
    if (load !== undefined) loadData(this.#context, entry, load);
    // A look at this outcome may be what ended the engines before this one. An earlier document has had its look.
    if (entry.losses < LIMITS.engineLosses && !entry.earlier) this.#checkOutput(entry, outcome);
    this.startClock(entry);
  }

  /** A polling action's handler returned well: that is its acknowledgment, unless it came too late for that. */
  onDispatched({ requestId, data, dispatch }: InputOf<'dispatched'>): void {
    const entry = this.#context.ledger.get(requestId);
    if (!entry || entry.stage !== 'running') return;
    this.#jobs.dispatched(entry, dispatch);
    if (entry.interimHash === undefined) this.#acknowledge(entry, data);
    else this.startClock(entry);
  }

  /** The store has answered. */
  onLoaded(requestId: string, data: JsonText | undefined): void {
    const entry = this.#context.ledger.get(requestId);
    if (entry?.stage !== 'settling' || entry.loading === undefined || !entry.outcome) return;
    if (data === undefined) entry.lostBytes = entry.loading;
    else entry.outcome = { ...entry.outcome, data };
    delete entry.loading;
    if (entry.settledAs !== undefined) this.#finish(entry, entry.settledAs);
  }

  onSettled(requestId: string, settled: boolean): void {
    const entry = this.#context.ledger.get(requestId);
    if (!entry || entry.stage !== 'settling') return;
    if (entry.loading === undefined) this.#finish(entry, settled);
    else entry.settledAs = settled;
  }

  onProgress(requestId: string, value: string): void {
    const entry = this.#context.ledger.get(requestId);
    if (entry && entry.stage === 'running' && entry.interimHash !== undefined) this.#jobs.progress(entry, value);
  }

  /** @returns whether the timer was a deadline. */
  onTimer(key: string): boolean {
    const requestId = this.#clock.requestOf(key);
    if (requestId === undefined) return false;
    const entry = this.#context.ledger.get(requestId);
    // The clock stands while the user is being asked; it is set again when they have answered.
    if (!entry || entry.stage === 'answered' || entry.stage === 'approval') return true;
    const at = this.#clock.nextAt(entry);
    if (at === undefined) return true;
    if (this.#context.at.now < at) {
      this.startClock(entry);
    } else if (entry.stage === 'settling') {
      this.#finish(entry, false);
    } else if (entry.interimHash !== undefined) {
      this.abandon(entry, jobOutOfTime(entry.request.actionId, entry.action?.polling?.maxDurationMs));
    } else if (entry.acknowledgeBy !== undefined) {
      this.#acknowledge(entry);
    } else {
      const ran = entry.stage === 'running';
      this.abandon(entry, outOfTime(entry.request.actionId, this.#context.config.actionMs, ran));
    }
    return true;
  }

  /** Ends a request from outside, wherever it stands. What has returned already keeps its outcome. */
  abandon(entry: LedgerEntry, error: OUIError): void {
    if (entry.stage === 'answered') return;
    if (entry.stage === 'settling') {
      this.#finish(entry, false);
      return;
    }
    // A question that was asked at its turn, of a v1 agent's request, is there for the next one like it.
    if (entry.stage === 'approval') this.#approvals.withdraw(entry);
    const atWork = entry.stage === 'running' || entry.opening || entry.attachedFor;
    if (atWork) this.#context.emit({ kind: 'abort', requestId: entry.requestId, error });
    if (entry.interimHash !== undefined) this.#jobs.ended(entry, { success: false, error });
    this.#answers.fail(entry, error);
    this.close(entry);
  }

  /** Ends a request of an earlier document with this in place of its outcome. */
  drop(entry: LedgerEntry, error: OUIError): void {
    delete entry.loading;
    this.#answers.fail(entry, error);
    this.close(entry);
  }

  /** Gives back what an ended request held, and lets the next one of its surface start. */
  close(entry: LedgerEntry): void {
    this.#clock.stop(entry);
    this.#jobs.forget(entry);
    this.#leaveQueue(entry);
    this.onReleased(entry);
  }

  /** One after the other, however long the line: ending one request can make the next ones ready. */
  #startReady(): void {
    if (this.#starting) return;
    this.#starting = true;
    for (let entry = this.#ready.shift(); entry; entry = this.#ready.shift()) {
      if (entry.stage === 'queued') this.#start(entry);
    }
    this.#starting = false;
  }

  #start(entry: LedgerEntry): void {
    const target = this.#targetAtItsTurn(entry);
    if (target === 'asking') {
      // It is asked about now, since its action changed while it waited; it comes back to the end of the line.
      this.#leaveQueue(entry);
      return;
    }
    if ('code' in target) {
      this.abandon(entry, target);
      return;
    }
    const { mount, action } = target;
    const { policy } = this.#context;
    const { request } = entry;
    const params = policy.fillDefaults ? fillDefaults(action.input, request.params).params : request.params;
    if (this.#context.at.now >= this.#clock.due(entry)) {
      this.abandon(entry, outOfTime(action.id, this.#context.config.actionMs, false));
      return;
    }
    const attached = this.#attachments.open(entry, action, params);
    if (attached === 'opening') return;
    if (attached !== 'ready') {
      this.abandon(entry, attached);
      return;
    }
    if (entry.grant === 'open') {
      this.#approvals.grants.claim(entry);
      return;
    }
    if (mount.policies[action.id]?.singleFlight) {
      for (const older of this.#jobs.olderThan(entry)) this.abandon(older, superseded(action.id, entry.requestId));
    }
    entry.stage = 'running';
    if (entry.origin === 'agent' && !isPureRead(action)) this.#noteHash(entry);
    this.#context.touch(entry);
    report(this.#context, entry, 'started');
    if (action.polling) {
      // Its handler fails or says something first.
      entry.acknowledgeBy = Math.min(this.#context.at.now + policy.dispatchMs, this.#clock.due(entry));
      this.#jobs.awaitEvent(entry);
      this.startClock(entry);
    } else if (isAsyncAction(action) && policy.asyncAlone) {
      this.#jobs.acknowledge(entry);
      this.startClock(entry);
    }
    this.#context.emit({
      kind: 'run',
      requestId: entry.requestId,
      mountId: mount.mountId,
      actionId: action.id,
      params,
      settle: this.#clock.settleMode(entry),
    });
    if (entry.interimHash !== undefined) this.#leaveQueue(entry);
  }

  /** Steps 4 to 6 and 9 again, and step 8 for an action that has changed since. */
  #targetAtItsTurn(entry: LedgerEntry): Target | OUIError | 'asking' {
    const target = findTarget(this.#context, entry);
    if ('code' in target) return target;
    const changed = entry.action !== target.action;
    entry.action = target.action;
    entry.mountId = target.mount.mountId;
    const refusal = changed && validate(this.#context, entry, target);
    if (refusal) return refusal;
    const verdict = this.#approvals.check(entry, target.mount, target.action);
    return verdict === 'admitted' ? target : verdict;
  }

  /** The job goes on by itself: its surface's next request may start. */
  #acknowledge(entry: LedgerEntry, data?: JsonText): void {
    this.#jobs.acknowledge(entry, data);
    this.startClock(entry);
    this.#leaveQueue(entry);
    this.onReleased(entry);
  }

  #finish(entry: LedgerEntry, settled: boolean): void {
    const { success, data, error } = entry.outcome!;
    const lostBytes = entry.lostBytes ?? entry.loading;
    const failure: OUIError = error ?? { code: ERROR_CODES.EXECUTION_ERROR, message: 'The handler gave no reason.' };
    if (entry.interimHash !== undefined) this.#jobs.ended(entry, entry.outcome!);
    this.#answers.end(entry, { success, data, error: success ? undefined : failure, settled, lostBytes });
    this.close(entry);
  }

  /** For the journal, which keeps no parameters. Those that are not I-JSON have no hash. */
  #noteHash(entry: LedgerEntry): void {
    try {
      entry.argsHash ??= argsHash(entry.request.params);
    } catch {
      return;
    }
  }

  #leaveQueue(entry: LedgerEntry): void {
    if (!entry.inQueue) return;
    entry.inQueue = false;
    const next = this.#context.queue.leave(entry.request.surfaceId, entry.requestId);
    const waiting = next === undefined ? undefined : this.#context.ledger.get(next);
    if (waiting) this.#ready.push(waiting);
    this.#startReady();
  }

  #skipsQueue(entry: LedgerEntry): boolean {
    if (entry.origin === 'nested' || this.#context.policy.concurrent) return true;
    const { mount, action } = this.#placed(entry);
    return (action && isPureRead(action)) || mount?.surface.concurrent === true;
  }

  /** Output that does not fit is a warning beside the result, never a lost outcome. */
  #checkOutput(entry: LedgerEntry, outcome: HandlerOutcome): void {
    const { mount, action } = this.#placed(entry);
    if (!mount || !action || action.output === undefined || !outcome.success || outcome.data === undefined) return;
    const where = `"${action.id}" on surface "${mount.surface.id}"`;
    let problem: string | undefined;
    try {
      problem = this.#context.registry.schemaOf(mount, action, 'output')(JSON.parse(outcome.data))[0]?.message;
    } catch (error) {
      problem = `the schema is broken: ${(error as Error).message}`;
    }
    if (problem === undefined) return;
    const message = `What ${where} returned does not fit its output schema: ${problem}. It was sent as it is.`;
    this.#context.emit({ kind: 'warn', code: WARNINGS.OUTPUT_MISMATCH, message });
  }

  #placed(entry: LedgerEntry) {
    const mount = entry.mountId === undefined ? undefined : this.#context.registry.byMount(entry.mountId);
    return { mount, action: entry.action };
  }
}
