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
    this.emit(slot === undefined ? { kind: 'send', type, payload } : { kind: 'send', type, payload, slot });
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
  const { requestId, origin, request, receivedAt, interimHash, result } = entry;
  const common = {
    requestId,
    origin,
    receivedAt,
    ...(interimHash === undefined ? {} : { interimHash }),
  };
  if (entry.stage === 'answered') {
    // The parameters have done their work; only the outcome is needed for a repeat.
    return {
      ...common,
      state: 'answered',
      request: { ...request, params: null },
      ...(result === undefined ? {} : { result }),
      acknowledged: entry.acknowledged,
    };
  }
  const started = entry.stage === 'running' || entry.stage === 'settling';
  return { ...common, state: started ? 'running' : 'pending', request };
}
