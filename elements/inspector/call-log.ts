import type { CallReport } from '../../src/protocol/engine-messages.js';
import type { SettleMoment } from '../../src/protocol/inspection.js';
import * as LIMITS from '../../src/protocol/limits.js';
import { LoggedCall } from './logged-call.js';
import type { SchemaOf } from './secret-values.js';
import { TextFilter } from './text-filter.js';

/** The calls of a page, newest first: so many, and so many UTF-16 units of them, the oldest going first. */
export class CallLog {
  readonly #calls = new Map<string, LoggedCall>();
  readonly #schemaOf: SchemaOf;
  readonly #filter = new TextFilter<LoggedCall>(({ surfaceId, actionId, paramsText, resultText }) => (
    [`${surfaceId}.${actionId}`, paramsText, resultText]));
  #length = 0;

  /** `schemaOf`: says what of the values of an action must not be seen. */
  constructor(schemaOf: SchemaOf) {
    this.#schemaOf = schemaOf;
  }

  add(report: CallReport, at: number): void {
    let call = this.#calls.get(report.requestId);
    if (!call) this.#calls.set(report.requestId, call = new LoggedCall(report));
    const before = call.length;
    call.add(report, at, this.#schemaOf);
    this.#length += call.length - before;
    this.#filter.changed(call);
    this.#trim();
  }

  settle(requestId: string, at: number, moment: SettleMoment): void {
    this.#calls.get(requestId)?.settled(at, moment);
  }

  /** Newest first. `text`: what their names, params or results contain; `show`: in which state. */
  calls(text = '', show: 'all' | 'open' | 'done' | 'failed' = 'all'): LoggedCall[] {
    return this.#filter.matching(this.#calls.values(), text).reverse().filter((call) => {
      return show === 'open' ? !call.isOver : show === 'all' || call.state === show;
    });
  }

  get size(): number {
    return this.#calls.size;
  }

  clear(): void {
    this.#calls.clear();
    this.#length = 0;
  }

  #trim(): void {
    for (const [requestId, { length }] of this.#calls) {
      const fits = this.#calls.size <= LIMITS.inspectedCalls && this.#length <= LIMITS.inspectedLength;
      // The newest stays, however long it is.
      if (fits || this.#calls.size === 1) return;
      this.#calls.delete(requestId);
      this.#length -= length;
    }
  }
}
