import type { CallReport } from '../../src/protocol/engine-messages.js';
import type { SettleMoment } from '../../src/protocol/inspection.js';
import type { JsonText } from '../../src/protocol/json.js';
import { errorWithoutSecrets, withoutSecrets } from './secret-values.js';
import type { SchemaOf } from './secret-values.js';
import { SettleStoryTeller } from './settle-story.js';
import type { SettleStory } from './settle-story.js';

/** Where a call stands. `job`: it was answered that it has started, and goes on. */
export type CallState = 'queued' | 'asking' | 'running' | 'waiting' | 'job' | 'done' | 'failed';

const IS_OVER: ReadonlySet<CallState> = /* @__PURE__ */ new Set(['done', 'failed'] as const);

/**
 * One call, as it is shown: without what must not be seen. Params and result are kept as JSON, written once: what a page
 * does to its objects later is not what went by, and most calls are never looked into.
 */
export class LoggedCall {
  readonly requestId: string;
  readonly surfaceId: string;
  readonly actionId: string;
  readonly origin: CallReport['origin'];
  readonly #steps: { readonly state: CallState; readonly at: number }[] = [];
  readonly #teller = new SettleStoryTeller();
  #params: JsonText | undefined;
  #result: JsonText | undefined;
  #durationMs: number | undefined;

  constructor({ requestId, surfaceId, actionId, origin }: CallReport) {
    this.requestId = requestId;
    this.surfaceId = surfaceId;
    this.actionId = actionId;
    this.origin = origin;
  }

  /** Each state that it came to, and when: Unix epoch, ms. */
  get steps(): readonly { readonly state: CallState; readonly at: number }[] {
    return this.#steps;
  }

  get state(): CallState {
    const last = this.#steps.filter(({ state }) => IS_OVER.has(state)).at(-1) ?? this.#steps.at(-1);
    return last?.state ?? 'queued';
  }

  get isOver(): boolean {
    return IS_OVER.has(this.state);
  }

  /** From the receipt to the result, ms; `undefined` until there is one. */
  get durationMs(): number | undefined {
    return this.isOver ? this.#durationMs : undefined;
  }

  get params(): unknown {
    return parsed(this.#params);
  }

  get paramsText(): JsonText {
    return this.#params ?? '';
  }

  get result(): CallReport['result'] {
    return parsed(this.#result) as CallReport['result'];
  }

  get resultText(): JsonText {
    return this.#result ?? '';
  }

  /** Why its result waited. */
  get settle(): SettleStory | undefined {
    return this.#teller.story();
  }

  /** UTF-16 units of params and result. */
  get length(): number {
    return this.paramsText.length + this.resultText.length;
  }

  /** The call goes on. `schemaOf`: what of its values must not be seen. */
  add(report: CallReport, at: number, schemaOf: SchemaOf): void {
    const { surfaceId, actionId, phase, params, result } = report;
    if (phase === 'received') this.#params = textOf(withoutSecrets(params, schemaOf(surfaceId, actionId, 'input')));
    if (result) {
      const { error, data } = result;
      this.#durationMs = result.durationMs;
      this.#result = textOf({
        ...result,
        ...(data !== undefined && { data: withoutSecrets(data, schemaOf(surfaceId, actionId, 'output')) }),
        ...(error && { error: errorWithoutSecrets(error, this.params) }),
      });
    }
    this.#steps.push({ state: stateOf(report), at });
  }

  settled(at: number, moment: SettleMoment): void {
    this.#teller.add(at, moment);
    if (moment.kind === 'waiting') this.#steps.push({ state: 'waiting', at });
  }

  /** As it stands in an exported log. */
  toJSON(): object {
    const { requestId, surfaceId, actionId, origin, params, result, state, steps, durationMs, settle } = this;
    return { requestId, surfaceId, actionId, origin, params, result, state, steps, durationMs, settle };
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

function textOf(value: unknown): JsonText | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // A cycle or a bigint of the page's own making: the runtime refuses it, and says so.
    return undefined;
  }
}

function parsed(text: JsonText | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}
