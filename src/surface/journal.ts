import type { EngineInput, HandlerOutcome, JournalEntry } from '../protocol/engine-messages.js';

type InputOf<Kind extends EngineInput['kind']> = Extract<EngineInput, { kind: Kind }>;

/** How far a handler has come, as far as the page knows. */
export interface HandlerProgress {
  /** It has returned, and its job is followed. */
  readonly dispatched?: InputOf<'dispatched'>;
  /** It has ended, its job too. */
  readonly outcome?: HandlerOutcome;
  /** Absent while the page is still settling. */
  readonly settled?: boolean;
}

/**
 * What a new engine needs to take over from one that was lost: the requests it knew, and what handlers came to in the
 * meantime. Kept in memory, written by the engine's `journal` and `forget` effects before a handler starts.
 */
export class Journal {
  readonly #entries = new Map<string, JournalEntry>();
  readonly #progress = new Map<string, HandlerProgress>();

  record(entry: JournalEntry): void {
    const losses = this.#entries.get(entry.requestId)?.losses;
    // The count is the page's: an engine knows nothing of those that come after it.
    this.#entries.set(entry.requestId, losses === undefined ? entry : { ...entry, losses });
    if (entry.stage === 'answered') this.#progress.delete(entry.requestId);
  }

  /** An engine was lost, and held whatever is open. */
  lost(): void {
    for (const [requestId, entry] of this.#entries) {
      if (entry.stage !== 'answered') this.#entries.set(requestId, { ...entry, losses: (entry.losses ?? 0) + 1 });
    }
  }

  forget(requestId: string): void {
    this.#entries.delete(requestId);
    this.#progress.delete(requestId);
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

  /** The handler returned, and its job is followed. Kept for an engine that does not know of it. */
  dispatched(input: InputOf<'dispatched'>): void {
    this.#note(input.requestId, { dispatched: input });
  }

  /** The handler has ended. Kept until its result is in the journal: an outcome is not lost with an engine. */
  returned(requestId: string, outcome: HandlerOutcome): void {
    this.#note(requestId, { outcome });
  }

  settled(requestId: string, settled: boolean): void {
    this.#note(requestId, { settled });
  }

  #note(requestId: string, more: HandlerProgress): void {
    const entry = this.#entries.get(requestId);
    if (!entry || entry.stage === 'answered') return;
    this.#progress.set(requestId, { ...this.#progress.get(requestId), ...more });
  }

  /** What became of the handler, as inputs; empty when nothing has yet, or its result is in the journal. */
  ended(requestId: string): EngineInput[] {
    const { dispatched, outcome, settled } = this.#progress.get(requestId) ?? {};
    return [
      ...(dispatched ? [dispatched] : []),
      ...(outcome ? [{ kind: 'returned', requestId, outcome } as const] : []),
      ...(settled === undefined ? [] : [{ kind: 'settled', requestId, settled } as const]),
    ];
  }

  /** Everything, for a new engine. */
  replay(): EngineInput[] {
    if (this.#entries.size === 0) return [];
    const entries = [...this.#entries.values()];
    return [{ kind: 'restore', entries }, ...[...this.#progress.keys()].flatMap((requestId) => this.ended(requestId))];
  }
}
