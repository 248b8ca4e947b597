import type { OUIActionResult, OUIApprovalNotice } from '../protocol/events.js';
import * as LIMITS from '../protocol/limits.js';
import type { Release } from '../protocol/ports.js';
import type { AgentTimers } from './agent-types.js';
import type { Awaited } from './call-errors.js';
import { Resends } from './resends.js';

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
  /** The same request is to go out again. */
  resend(): void;
  /** No receipt for a while: the page may be frozen. */
  silent(): void;
  /** The next action of the surface may start. */
  turnOver(): void;
  /** The deadline has passed. */
  late(awaited: Awaited, ms: number): void;
  /** A job of which no word came although one was due. */
  lost(why: string, ms: number): void;
  /** The result was refused, and no smaller one came in its place. */
  unreadable(problem: string): void;
}

/** What a result means to its request. */
export type AnswerKind = 'acknowledgment' | 'final' | 'repeat';

/**
 * A request on its way: which answer comes next, how long it may take, and when it goes out again (specification
 * §7.5, PROTOCOL.md §10). The clock starts anew with the receipt, and stands while the page asks its user or is away.
 */
export class SentRequest {
  readonly #settings: SentRequestSettings;
  readonly #events: SentRequestEvents;
  readonly #next: 'acknowledgment' | 'result';
  readonly #resends: Resends;
  /** The page, as it is on this connection, gives receipts. */
  #receipts: boolean;
  #awaited: Awaited;
  /** A receipt came, if only of an earlier document. */
  #taken = false;
  /** It went out more than once. */
  #repeated = false;
  #acknowledged = false;
  #stopClock: Release = () => {};
  #stopSilence: Release = () => {};
  /** What the page said of its question to the user, while that is open. */
  #question: OUIApprovalNotice | undefined;
  #askingUntil: number | undefined;
  /** A result was refused, and its smaller form has not come. */
  #refused = false;
  #longestMs = Infinity;

  constructor(settings: SentRequestSettings, events: SentRequestEvents) {
    this.#settings = settings;
    this.#events = events;
    this.#next = settings.asynchronous ? 'acknowledgment' : 'result';
    this.#receipts = settings.receipts;
    this.#awaited = settings.receipts ? 'receipt' : this.#next;
    this.#resends = new Resends(settings.timers, () => this.#resend());
  }

  get awaited(): Awaited {
    return this.#awaited;
  }

  /** Whether it may run although the page refuses it: it was taken before, or another copy of it is under way. */
  get mayRun(): boolean {
    return this.#taken || this.#repeated;
  }

  /** Just before the request leaves. */
  start(): void {
    this.#await(this.#awaited);
    if (this.#receipts) this.#expectReceipt();
  }

  /** @returns whether it is the first. */
  received(): boolean {
    const first = !this.#taken;
    this.#taken = true;
    this.#stopSilence();
    this.#resends.received();
    if (this.#refused) return first;
    if (this.#awaited === 'receipt') this.#await(this.#next);
    // It knows of the request, and what it knows of has not ended.
    this.heard();
    return first;
  }

  /** The page did not take it this time, and reacts: it goes out again as long as there is no other receipt. */
  turnedAway(): void {
    this.#stopSilence();
  }

  /** The page asks its user, or has an answer. @returns whether the notice has a meaning at this point. */
  notice(notice: OUIApprovalNotice): boolean {
    if (this.#acknowledged) return false;
    this.#stopSilence();
    if (notice.state === 'pending') {
      this.#question = notice;
      // However often a page asks, all its questions together get no longer than one may.
      this.#askingUntil ??= this.#settings.timers.now() + LIMITS.approvalMaxMs;
      this.#awaitUser(notice);
      this.#events.turnOver();
    } else {
      this.#question = undefined;
      if (this.#awaited === 'approval') this.#await(this.#next);
    }
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
    this.#question = undefined;
    this.#refused = false;
    this.#awaited = 'result';
    this.#taken = true;
    this.#stopSilence();
    this.#stopClock();
    this.#resends.received();
    this.#events.turnOver();
  }

  /** A result was refused: the page sends a smaller one, if it is one that does. */
  refused(problem: string): void {
    this.#refused = true;
    this.#stopSilence();
    this.#stopClock();
    this.#stopClock = this.#settings.timers.setTimer(LIMITS.trimmedResultMs, () => this.#events.unreadable(problem));
  }

  /** The connection is gone: silence means nothing now, and every clock stands. */
  pageAway(): void {
    this.#stopSilence();
    this.#stopClock();
    this.#resends.stop();
  }

  /**
   * The page is back, and may need its whole time again. `receipts`: it gives them on this connection; then it is
   * asked at once what became of the request. It knows it, or says that nobody can know.
   */
  pageBack(receipts: boolean): void {
    this.#receipts = receipts;
    this.#refused = false;
    if (this.#acknowledged) this.doubt('The page was away');
    else if (this.#question) this.#awaitUser(this.#question);
    else this.#await(receipts ? 'receipt' : this.#next);
    if (!receipts) return;
    this.#expectReceipt();
    this.#resend();
  }

  /** Nobody wants the outcome any more: it is not asked for, and waited for no longer than this. */
  unwanted(longestMs: number): void {
    this.#resends.stop();
    if (longestMs === Infinity || this.#acknowledged) return;
    this.#longestMs = longestMs;
    this.#await(this.#awaited);
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
    if (this.#acknowledged && !this.#refused) this.#stopClock();
  }

  close(): void {
    this.#stopSilence();
    this.#stopClock();
    this.#resends.stop();
  }

  #resend(): void {
    this.#repeated = true;
    this.#events.resend();
  }

  #expectReceipt(): void {
    this.#resends.start();
    this.#stopSilence();
    this.#stopSilence = this.#settings.timers.setTimer(LIMITS.frozenHintMs, () => this.#events.silent());
  }

  #awaitUser({ expiresAt }: OUIApprovalNotice): void {
    const { timers, actionMs, clockOffset } = this.#settings;
    const longest = Math.max(0, (this.#askingUntil ?? 0) - timers.now());
    const open = Math.min(Math.max(0, expiresAt - clockOffset - timers.wall()), longest);
    this.#await('approval', open + actionMs);
  }

  #await(awaited: Awaited, ms: number = this.#settings[this.#limit()]): void {
    this.#awaited = awaited;
    this.#stopClock();
    const time = Math.min(ms, this.#longestMs);
    this.#stopClock = this.#settings.timers.setTimer(time, () => this.#events.late(this.#awaited, time));
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
