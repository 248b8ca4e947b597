import type { HandlerOutcome } from '../protocol/engine-messages.js';
import type { JsonText } from '../protocol/json.js';
import type { Answers } from './answers.js';
import type { EngineContext } from './context.js';
import { JobStatus } from './job-status.js';
import type { LedgerEntry } from './ledger.js';
import { findAction } from './registry.js';

/** Asynchronous actions, from their acknowledgment to their end (PROTOCOL.md §2, async actions). */
export class Jobs {
  readonly #context: EngineContext;
  readonly #answers: Answers;
  readonly #status: JobStatus;

  constructor(context: EngineContext, answers: Answers) {
    this.#context = context;
    this.#answers = answers;
    this.#status = new JobStatus(context);
  }

  /** `data`: the handler's, when it has returned by now; else the id under which the outcome will come. */
  acknowledge(entry: LedgerEntry, data: JsonText = JSON.stringify({ trackingId: entry.requestId })): void {
    delete entry.acknowledgeBy;
    entry.interimData = data;
    this.#startClock(entry);
    this.#answers.acknowledge(entry, data);
    this.#status.started(entry);
  }

  /** A job that an earlier engine had acknowledged. Nobody may have got that yet. */
  resume(entry: LedgerEntry): void {
    if (entry.interimSent) this.#status.started(entry);
    else this.acknowledge(entry, entry.interimData);
  }

  /** Its handler has returned, and the page follows it. */
  dispatched(entry: LedgerEntry, dispatch: JsonText | undefined): void {
    this.#context.touch(entry);
    if (dispatch !== undefined) entry.dispatch = dispatch;
    if (entry.action) return;
    // Of an earlier document: its surface has been mounted since.
    const mount = this.#context.registry.mounted(entry.request.surfaceId);
    const action = mount && findAction(mount.surface, entry.request.actionId);
    if (!action) return;
    entry.action = action;
    entry.mountId = mount.mountId;
    this.awaitEvent(entry);
    if (entry.interimHash !== undefined) this.#startClock(entry);
  }

  /** Notes which event ends the job. */
  awaitEvent(entry: LedgerEntry): void {
    const event = entry.action?.polling?.subscribe?.event;
    if (event !== undefined) entry.awaits = event;
  }

  progress(entry: LedgerEntry, value: JsonText): void {
    this.#status.progress(entry, value);
  }

  ended(entry: LedgerEntry, outcome: HandlerOutcome): void {
    entry.succeeded = outcome.success;
    this.#status.ended(entry, outcome);
  }

  /** What of an ended request nobody needs any more. */
  forget(entry: LedgerEntry): void {
    delete entry.interimData;
    delete entry.acknowledgeBy;
    delete entry.jobUntil;
    delete entry.awaits;
    delete entry.dispatch;
  }

  /** The jobs whose place a new one of the same action takes. */
  olderThan(entry: LedgerEntry): LedgerEntry[] {
    const { surfaceId, actionId } = entry.request;
    return this.#context.ledger.open().filter(
      ({ request, stage, requestId }) =>
        request.surfaceId === surfaceId &&
        request.actionId === actionId &&
        (stage === 'running' || stage === 'settling') &&
        requestId !== entry.requestId,
    );
  }

  /** A message of the application's own. The page gets it when a job waits for it. */
  onEvent(event: string, payload: unknown): void {
    const awaited = this.#context.ledger.open().some(({ stage, awaits }) => stage === 'running' && awaits === event);
    if (awaited) this.#context.emit({ kind: 'event', event, payload });
  }

  mounted(surfaceId: string): void {
    this.#status.mounted(surfaceId);
  }

  /** @returns whether the timer was a status's. */
  onTimer(key: string): boolean {
    return this.#status.onTimer(key);
  }

  #startClock(entry: LedgerEntry): void {
    const most = entry.action?.polling?.maxDurationMs;
    if (most !== undefined) entry.jobUntil ??= this.#context.at.now + most;
  }
}
