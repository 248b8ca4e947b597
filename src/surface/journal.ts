import type { EngineInput, HandlerOutcome, JournalEntry } from '../protocol/engine-messages.js';

/** A handler that has ended, as far as the page knows. */
export interface EndedHandler {
  readonly outcome: HandlerOutcome;
  /** Absent while the page is still settling. */
  settled?: boolean;
}

/**
 * What a new engine needs to take over from one that was lost: the requests it knew, and what handlers came to in the
 * meantime. Kept in memory, written by the engine's `journal` and `forget` effects before a handler starts.
 */
export class Journal {
  readonly #entries = new Map<string, JournalEntry>();
  readonly #ended = new Map<string, EndedHandler>();

  record(entry: JournalEntry): void {
    const losses = this.#entries.get(entry.requestId)?.losses;
    // The count is the page's: an engine knows nothing of those that come after it.
    this.#entries.set(entry.requestId, losses === undefined ? entry : { ...entry, losses });
    if (entry.stage === 'answered') this.#ended.delete(entry.requestId);
  }

  /** An engine was lost, and held whatever is open. */
  lost(): void {
    for (const [requestId, entry] of this.#entries) {
      if (entry.stage !== 'answered') this.#entries.set(requestId, { ...entry, losses: (entry.losses ?? 0) + 1 });
    }
  }

  forget(requestId: string): void {
    this.#entries.delete(requestId);
    this.#ended.delete(requestId);
  }

  has(requestId: string): boolean {
    return this.#entries.has(requestId);
  }

  /** Whether its handler was started and has no result yet. */
  runs(requestId: string): boolean {
    return this.#entries.get(requestId)?.stage === 'running';
  }

  /** Whether its user is being asked, as far as the page knows. */
  asks(requestId: string): boolean {
    const entry = this.#entries.get(requestId);
    return entry?.stage === 'approval' || entry?.question?.state === 'pending';
  }

  /** The page has ended a request of its own without the engine: another must not run it. */
  close(requestId: string): void {
    const entry = this.#entries.get(requestId);
    if (entry) this.record({ ...entry, stage: 'answered', acknowledged: true });
  }

  /** The handler returned. Kept until its result is in the journal: an outcome is not lost with an engine. */
  returned(requestId: string, outcome: HandlerOutcome): void {
    const entry = this.#entries.get(requestId);
    if (entry && entry.stage !== 'answered') this.#ended.set(requestId, { outcome });
  }

  settled(requestId: string, settled: boolean): void {
    const ended = this.#ended.get(requestId);
    if (ended) ended.settled = settled;
  }

  /** The handler's end as inputs; empty when it has not ended, or its result is in the journal. */
  ended(requestId: string): EngineInput[] {
    const ended = this.#ended.get(requestId);
    if (!ended) return [];
    const { outcome, settled } = ended;
    const returned: EngineInput = { kind: 'returned', requestId, outcome };
    return settled === undefined ? [returned] : [returned, { kind: 'settled', requestId, settled }];
  }

  /** Everything, for a new engine. */
  replay(): EngineInput[] {
    if (this.#entries.size === 0) return [];
    const entries = [...this.#entries.values()];
    return [{ kind: 'restore', entries }, ...[...this.#ended.keys()].flatMap((requestId) => this.ended(requestId))];
  }
}
