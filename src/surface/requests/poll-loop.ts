import type { HandlerOutcome } from '../../protocol/engine-messages.js';
import * as ERROR_CODES from '../../protocol/error-codes.js';
import type { JsonText } from '../../protocol/json.js';
import type { Release } from '../../protocol/ports.js';
import type { ActionPolling, PollAnswer } from '../definition/definition.js';
import { jsonText, returnedOutcome, thrownOutcome } from './outcome.js';
import type { PageTimers } from '../clock/page-timers.js';

export interface PollPorts {
  /** Gives the context to look with; `undefined` while the surface is away. */
  context(): (() => never) | undefined;
  status(value: JsonText): void;
  end(outcome: HandlerOutcome): void;
}

/** Looks at a job until it has ended. Looks never overlap, and none is taken while the surface is away. */
export class PollLoop {
  readonly #polling: ActionPolling<never>;
  readonly #dispatchResult: unknown;
  /** The action, for messages. */
  readonly #where: string;
  readonly #timers: PageTimers;
  readonly #ports: PollPorts;
  #looks = 0;
  /** A look was due while the surface was away. */
  #missed = false;
  #stopped = false;
  #cancel: Release = () => {};

  constructor(
    polling: ActionPolling<never>,
    dispatchResult: unknown,
    where: string,
    timers: PageTimers,
    ports: PollPorts,
  ) {
    this.#polling = polling;
    this.#dispatchResult = dispatchResult;
    this.#where = where;
    this.#timers = timers;
    this.#ports = ports;
    this.#schedule(polling.intervalMs);
  }

  /** The surface is there again. */
  resume(): void {
    if (!this.#missed) return;
    this.#missed = false;
    this.#schedule(0);
  }

  /** Idempotent. A look that is under way comes to nothing. */
  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  #schedule(ms: number): void {
    this.#cancel = this.#timers.set(ms, () => void this.#look());
  }

  async #look(): Promise<void> {
    const context = this.#ports.context();
    if (!context) {
      this.#missed = true;
      return;
    }
    this.#looks += 1;
    const { done, data, error } = await this.#ask(context);
    if (this.#stopped) return;
    if (done) return this.#ports.end(returnedOutcome({ success: !error, data, error }, this.#where));
    const status = jsonText(data, this.#where);
    if (status !== undefined) this.#ports.status(status);
    const { maxAttempts = Infinity, intervalMs } = this.#polling;
    if (this.#looks < maxAttempts) return this.#schedule(intervalMs);
    const message = `The job of ${this.#where} was looked at ${maxAttempts} times (polling.maxAttempts), and it had not ended.`;
    this.#ports.end({ success: false, error: { code: ERROR_CODES.TIMEOUT, message } });
  }

  async #ask(context: () => never): Promise<PollAnswer> {
    try {
      const answer: unknown = await this.#polling.resolve!(this.#dispatchResult, context());
      const { done, data, error } = (answer ?? {}) as Partial<PollAnswer>;
      if (typeof done === 'boolean') return { done, data, ...(error && { error }) };
      throw new TypeError(`polling.resolve of ${this.#where} must return { done: true or false, data?, error? }`);
    } catch (error) {
      return { done: false, data: { error: thrownOutcome(error).error } };
    }
  }
}
