import * as LIMITS from '../../../protocol/limits.js';
import type { SettleMoment, WorkKind } from '../../../protocol/inspection.js';
import type { Release } from '../../../protocol/ports.js';

/** A piece of work of the page. */
export interface Work {
  readonly kind: WorkKind;
  /** How long its timer waits, in ms. Absent: it is no timer. */
  readonly timerMs?: number;
}

/** Whom an action's work tells. */
export interface ActionWorkPorts {
  /** Monotonic ms. */
  now(): number;
  /** The last piece of work has ended: for now there is none. */
  rested(): void;
  /** Hears of each piece that begins and ends, when somebody wants to know. */
  readonly tell?: ((moment: SettleMoment) => void) | undefined;
}

/**
 * Work that has begun on the page since one action's handler started.
 *
 * Timers count when they are due within a second of the handler's return, or of the end of other work. So the timers
 * that an action sets are waited for, chains of them too, and a page that sets timers for ever is not.
 */
export class ActionWork {
  readonly #ports: ActionWorkPorts;
  readonly #open = new Set<Work>();
  #timersUntil = Infinity;
  /** Nobody asks any more. Idempotent. */
  readonly end: Release;

  constructor(ports: ActionWorkPorts, end: Release) {
    this.#ports = ports;
    this.end = end;
  }

  /** Pieces of work that are under way. */
  get size(): number {
    return this.#open.size;
  }

  get busy(): boolean {
    return this.size > 0;
  }

  /** The handler has returned. */
  returned(): void {
    this.#timersUntil = this.#ports.now() + LIMITS.trackedTimerMs;
  }

  /** @returns whether it counts for this action. */
  begun(work: Work): boolean {
    const { timerMs } = work;
    if (timerMs !== undefined) {
      if (timerMs > LIMITS.trackedTimerMs || this.#ports.now() + timerMs > this.#timersUntil) return false;
    }
    this.#open.add(work);
    this.#ports.tell?.({ kind: 'work', work: work.kind });
    return true;
  }

  ended(work: Work): void {
    if (!this.#open.delete(work)) return;
    this.#ports.tell?.({ kind: 'work-ended', work: work.kind });
    if (work.timerMs === undefined && this.#timersUntil !== Infinity) this.returned();
    if (!this.busy) this.#ports.rested();
  }
}
