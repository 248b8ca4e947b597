import * as LIMITS from '../protocol/limits.js';
import type { Release } from '../protocol/ports.js';
import type { AgentTimers } from './agent-types.js';

/**
 * When a request goes out again (PROTOCOL.md §10): at 1, 2, 4 and 8 s after sending while the page has given no
 * receipt, and every 8 s after that; every 10 s once it has, since a lost outcome comes only to who asks for it.
 * Runs only where the page gives receipts: it alone knows a repeat, and never runs one.
 */
export class Resends {
  readonly #timers: AgentTimers;
  readonly #send: () => void;
  #received = false;
  #running = false;
  #stopTimer: Release = () => {};

  constructor(timers: AgentTimers, send: () => void) {
    this.#timers = timers;
    this.#send = send;
  }

  /** The request, or the first repeat of it to a page that is back, leaves just now. */
  start(): void {
    this.#running = true;
    this.#received = false;
    this.#stopTimer();
    this.#stopTimer = this.#timers.setTimer(LIMITS.resendMs, () => this.#again(LIMITS.resendMs));
  }

  /** A receipt came. */
  received(): void {
    if (!this.#running || this.#received) return;
    this.#received = true;
    this.#stopTimer();
    this.#stopTimer = this.#timers.setTimer(LIMITS.receivedResendMs, () => this.#again(LIMITS.receivedResendMs));
  }

  stop(): void {
    this.#running = false;
    this.#stopTimer();
  }

  /** `since`: ms from sending, while there is no receipt. */
  #again(since: number): void {
    const wait = this.#received ? LIMITS.receivedResendMs : Math.min(since, LIMITS.resendMaxMs);
    this.#stopTimer = this.#timers.setTimer(wait, () => this.#again(since + wait));
    this.#send();
  }
}
