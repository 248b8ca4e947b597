import type { OUIActionResult, OUIApprovalNotice } from '../protocol/events.js';
import * as LIMITS from '../protocol/limits.js';
import type { Release } from '../protocol/ports.js';
import type { AgentTimers } from './agent-types.js';
import type { Awaited } from './call-outcomes.js';

export interface SentRequestSettings {
  readonly timers: AgentTimers;
  /** The action says that it answers twice. */
  readonly asynchronous: boolean;
  /** The page sends receipts. */
  readonly receipts: boolean;
  /** The page speaks v1. */
  readonly plain: boolean;
  readonly actionMs: number;
  readonly acknowledgmentMs: number;
  /** The page's clock less ours, ms. */
  readonly clockOffset: number;
}

export interface SentRequestEvents {
  /** No receipt for a while: the page may be frozen. */
  silent(): void;
  /** The next action of the surface may start. */
  turnOver(): void;
  /** The deadline has passed. */
  late(awaited: Awaited, ms: number): void;
  /** A job of which no word came although one was due. */
  lost(why: string, ms: number): void;
}

/** What a result means to its request. */
export type AnswerKind = 'acknowledgment' | 'final' | 'repeat';

/**
 * A request on its way: which answer comes next, and how long it may take (specification §7.5, PROTOCOL.md §10).
 * The clock starts anew with the receipt, and stands while the page asks its user.
 */
export class SentRequest {
  readonly #settings: SentRequestSettings;
  readonly #events: SentRequestEvents;
  readonly #next: 'acknowledgment' | 'result';
  #awaited: Awaited;
  #acknowledged = false;
  #stopClock: Release = () => {};
  #stopSilence: Release = () => {};
  #askingUntil: number | undefined;

  constructor(settings: SentRequestSettings, events: SentRequestEvents) {
    this.#settings = settings;
    this.#events = events;
    this.#next = settings.asynchronous ? 'acknowledgment' : 'result';
    this.#awaited = settings.receipts ? 'receipt' : this.#next;
  }

  get awaited(): Awaited {
    return this.#awaited;
  }

  /** Just before the request leaves. */
  start(): void {
    this.#await(this.#awaited);
    if (!this.#settings.receipts) return;
    this.#stopSilence = this.#settings.timers.setTimer(LIMITS.frozenHintMs, () => this.#events.silent());
  }

  received(): void {
    this.#stopSilence();
    if (this.#awaited === 'receipt') this.#await(this.#next);
  }

  /** The page asks its user, or has an answer. @returns whether the notice has a meaning at this point. */
  notice({ state, expiresAt }: OUIApprovalNotice): boolean {
    if (this.#acknowledged) return false;
    this.#stopSilence();
    if (state !== 'pending') {
      if (this.#awaited === 'approval') this.#await(this.#next);
      return true;
    }
    const { timers, actionMs, clockOffset } = this.#settings;
    // However often a page asks, all its questions together get no longer than one may.
    this.#askingUntil ??= timers.now() + LIMITS.approvalMaxMs;
    const longest = Math.max(0, this.#askingUntil - timers.now());
    const open = Math.min(Math.max(0, expiresAt - clockOffset - timers.wall()), longest);
    this.#await('approval', open + actionMs);
    this.#events.turnOver();
    return true;
  }

  /** What this result is, before anything is made of it. */
  kindOf(result: OUIActionResult): AnswerKind {
    if (result.interim === true) return this.#acknowledged ? 'repeat' : 'acknowledgment';
    return !this.#acknowledged && this.#isPlainAcknowledgment(result) ? 'acknowledgment' : 'final';
  }

  /** The page does the work now and answers when it is done; that takes what it takes. */
  acknowledge(): void {
    this.#acknowledged = true;
    this.#awaited = 'result';
    this.#stopSilence();
    this.#stopClock();
    this.#events.turnOver();
  }

  /** The connection is gone: silence means nothing now. */
  pageAway(): void {
    this.#stopSilence();
  }

  /** Whether a job goes on is in doubt: without a word of it for a while, it is given up. */
  doubt(why: string): void {
    if (!this.#acknowledged) return;
    const { timers, actionMs } = this.#settings;
    this.#stopClock();
    this.#stopClock = timers.setTimer(actionMs, () => this.#events.lost(why, actionMs));
  }

  /** Word of a job. */
  heard(): void {
    if (this.#acknowledged) this.#stopClock();
  }

  close(): void {
    this.#stopSilence();
    this.#stopClock();
  }

  #await(awaited: Awaited, ms: number = this.#settings[this.#limit()]): void {
    this.#awaited = awaited;
    this.#stopClock();
    this.#stopClock = this.#settings.timers.setTimer(ms, () => this.#events.late(this.#awaited, ms));
  }

  #limit(): 'acknowledgmentMs' | 'actionMs' {
    return this.#next === 'acknowledgment' ? 'acknowledgmentMs' : 'actionMs';
  }

  /**
   * A page that follows the first specification to the letter answers an async action twice and marks neither
   * answer. The reference's pages mark them, or answer once, and always send a hash: that tells them apart.
   */
  #isPlainAcknowledgment({ success, interim, surfacesHash }: OUIActionResult): boolean {
    const { asynchronous, plain } = this.#settings;
    return asynchronous && plain && success && interim === undefined && surfacesHash === undefined;
  }
}
