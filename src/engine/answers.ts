import { EVENT, EXTENSION, type OUIAck, type OUIActionResult, type OUIError } from '../protocol/events.js';
import type { CallReport } from '../protocol/engine-messages.js';
import type { JsonText } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import { clipText } from '../rules/clip-text.js';
import { trimResult } from '../rules/trim.js';
import { report } from './call-report.js';
import type { EngineContext } from './context.js';
import { resultText, wireError, type ResultPart } from './frames.js';
import type { LedgerEntry } from './ledger.js';
import { deleteData } from './stored-data.js';

/**
 * Sends what requests came to, and keeps it until it has arrived. An asynchronous request has two results, its
 * acknowledgment and its outcome: each is handed over until it is acknowledged, in that order.
 */
export class Answers {
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  receipt(requestId: string, refusal?: string): void {
    if (!this.#context.peer.speaks('receipt')) return;
    const receipt = refusal === undefined ? { requestId, ok: true } : { requestId, ok: false, reason: refusal };
    this.#context.send(EXTENSION.receipt, JSON.stringify(receipt));
  }

  /** Answers a message that could not be read as a request. One whose id is known says nothing about that request. */
  reject(requestId: string, error: OUIError): void {
    if (!this.#context.ledger.get(requestId)) this.refuse(requestId, error);
  }

  /** Answers what is not, and will not be, in the ledger. */
  refuse(requestId: string, error: OUIError): void {
    const { at } = this.#context;
    const result = { requestId, success: false, error: wireError(this.#context, error), timestamp: at.wall };
    this.#context.send(EVENT.result, JSON.stringify(result));
  }

  /** The acknowledgment of an async action. The page's own callers wait for the outcome instead. */
  acknowledge(entry: LedgerEntry, data: JsonText): void {
    entry.interimHash = this.#context.registry.hash();
    this.#context.touch(entry);
    const part: ResultPart = { success: true, data, interim: true, settled: true };
    if (entry.origin === 'agent' && !entry.orphaned) {
      entry.interimResult = resultText(this.#context, entry, part);
      this.#deliver(entry);
    }
    this.#tell(entry, 'acknowledged', part);
  }

  /** The one outcome. Closes the entry. */
  end(entry: LedgerEntry, part: Omit<ResultPart, 'interim'>): void {
    const interim = entry.interimHash === undefined ? undefined : false;
    entry.stage = 'answered';
    const frame = resultText(this.#context, entry, { ...part, interim });
    this.#context.touch(entry);
    this.#tell(entry, 'ended', part);
    delete entry.outcome;
    if (entry.origin !== 'agent') {
      this.#arrived(entry);
      const result = JSON.parse(frame) as OUIActionResult;
      this.#context.emit({ kind: 'executed', requestId: entry.requestId, result });
    } else if (entry.orphaned) {
      this.#arrived(entry);
    } else {
      entry.result = frame;
      this.#deliver(entry);
    }
  }

  fail(entry: LedgerEntry, error: OUIError): void {
    entry.failure = error;
    this.end(entry, { success: false, error, settled: true });
  }

  /** What an answered request came to may not be told any more. This is told instead, to whoever has not taken it yet. */
  retract(entry: LedgerEntry, error: OUIError): void {
    const interim = entry.interimHash === undefined ? undefined : false;
    entry.failure = error;
    entry.result = resultText(this.#context, entry, { success: false, error, interim, settled: true });
    delete entry.sentAt;
    this.#context.touch(entry);
    this.#deliver(entry);
  }

  /**
   * A request id seen before (PROTOCOL.md §2.2). Never runs anything. What was sent a while ago and not acknowledged
   * goes again: the outcome, or the acknowledgment of a job that still runs.
   */
  repeat(entry: LedgerEntry): void {
    if (entry.stage === 'gate') return;
    this.receipt(entry.requestId);
    const ended = entry.stage === 'answered';
    const sentAt = ended ? entry.sentAt : entry.interimSentAt;
    if (sentAt === undefined || this.#context.at.now - sentAt < this.#context.config.reanswerAfterMs) return;
    if (ended) delete entry.sentAt;
    else delete entry.interimSentAt;
    this.#deliver(entry);
  }

  /** The agent's word on a result. One that was refused goes again a step smaller (PROTOCOL.md §4). */
  onAck({ requestId, interim, ok, error, reason = error }: OUIAck): void {
    const entry = this.#context.ledger.get(requestId);
    // A refusal without a reason is none.
    if (!entry || (!ok && !reason)) return;
    if (interim ? entry.interimSentAt === undefined : entry.sentAt === undefined) return;
    if (!ok) this.#refused(entry, interim, clipText(reason!, LIMITS.errorMessageLength));
    else if (interim) this.#interimArrived(entry);
    else this.#arrived(entry);
  }

  /** A connection is there: what was not handed over on it goes now. */
  flushUnsent(): void {
    for (const entry of this.#context.ledger.all()) this.#deliver(entry);
  }

  /** The peer acknowledges nothing: what was handed over counts as arrived. */
  onPlainPeer(): void {
    for (const entry of this.#context.ledger.all()) {
      if (entry.interimSentAt !== undefined) this.#interimArrived(entry);
      if (entry.sentAt !== undefined) this.#arrived(entry);
    }
  }

  /** Another agent's end is there. What was meant for the last one is not for it. */
  dropUndelivered(): void {
    for (const entry of this.#context.ledger.all()) {
      if (entry.origin !== 'agent') continue;
      entry.orphaned = true;
      if (entry.stage !== 'answered') this.#interimArrived(entry);
      else if (!entry.acknowledged) this.#arrived(entry);
    }
  }

  /** The connection is gone: what was not acknowledged may not have arrived, and goes again on the next one. */
  onDisconnected(): void {
    for (const entry of this.#context.ledger.all()) {
      delete entry.interimSentAt;
      delete entry.sentAt;
    }
  }

  /** Hands over what has not been handed over on this connection, the acknowledgment first. */
  #deliver(entry: LedgerEntry): void {
    const { peer, at } = this.#context;
    if (!peer.connected) return;
    // Without acknowledgments, handing the frame to a connected transport counts as one.
    const counts = peer.acknowledges === 'no';
    if (entry.interimResult !== undefined && entry.interimSentAt === undefined) {
      this.#context.send(EVENT.result, entry.interimResult);
      entry.interimSentAt = at.now;
      entry.interimSent = true;
      this.#context.touch(entry);
      if (counts) this.#interimArrived(entry);
      else peer.awaitAck();
    }
    if (entry.result !== undefined && entry.sentAt === undefined) {
      this.#context.send(EVENT.result, entry.result);
      entry.sentAt = at.now;
      this.#context.touch(entry);
      if (counts) this.#arrived(entry);
      else peer.awaitAck();
    }
  }

  #refused(entry: LedgerEntry, interim: boolean, reason: string): void {
    const frame = interim ? entry.interimResult : entry.result;
    const smaller = trimResult(JSON.parse(frame!) as OUIActionResult, reason);
    if (smaller === undefined) {
      const { surfaceId, actionId } = entry.request;
      const message = `The agent's end refused the result of "${actionId}" on surface "${surfaceId}" in every form, `
        + `down to its outcome alone: ${reason}. Lower budgets.resultBytes to what that end takes.`;
      this.#context.emit({ kind: 'warn', code: WARNINGS.RESULT_REFUSED, message });
      if (interim) this.#interimArrived(entry);
      else this.#arrived(entry);
      return;
    }
    if (interim) {
      entry.interimResult = JSON.stringify(smaller);
      delete entry.interimSentAt;
    } else {
      entry.result = JSON.stringify(smaller);
      delete entry.sentAt;
    }
    this.#deliver(entry);
  }

  #interimArrived(entry: LedgerEntry): void {
    delete entry.interimResult;
    delete entry.interimSentAt;
    this.#context.touch(entry);
  }

  /** The result will not be asked for again: only its id is kept. */
  #arrived(entry: LedgerEntry): void {
    if (!entry.acknowledged && entry.interimSent && !entry.orphaned) this.#jobSettled(entry);
    entry.acknowledged = true;
    delete entry.result;
    delete entry.sentAt;
    delete entry.failure;
    deleteData(this.#context, entry);
    this.#interimArrived(entry);
  }

  #jobSettled({ requestId, request, succeeded = false }: LedgerEntry): void {
    const { surfaceId, actionId, turnId } = request;
    const job = { requestId, ...(turnId === undefined ? {} : { turnId }), surfaceId, actionId, success: succeeded };
    this.#context.emit({ kind: 'job-settled', job });
  }

  #tell(entry: LedgerEntry, phase: CallReport['phase'], part: Omit<ResultPart, 'interim'>): void {
    if (!this.#context.watchCalls) return;
    report(this.#context, entry, phase, {
      result: {
        success: part.success,
        ...(part.data === undefined ? {} : { data: JSON.parse(part.data) as unknown }),
        ...(part.error === undefined ? {} : { error: part.error }),
        durationMs: Math.round(this.#context.at.now - entry.receivedAt),
        settled: part.settled,
      },
    });
  }
}
