import { EVENT, EXTENSION, type OUIAck, type OUIActionResult, type OUIError } from '../protocol/events.js';
import type { CallReport } from '../protocol/engine-messages.js';
import type { JsonText } from '../protocol/json.js';
import type { EngineContext } from './context.js';
import { resultText, type ResultPart } from './frames.js';
import type { LedgerEntry } from './ledger.js';

/** Sends what requests came to, and keeps it until it has arrived. */
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
    if (this.#context.ledger.get(requestId)) return;
    const result = { requestId, success: false, error, timestamp: this.#context.at.wall };
    this.#context.send(EVENT.result, JSON.stringify(result));
  }

  /** The acknowledgment of an async action. The page's own callers wait for the outcome instead. */
  acknowledge(entry: LedgerEntry, data: JsonText): void {
    entry.interimHash = this.#context.registry.hash();
    this.#context.touch(entry);
    const part: ResultPart = { success: true, data, interim: true, settled: true };
    if (entry.origin === 'agent') this.#deliver(entry, resultText(this.#context, entry, part));
    this.#report(entry, 'acknowledged', part);
  }

  /** The one outcome. Closes the entry. */
  end(entry: LedgerEntry, part: Omit<ResultPart, 'interim'>): void {
    const interim = entry.interimHash === undefined ? undefined : false;
    entry.stage = 'answered';
    const frame = resultText(this.#context, entry, { ...part, interim });
    this.#context.touch(entry);
    this.#report(entry, 'ended', part);
    if (entry.origin !== 'agent') {
      entry.acknowledged = true;
      const result = JSON.parse(frame) as OUIActionResult;
      this.#context.emit({ kind: 'executed', requestId: entry.requestId, result });
      return;
    }
    entry.result = frame;
    this.#deliver(entry, frame);
  }

  fail(entry: LedgerEntry, error: OUIError): void {
    this.end(entry, { success: false, error, settled: true });
  }

  /** A request id seen before (PROTOCOL.md §2.2). Never runs anything. */
  repeat(entry: LedgerEntry): void {
    if (entry.stage === 'gate') return;
    this.receipt(entry.requestId);
    if (entry.stage !== 'answered' || entry.acknowledged || entry.result === undefined) return;
    const age = entry.sentAt === undefined ? Infinity : this.#context.at.now - entry.sentAt;
    if (age >= this.#context.config.reanswerAfterMs) this.#deliver(entry, entry.result);
  }

  /** The agent's word on a result. A refused one stays unacknowledged: a repeat gets it again. */
  onAck(ack: OUIAck): void {
    const entry = this.#context.ledger.get(ack.requestId);
    if (!entry || entry.stage !== 'answered' || !ack.ok || ack.interim) return;
    entry.acknowledged = true;
    this.#context.touch(entry);
  }

  /** A connection is there: what no transport has taken yet goes now. */
  flushUnsent(): void {
    for (const entry of this.#context.ledger.all()) {
      const frames = entry.unsent;
      entry.unsent = [];
      for (const frame of frames) this.#deliver(entry, frame);
    }
  }

  /** The peer acknowledges nothing: what was handed over counts as arrived. */
  onV1Peer(): void {
    for (const entry of this.#context.ledger.all()) {
      if (entry.stage !== 'answered' || entry.acknowledged || entry.sentAt === undefined) continue;
      entry.acknowledged = true;
      this.#context.touch(entry);
    }
  }

  /** The connection is gone: what was not acknowledged may not have arrived, and goes again on the next one. */
  onDisconnected(): void {
    for (const entry of this.#context.ledger.all()) {
      if (entry.stage !== 'answered' || entry.acknowledged || entry.sentAt === undefined) continue;
      delete entry.sentAt;
      if (entry.result !== undefined) entry.unsent = [entry.result];
    }
  }

  #deliver(entry: LedgerEntry, frame: JsonText): void {
    if (!this.#context.peer.connected) {
      entry.unsent.push(frame);
      return;
    }
    this.#context.send(EVENT.result, frame);
    if (entry.stage !== 'answered') return;
    entry.sentAt = this.#context.at.now;
    // Without acknowledgments, handing the frame to a connected transport counts as one.
    if (this.#context.peer.kind === 'v1') entry.acknowledged = true;
    this.#context.touch(entry);
  }

  #report(entry: LedgerEntry, phase: CallReport['phase'], part: Omit<ResultPart, 'interim'>): void {
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

/** Tells the page's listeners of a moment in a call's life. */
export function report(
  context: EngineContext,
  entry: LedgerEntry,
  phase: CallReport['phase'],
  more: Pick<CallReport, 'params' | 'result'> = {},
): void {
  if (!context.watchCalls) return;
  const { requestId, origin, request } = entry;
  const { surfaceId, actionId } = request;
  context.emit({ kind: 'call', report: { phase, requestId, origin, surfaceId, actionId, ...more } });
}
