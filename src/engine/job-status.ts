import type { HandlerOutcome } from '../protocol/engine-messages.js';
import * as ERROR_CODES from '../protocol/error-codes.js';
import type { JsonText } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';
import { objectText } from '../rules/frame-text.js';
import type { EngineContext } from './context.js';
import type { LedgerEntry } from './ledger.js';

const TIMER_PREFIX = 'job:';

/** The jobs of one action: the newest change of each, and when the status was last published. */
interface Status {
  readonly surfaceId: string;
  readonly jobs: Map<string, JsonText>;
  newest: string;
  publishedAt: number;
}

/**
 * Progress of asynchronous actions, as the observation `<surfaceId>:<actionId>:status` (PROTOCOL.md §2, async actions).
 * It is undeclared, and it does not count as the page changing.
 */
export class JobStatus {
  readonly #context: EngineContext;
  readonly #statuses = new Map<string, Status>();

  constructor(context: EngineContext) {
    this.#context = context;
  }

  started(entry: LedgerEntry): void {
    this.#change(entry, statusText(entry.requestId, 'running', undefined, true), true);
  }

  progress(entry: LedgerEntry, value: JsonText): void {
    this.#change(entry, statusText(entry.requestId, 'running', value, true), false);
  }

  ended(entry: LedgerEntry, outcome: HandlerOutcome): void {
    const word = outcome.success ? 'complete' : failureWord(outcome);
    const value = outcome.data ?? (outcome.error && JSON.stringify({ error: outcome.error }));
    this.#change(entry, statusText(entry.requestId, word, value, false), true);
    const id = statusId(entry);
    const status = this.#statuses.get(id);
    if (!status) return;
    status.jobs.delete(entry.requestId);
    const left = [...status.jobs.keys()].at(-1);
    if (left === undefined) this.#statuses.delete(id);
    else status.newest = left;
  }

  /** A surface is there again, with values of its own: what is known of its jobs joins them. */
  mounted(surfaceId: string): void {
    for (const [id, status] of this.#statuses) if (status.surfaceId === surfaceId) this.#publish(id, status);
  }

  /** @returns whether the timer was a job's. */
  onTimer(key: string): boolean {
    if (!key.startsWith(TIMER_PREFIX)) return false;
    const id = key.slice(TIMER_PREFIX.length);
    const status = this.#statuses.get(id);
    if (status) this.#publish(id, status);
    return true;
  }

  #change(entry: LedgerEntry, text: JsonText, now: boolean): void {
    const id = statusId(entry);
    const { surfaceId } = entry.request;
    const status = this.#statuses.get(id) ?? { surfaceId, jobs: new Map(), newest: '', publishedAt: -Infinity };
    this.#statuses.set(id, status);
    status.jobs.set(entry.requestId, text);
    status.newest = entry.requestId;
    const wait = status.publishedAt + LIMITS.observationIntervalMs - this.#context.at.now;
    if (now || wait <= 0) this.#publish(id, status);
    else this.#context.setTimer(TIMER_PREFIX + id, wait);
  }

  #publish(id: string, status: Status): void {
    const mount = this.#context.registry.offered(status.surfaceId);
    status.publishedAt = this.#context.at.now;
    this.#context.clearTimer(TIMER_PREFIX + id);
    if (!mount) return;
    const newest = status.jobs.get(status.newest)!;
    const text = status.jobs.size > 1 ? `${newest.slice(0, -1)},"jobs":${objectText([...status.jobs])}}` : newest;
    mount.observations.set(id, text);
    const { mountId } = mount;
    this.#context.emit({ kind: 'status', mountId, surfaceId: status.surfaceId, observationId: id, value: text });
    this.#context.peer.update(status.surfaceId, id, text);
  }
}

function statusId(entry: LedgerEntry): string {
  return `${entry.request.surfaceId}:${entry.request.actionId}:status`;
}

function failureWord({ error }: HandlerOutcome): string {
  return error?.code === ERROR_CODES.SUPERSEDED ? 'superseded' : 'failed';
}

/** `{status, …data, interim, requestId}`; data that is no object stands under `data`. */
function statusText(requestId: string, word: string, data: JsonText | undefined, interim: boolean): JsonText {
  const value: unknown = data === undefined ? {} : JSON.parse(data);
  const fields = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { data: value };
  return JSON.stringify({ status: word, ...fields, interim, requestId });
}
