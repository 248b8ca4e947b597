import * as LIMITS from '../protocol/limits.js';
import type { Release } from '../protocol/ports.js';
import type { AgentTimers } from './agent-types.js';

/**
 * The wait for a page that is known by its `clientId` and went away, and then for the surfaces it had: a document says
 * hello before it has put them up (PROTOCOL.md §10). Calls and reads that find nothing meanwhile wait as long.
 */
export class PageReturn {
  readonly #timers: AgentTimers;
  readonly #awayMs: number;
  /** `away`: no word of it. `returning`: it has said hello. */
  #phase: 'none' | 'away' | 'returning' = 'none';
  #stopClock: Release = () => {};
  #changed: () => void = () => {};
  #change: Promise<void> | undefined;

  /** @param awayMs how long a page that went away is waited for */
  constructor(timers: AgentTimers, awayMs: number) {
    this.#timers = timers;
    this.#awayMs = awayMs;
  }

  get away(): boolean {
    return this.#phase === 'away';
  }

  /** The page went. `gone` is called when it did not come back in time; going again meanwhile gives no more time. */
  begin(gone: () => void): void {
    if (this.#phase === 'away') return;
    this.#enter('away', this.#awayMs, () => {
      this.end();
      gone();
    });
  }

  /** It is back. */
  returned(): void {
    this.#enter('returning', LIMITS.surfaceReturnMs, () => this.end());
  }

  /** A surface came. */
  surfaceCame(): void {
    this.#wake();
  }

  /** Nothing is waited for. */
  end(): void {
    this.#stopClock();
    this.#phase = 'none';
    this.#wake();
  }

  /** The next thing to happen in the wait, its end too; undefined when there is no wait. Never rejects. */
  next(): Promise<void> | undefined {
    if (this.#phase === 'none') return undefined;
    this.#change ??= new Promise((resolve) => {
      this.#changed = resolve;
    });
    return this.#change;
  }

  #enter(phase: 'away' | 'returning', ms: number, over: () => void): void {
    this.#stopClock();
    this.#phase = phase;
    this.#stopClock = this.#timers.setTimer(ms, over);
    this.#wake();
  }

  #wake(): void {
    this.#change = undefined;
    this.#changed();
  }
}
