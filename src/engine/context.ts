import type { EngineEffect } from '../protocol/engine-messages.js';
import type { JournalEntry } from '../protocol/journal-entry.js';
import type { EngineConfig } from '../protocol/engine-config.js';
import { PROTOCOL_POLICY } from '../protocol/engine-policy.js';
import type { EnginePolicy } from '../protocol/engine-policy.js';
import { isPureRead } from '../protocol/manifest.js';
import type { Moment, Validator } from '../protocol/ports.js';
import { isOwn, Ledger, type LedgerEntry } from './ledger.js';
import { Peer } from './peer.js';
import { RateLimit } from './rate-limit.js';
import { Registry } from './registry.js';
import { SurfaceQueue } from './surface-queue.js';

/** The engine's state, shared by its parts, and the list of effects that the present step comes to. */
export class EngineContext {
  readonly config: EngineConfig;
  readonly policy: EnginePolicy;
  readonly registry: Registry;
  readonly ledger: Ledger;
  readonly queue = new SurfaceQueue();
  readonly rate: RateLimit;
  readonly peer: Peer;
  /** The moment of the present step. */
  at: Moment;
  paused = false;
  /** The page has ended its runtime: nothing starts any more. */
  disposed = false;
  watchCalls = false;
  /** Unix epoch, ms: a request from before may have run without a trace here. */
  since: number;
  #effects: EngineEffect[] = [];
  readonly #touched = new Set<LedgerEntry>();

  constructor(config: EngineConfig, validator: Validator, at: Moment) {
    this.config = config;
    this.policy = { ...PROTOCOL_POLICY, ...config.policy };
    this.at = at;
    this.registry = new Registry(validator, config.form);
    this.ledger = new Ledger(config.dedupeWindow);
    this.since = config.journalSince ?? -Infinity;
    this.rate = new RateLimit(config.ratePerSecond, config.rateBurst);
    this.peer = new Peer(this);
  }

  emit(effect: EngineEffect): void {
    this.#effects.push(effect);
  }

  /** Sends one event. `slot` names frames of which only the newest must go. */
  send(type: string, payload: string, slot?: string): void {
    const { connection } = this.peer;
    this.emit({
      kind: 'send',
      type,
      payload,
      ...(slot === undefined ? {} : { slot }),
      ...(connection === undefined ? {} : { connection }),
    });
  }

  setTimer(key: string, ms: number): void {
    this.emit({ kind: 'set-timer', key, ms: Math.max(0, ms) });
  }

  clearTimer(key: string): void {
    this.emit({ kind: 'clear-timer', key });
  }

  /** The page is told of this entry at the end of the step, before anything of it is carried out. */
  touch(entry: LedgerEntry): void {
    this.#touched.add(entry);
  }

  /** Enters a request. What falls out of the ledger for it is not known any more, and neither is what came before it. */
  remember(entry: LedgerEntry): void {
    for (const old of this.ledger.add(entry)) {
      const { requestId, origin, receivedAt } = old;
      this.emit({ kind: 'forget', requestId });
      if (origin === 'agent' && !isRead(old)) this.since = Math.max(this.since, this.#wall(receivedAt));
    }
  }

  /** Ends the step. Journal entries come first: a handler never starts before its request is in the journal. */
  takeEffects(): EngineEffect[] {
    const effects: EngineEffect[] = [];
    for (const entry of this.#touched) {
      if (this.ledger.get(entry.requestId) === entry) effects.push({ kind: 'journal', entry: journalEntry(entry) });
    }
    this.#touched.clear();
    effects.push(...this.#effects);
    this.#effects = [];
    return effects;
  }

  /** A time of the monotonic clock on the system's. */
  #wall(at: number): number {
    return this.at.wall - (this.at.now - at);
  }
}

function isRead(entry: LedgerEntry): boolean {
  return isOwn(entry) || (entry.action ? isPureRead(entry.action) : entry.read === true);
}

function journalEntry(entry: LedgerEntry): JournalEntry {
  const { requestId, origin, request, receivedAt, deadlineAt, waits, approved, question } = entry;
  const { askingSince, argsHash, interimHash, interimSent, interimResult, result, stage, acknowledged } = entry;
  const { interimData, acknowledgeBy, jobUntil, awaits, dispatch, succeeded } = entry;
  const { failure, earlier, stored, noReceipt, asks } = entry;
  const ended = stage === 'answered';
  return {
    requestId,
    origin,
    // Once it is answered, the parameters have done their work, unless the user is still being asked about them.
    request: ended && question?.state !== 'pending' ? { ...request, params: null } : request,
    receivedAt,
    deadlineAt,
    stage: stage === 'settling' ? 'running' : stage,
    waits,
    ...(askingSince === undefined ? {} : { askingSince }),
    ...(argsHash === undefined ? {} : { argsHash }),
    ...(approved === undefined || ended ? {} : { approved }),
    ...(question === undefined ? {} : { question: { ...question } }),
    ...(asks === undefined ? {} : { asks }),
    ...(interimHash === undefined ? {} : { interimHash }),
    ...(interimSent === undefined ? {} : { interimSent }),
    ...(interimData === undefined ? {} : { interimData }),
    ...(acknowledgeBy === undefined ? {} : { acknowledgeBy }),
    ...(jobUntil === undefined ? {} : { jobUntil }),
    ...(awaits === undefined ? {} : { awaits }),
    ...(dispatch === undefined ? {} : { dispatch }),
    ...(succeeded === undefined ? {} : { succeeded }),
    ...(interimResult === undefined ? {} : { interimResult }),
    ...(result === undefined ? {} : { result }),
    ...(ended ? { acknowledged } : {}),
    ...(failure && { failure }),
    ...(isRead(entry) && { read: true }),
    ...(earlier && { earlier }),
    ...(stored && { stored }),
    ...(noReceipt && { noReceipt }),
  };
}
