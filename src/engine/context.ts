import type { EngineConfig, EngineEffect, JournalEntry } from '../protocol/engine-messages.js';
import type { Moment, Validator } from '../protocol/ports.js';
import { Ledger, type LedgerEntry } from './ledger.js';
import { Peer } from './peer.js';
import { RateLimit } from './rate-limit.js';
import { Registry } from './registry.js';
import { SurfaceQueue } from './surface-queue.js';

/** The engine's state, shared by its parts, and the list of effects that the present step comes to. */
export class EngineContext {
  readonly config: EngineConfig;
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
  #effects: EngineEffect[] = [];
  readonly #touched = new Set<LedgerEntry>();

  constructor(config: EngineConfig, validator: Validator, at: Moment) {
    this.config = config;
    this.at = at;
    this.registry = new Registry(validator);
    this.ledger = new Ledger(config.dedupeWindow);
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
}

function journalEntry(entry: LedgerEntry): JournalEntry {
  const { requestId, origin, request, receivedAt, deadlineAt, waits, approved, question } = entry;
  const { askingSince, argsHash, interimHash, interimSent, result, stage, acknowledged } = entry;
  const { interimData, acknowledgeBy, jobUntil, awaits, dispatch, succeeded } = entry;
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
    ...(approved === undefined ? {} : { approved }),
    ...(question === undefined ? {} : { question: { ...question } }),
    ...(interimHash === undefined ? {} : { interimHash }),
    ...(interimSent === undefined ? {} : { interimSent }),
    ...(interimData === undefined ? {} : { interimData }),
    ...(acknowledgeBy === undefined ? {} : { acknowledgeBy }),
    ...(jobUntil === undefined ? {} : { jobUntil }),
    ...(awaits === undefined ? {} : { awaits }),
    ...(dispatch === undefined ? {} : { dispatch }),
    ...(succeeded === undefined ? {} : { succeeded }),
    ...(result === undefined ? {} : { result }),
    ...(ended ? { acknowledged } : {}),
  };
}
