import * as ERROR_CODES from '../protocol/error-codes.js';
import { EVENT, type OUIEvent } from '../protocol/events.js';
import type { Release } from '../protocol/ports.js';
import { AgentReadError } from './agent-read-error.js';
import type { AgentTimers } from './agent-types.js';
import { clipped } from './clipped.js';
import { randomId } from '../protocol/random-id.js';

interface OpenRead {
  readonly promise: Promise<unknown>;
  readonly surfaceId: string;
  resolve(value: unknown): void;
  reject(error: AgentReadError): void;
  readonly stopClock: Release;
}

export interface ObservationReadsOptions {
  readonly timers: AgentTimers;
  /** ms until an observation that was asked for must have come. */
  readonly pullMs: number;
  send(event: OUIEvent): void;
}

/** Observations that were asked for and have not come yet (specification §5.3.3). */
export class ObservationReads {
  readonly #options: ObservationReadsOptions;
  readonly #open = new Map<string, OpenRead>();

  constructor(options: ObservationReadsOptions) {
    this.#options = options;
  }

  /** Asks the page. Who asks while the answer is on its way gets the same one. */
  request(surfaceId: string, observationId: string): Promise<unknown> {
    const key = keyOf(surfaceId, observationId);
    const running = this.#open.get(key);
    if (running) return running.promise;
    const { timers, pullMs, send } = this.#options;
    let resolve: OpenRead['resolve'] = () => {};
    let reject: OpenRead['reject'] = () => {};
    const promise = new Promise<unknown>((fulfil, fail) => {
      resolve = fulfil;
      reject = fail;
    });
    const stopClock = timers.setTimer(pullMs, () => {
      this.#open.delete(key);
      const what = `"${clipped(observationId)}" of surface "${clipped(surfaceId)}"`;
      const message = `The page did not answer with observation ${what} within ${pullMs / 1000} s.`;
      reject(new AgentReadError(ERROR_CODES.TIMEOUT, message));
    });
    this.#open.set(key, { promise, surfaceId, resolve, reject, stopClock });
    send({
      type: EVENT.observationRequest,
      payload: { surfaceId, observationId, requestId: randomId(), timestamp: timers.wall() },
    });
    return promise;
  }

  /** An update came. The protocol has no id to match it with: any update of that observation is the answer. */
  answer(surfaceId: string, observationId: string, value: unknown): void {
    const key = keyOf(surfaceId, observationId);
    const read = this.#open.get(key);
    if (!read) return;
    this.#open.delete(key);
    read.stopClock();
    read.resolve(value);
  }

  /** Ends the open reads of one surface, or all of them. */
  fail(message: string, surfaceId?: string): void {
    for (const [key, read] of [...this.#open]) {
      if (surfaceId !== undefined && read.surfaceId !== surfaceId) continue;
      this.#open.delete(key);
      read.stopClock();
      read.reject(new AgentReadError(ERROR_CODES.SURFACE_UNAVAILABLE, message));
    }
  }
}

/** Ids have no spaces where their author follows the specification; the length in front keeps others apart too. */
function keyOf(surfaceId: string, observationId: string): string {
  return `${surfaceId.length} ${surfaceId} ${observationId}`;
}
