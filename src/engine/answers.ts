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
    if (entry.origin === 'agent') this.#deliver(entry, resultText(this.#context, entry, part), true);
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
      return;
    }
    entry.result = frame;
    this.#deliver(entry, frame);
  }

  fail(entry: LedgerEntry, error: OUIError): void {
    entry.failure = error;
    this.end(entry, { success: false, error, settled: true });
  }

  /** What an answered request came to may not be told any more. This is told instead, to whoever has not taken it yet. */
  retract(entry: LedgerEntry, error: OUIError): void {
    const interim = entry.interimHash === undefined ? undefined : false;
    entry.unsent = [];
    entry.failure = error;
    entry.result = resultText(this.#context, entry, { success: false, error, interim, settled: true });
    this.#context.touch(entry);
    this.#deliver(entry, entry.result);
  }

  /** A request id seen before (PROTOCOL.md §2.2). Never runs anything. */
  repeat(entry: LedgerEntry): void {
    if (entry.stage === 'gate') return;
    this.receipt(entry.requestId);
    if (entry.stage !== 'answered' || entry.acknowledged || entry.result === undefined) return;
    const age = entry.sentAt === undefined ? Infinity : this.#context.at.now - entry.sentAt;
    if (age >= this.#context.config.reanswerAfterMs) this.#deliver(entry, entry.result);
  }

  /** The agent's word on a result. A refused one goes again only when the agent asks for it. */
  onAck(ack: OUIAck): void {
    const entry = this.#context.ledger.get(ack.requestId);
    if (!entry || entry.stage !== 'answered' || ack.interim) return;
    if (ack.ok) this.#arrived(entry);
    else entry.refused = true;
  }

  /** A connection is there: what no transport has taken yet goes now. */
  flushUnsent(): void {
    for (const entry of this.#context.ledger.all()) {
      const frames = entry.unsent;
      entry.unsent = [];
      for (const { frame, interim } of frames) this.#deliver(entry, frame, interim);
    }
  }

  /** The peer acknowledges nothing: what was handed over counts as arrived. */
  onPlainPeer(): void {
    for (const entry of this.#context.ledger.all()) {
      if (entry.stage === 'answered' && !entry.acknowledged && entry.sentAt !== undefined) this.#arrived(entry);
    }
  }

  /** Another agent's end is there. What was meant for the last one is not for it. */
  dropUndelivered(): void {
    for (const entry of this.#context.ledger.all()) {
      if (entry.origin !== 'agent') continue;
      entry.unsent = [];
      entry.orphaned = true;
      if (entry.stage === 'answered' && !entry.acknowledged) this.#arrived(entry);
    }
  }

  /** The connection is gone: what was not acknowledged may not have arrived, and goes again on the next one. */
  onDisconnected(): void {
    for (const entry of this.#context.ledger.all()) {
      if (entry.stage !== 'answered' || entry.acknowledged || entry.sentAt === undefined) continue;
      delete entry.sentAt;
      if (entry.result !== undefined && !entry.refused) entry.unsent = [{ frame: entry.result, interim: false }];
    }
  }

  #deliver(entry: LedgerEntry, frame: JsonText, interim = false): void {
    if (entry.orphaned) {
      if (!interim) this.#arrived(entry);
      return;
    }
    if (!this.#context.peer.connected) {
      entry.unsent.push({ frame, interim });
      return;
    }
    this.#context.send(EVENT.result, frame);
    this.#context.touch(entry);
    if (interim) {
      entry.interimSent = true;
      return;
    }
    entry.sentAt = this.#context.at.now;
    // Without acknowledgments, handing the frame to a connected transport counts as one.
    if (this.#context.peer.acknowledges === 'no') this.#arrived(entry);
  }

  /** The result will not be asked for again: only its id is kept. */
  #arrived(entry: LedgerEntry): void {
    if (!entry.acknowledged && entry.interimSent && !entry.orphaned) this.#jobSettled(entry);
    entry.acknowledged = true;
    delete entry.result;
    delete entry.failure;
    this.unstore(entry);
    this.#context.touch(entry);
  }

  #jobSettled({ requestId, request, succeeded = false }: LedgerEntry): void {
    const { surfaceId, actionId, turnId } = request;
    const job = { requestId, ...(turnId === undefined ? {} : { turnId }), surfaceId, actionId, success: succeeded };
    this.#context.emit({ kind: 'job-settled', job });
  }

  /** Its data are not needed in the store any more. */
  unstore(entry: LedgerEntry): void {
    if (!entry.stored) return;
    delete entry.stored;
    this.#context.emit({ kind: 'unstore', key: storeKey(this.#context, entry) });
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

/** Under what the data of a request's outcome are kept. */
export function storeKey({ config }: EngineContext, { requestId }: LedgerEntry): string {
  return `${config.clientId ?? ''} ${requestId}`;
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
