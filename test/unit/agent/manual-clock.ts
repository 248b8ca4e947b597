import type { AgentTimers } from '../../../src/agent/agent-types.js';

/** Timers that run when the test says so. */
export class ManualClock implements AgentTimers {
  #now = 1_000;
  #timers = new Map<number, { readonly at: number; readonly callback: () => void }>();
  #next = 1;
  /** The wall clock less the steady one. */
  wallOffset = 1_700_000_000_000;

  get open(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now;
  }

  wall(): number {
    return this.#now + this.wallOffset;
  }

  setTimer(ms: number, callback: () => void): () => void {
    const id = this.#next++;
    this.#timers.set(id, { at: this.#now + ms, callback });
    return () => void this.#timers.delete(id);
  }

  /** Lets time pass; timers run in the order in which they are due. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
      if (!due) break;
      this.#timers.delete(due[0]);
      this.#now = Math.max(this.#now, due[1].at);
      due[1].callback();
    }
    this.#now = end;
  }
}
