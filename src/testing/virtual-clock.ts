import type { AgentTimers } from '../agent/agent-types.js';
import * as LIMITS from '../protocol/limits.js';
import type { Moment, Release } from '../protocol/ports.js';
import type { PageClock } from '../surface/clock/clock.js';
import { consequences } from './event-loop.js';

interface Timer {
  readonly due: number;
  readonly ms: number;
  readonly callback: () => void;
}

/** Time that passes when a test says so: the page's, its engine's and the agent's. */
export class VirtualClock implements PageClock, AgentTimers {
  readonly #timers = new Set<Timer>();
  readonly #startedAt = Date.now();
  readonly #shortMs: number;
  #now = 0;

  /** @param shortMs waits up to this pass by themselves while somebody waits for an outcome */
  constructor(shortMs: number = LIMITS.quietMs) {
    this.#shortMs = shortMs;
  }

  now(): number {
    return this.#now;
  }

  /** Unix epoch, ms: that of the clock's start, and what has passed since. */
  wall(): number {
    return this.#startedAt + this.#now;
  }

  moment(): Moment {
    return { now: this.#now, wall: this.wall() };
  }

  setTimer(ms: number, callback: () => void): Release {
    const timer = { due: this.#now + Math.max(0, ms), ms, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  hasFrames(): boolean {
    return false;
  }

  /** Never asked for, since there are none. */
  frame(callback: () => void): Release {
    return this.setTimer(0, callback);
  }

  idle(callback: () => void): Release {
    return this.setTimer(0, callback);
  }

  /** Lets time pass, with everything that falls due and what follows from it, in order. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await consequences();
      const next = this.#earliest((timer) => timer.due <= end);
      if (!next) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.due);
      next.callback();
    }
    this.#now = end;
  }

  /** Lets the next short wait pass, if there is one. */
  async skipShortWait(): Promise<boolean> {
    const next = this.#earliest(({ ms }) => ms <= this.#shortMs);
    if (!next) return false;
    await this.advance(Math.max(0, next.due - this.#now));
    return true;
  }

  #earliest(wanted: (timer: Timer) => boolean): Timer | undefined {
    let earliest: Timer | undefined;
    for (const timer of this.#timers) {
      if (wanted(timer) && (!earliest || timer.due < earliest.due)) earliest = timer;
    }
    return earliest;
  }
}
