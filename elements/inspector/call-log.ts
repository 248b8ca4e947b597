import type { CallReport } from '../../src/protocol/engine-messages.js';
import type { SettleMoment } from '../../src/protocol/inspection.js';
import type { JSONSchema } from '../../src/protocol/json.js';
import * as LIMITS from '../../src/protocol/limits.js';
import { errorWithoutSecrets, withoutSecrets } from './secret-values.js';
import { SettleStoryTeller } from './settle-story.js';
import type { SettleStory } from './settle-story.js';

/** Where a call stands. `job`: it was answered that it has started, and goes on. */
export type CallState = 'queued' | 'asking' | 'running' | 'waiting' | 'job' | 'done' | 'failed';

/** One call, as it is shown. Times: Unix epoch, ms. */
export interface LoggedCall {
  readonly requestId: string;
  readonly surfaceId: string;
  readonly actionId: string;
  readonly origin: CallReport['origin'];
  /** Without what must not be seen. */
  readonly params: unknown;
  readonly state: CallState;
  /** Each state that it came to, and when. */
  readonly steps: readonly { readonly state: CallState; readonly at: number }[];
  readonly result: CallReport['result'];
  /** From the receipt to the result, ms. */
  readonly durationMs: number | undefined;
  readonly settle: SettleStory | undefined;
}

interface Entry {
  readonly report: CallReport;
  readonly steps: { state: CallState; at: number }[];
  readonly teller: SettleStoryTeller;
  params: unknown;
  result: CallReport['result'];
  /** UTF-16 units of params and result. */
  length: number;
}

const IS_OVER: ReadonlySet<CallState> = /* @__PURE__ */ new Set(['done', 'failed'] as const);

/** The calls of a page, newest first: so many, and so many UTF-16 units of them, the oldest going first. */
export class CallLog {
  readonly #entries = new Map<string, Entry>();
  readonly #inputOf: (surfaceId: string, actionId: string) => JSONSchema | null;
  #length = 0;

  /** `inputOf`: the schema of an action's input, which says what of it must not be seen. */
  constructor(inputOf: (surfaceId: string, actionId: string) => JSONSchema | null) {
    this.#inputOf = inputOf;
  }

  add(report: CallReport, at: number): void {
    const entry = this.#entries.get(report.requestId) ?? this.#begin(report);
    const { phase } = report;
    if (phase === 'received') {
      const { surfaceId, actionId, params } = report;
      this.#keep(entry, { params: withoutSecrets(params, this.#inputOf(surfaceId, actionId)) });
    }
    if (report.result) {
      const { error } = report.result;
      const result = error ? { ...report.result, error: errorWithoutSecrets(error, entry.params) } : report.result;
      this.#keep(entry, { result });
    }
    entry.steps.push({ state: stateOf(report), at });
    this.#trim();
  }

  settle(requestId: string, at: number, moment: SettleMoment): void {
    const entry = this.#entries.get(requestId);
    if (!entry) return;
    entry.teller.add(at, moment);
    if (moment.kind === 'waiting') entry.steps.push({ state: 'waiting', at });
  }

  /** Newest first. `text`: what their names, params or results contain; `show`: in which state. */
  calls(text = '', show: 'all' | 'open' | 'done' | 'failed' = 'all'): LoggedCall[] {
    const wanted = text.trim().toLowerCase();
    return [...this.#entries.values()].reverse().map(loggedCall).filter((call) => {
      if (show === 'open' ? IS_OVER.has(call.state) : show !== 'all' && call.state !== show) return false;
      return wanted === '' || searchText(call).includes(wanted);
    });
  }

  get size(): number {
    return this.#entries.size;
  }

  clear(): void {
    this.#entries.clear();
    this.#length = 0;
  }

  #begin(report: CallReport): Entry {
    const entry: Entry = {
      report, steps: [], teller: new SettleStoryTeller(), params: undefined, result: undefined, length: 0,
    };
    this.#entries.set(report.requestId, entry);
    return entry;
  }

  #keep(entry: Entry, part: Partial<Pick<Entry, 'params' | 'result'>>): void {
    Object.assign(entry, part);
    const before = entry.length;
    entry.length = (JSON.stringify([entry.params, entry.result]) ?? '').length;
    this.#length += entry.length - before;
  }

  #trim(): void {
    for (const [requestId, { length }] of this.#entries) {
      const fits = this.#entries.size <= LIMITS.inspectedCalls && this.#length <= LIMITS.inspectedLength;
      // The newest stays, however long it is.
      if (fits || this.#entries.size === 1) return;
      this.#entries.delete(requestId);
      this.#length -= length;
    }
  }
}

function stateOf({ phase, result }: CallReport): CallState {
  switch (phase) {
    case 'received':
      return 'queued';
    case 'asking':
      return 'asking';
    case 'started':
      return 'running';
    case 'acknowledged':
      return 'job';
    case 'ended':
      return result?.success === false ? 'failed' : 'done';
  }
}

function loggedCall({ report, steps, teller, params, result }: Entry): LoggedCall {
  const { requestId, surfaceId, actionId, origin } = report;
  const last = steps.filter(({ state }) => IS_OVER.has(state)).at(-1) ?? steps.at(-1);
  return {
    requestId, surfaceId, actionId, origin, params, result,
    state: last?.state ?? 'queued',
    steps: [...steps],
    durationMs: last && IS_OVER.has(last.state) ? result?.durationMs : undefined,
    settle: teller.story(),
  };
}

function searchText(call: LoggedCall): string {
  const { surfaceId, actionId, params, result } = call;
  return `${surfaceId}.${actionId} ${JSON.stringify(params) ?? ''} ${JSON.stringify(result) ?? ''}`.toLowerCase();
}
