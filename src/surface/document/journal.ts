import type { EngineInput, HandlerOutcome, InputOf } from '../../protocol/engine-messages.js';
import type { JournalEntry } from '../../protocol/journal-entry.js';
import type { JournalStorage, LeftJournal } from './journal-storage.js';
import { isLong, leftText, signedOut, takenOver } from './left-request.js';

/** How far a handler has come, as far as the page knows. */
export interface HandlerProgress {
  /** It has returned, and its job is followed. */
  readonly dispatched?: InputOf<'dispatched'>;
  /** It has ended, its job too. */
  readonly outcome?: HandlerOutcome;
  /** So many bytes of data belong to the outcome, and lie in the store of the engine's host. */
  readonly bytes?: number;
  /** The outcome is what an earlier document left, or what is said in its place. */
  readonly left?: true;
  /** Absent while the page is still settling. */
  readonly settled?: boolean;
}

/**
 * What a new engine needs to take over from one that was lost, and what the next document of the tab needs to answer
 * for this one: the requests, and what handlers came to. Written by the engine's `journal` and `forget` effects before a
 * handler starts. Kept in memory; from `open` on also in the tab's storage, as far as another document must know it:
 * an agent's requests whose handlers were started, pure reads aside.
 */
export class Journal {
  readonly #entries = new Map<string, JournalEntry>();
  readonly #progress = new Map<string, HandlerProgress>();
  /** As it lies in the storage. */
  readonly #written = new Map<string, string>();
  /** Requests of a session that has ended: nothing of them is written any more. */
  readonly #private = new Set<string>();
  readonly #wall: () => number;
  #storage: JournalStorage | undefined;
  #since: number | undefined;

  /** `wall`: Unix epoch, ms. */
  constructor(wall: () => number = Date.now) {
    this.#wall = wall;
  }

  /** Unix epoch, ms: what arrived before is not known. Absent until `open`. */
  get since(): number | undefined {
    return this.#since;
  }

  /**
   * From here on it is written. Takes over what another document of the tab has left, or has changed while this one was
   * in the back/forward cache: what that has answered or decided is not this one's any more.
   *
   * @returns requests of this document whose handlers have nothing to answer any more.
   */
  open(storage: JournalStorage, left: LeftJournal | undefined): string[] {
    this.#storage = storage;
    this.#since = left?.since ?? this.#wall();
    const changed = (requestId: string): boolean => left?.requests.get(requestId) !== this.#written.get(requestId);
    const gone = left ? [...this.#written.keys()].filter(changed) : [];
    const taken = left ? [...left.requests.keys()].filter(changed) : [];
    for (const requestId of gone) {
      this.#written.delete(requestId);
      this.close(requestId);
    }
    // What happened here while nothing could be written.
    for (const requestId of this.#entries.keys()) this.#write(requestId);
    for (const requestId of taken) this.#take(requestId, left!.requests.get(requestId)!);
    return gone;
  }

  /**
   * The document is being left: what waits is written too, and nothing after that. An agent's request that has not
   * passed the checks goes: the next document is asked for it again, and what that says or does would not be known here
   * if this one came back.
   */
  leave(): void {
    for (const [requestId, entry] of this.#entries) {
      if (entry.stage === 'gate' && entry.origin === 'agent') this.#entries.delete(requestId);
      else this.#write(requestId, true);
    }
    this.#storage = undefined;
  }

  record(entry: JournalEntry): void {
    const losses = this.#entries.get(entry.requestId)?.losses;
    // The count is the page's: an engine knows nothing of those that come after it.
    this.#entries.set(entry.requestId, losses === undefined ? entry : { ...entry, losses });
    if (entry.acknowledged) this.#progress.delete(entry.requestId);
    this.#write(entry.requestId);
  }

  /** An engine was lost, and held whatever is open. */
  lost(): void {
    for (const [requestId, entry] of this.#entries) {
      if (entry.stage !== 'answered') this.#entries.set(requestId, { ...entry, losses: (entry.losses ?? 0) + 1 });
    }
  }

  forget(requestId: string): void {
    const text = this.#written.get(requestId);
    for (const kept of [this.#entries, this.#progress, this.#written, this.#private]) kept.delete(requestId);
    if (text === undefined) return;
    this.#storage?.remove(requestId);
    // It fell out of the window: what came before it, and is not remembered, is unknown from now on.
    const { at } = JSON.parse(text) as { at: number };
    this.#since = Math.max(this.#since ?? at, at);
    this.#storage?.know(this.#since);
  }

  /**
   * The user has signed out: no outcome of before is kept or told, by this document or a later one. Ids stay known
   * here; a later document knows nothing from before now.
   */
  forgetOutcomes(): void {
    this.#since = this.#wall();
    this.#storage?.begin(this.#since);
    this.#written.clear();
    for (const [requestId, entry] of this.#entries) {
      if (entry.origin !== 'agent') continue;
      this.#private.add(requestId);
      if (entry.stage === 'answered') this.close(requestId);
      else if (entry.earlier) this.#progress.set(requestId, { outcome: signedOut(entry) });
    }
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

  /** It has ended without the engine: another must not run it, and has nothing to send. */
  close(requestId: string): void {
    const entry = this.#entries.get(requestId);
    if (!entry) return;
    const { result: _, failure: __, ...rest } = entry;
    this.record({ ...rest, stage: 'answered', acknowledged: true });
  }

  /** The handler returned, and its job is followed. Kept for an engine that does not know of it. */
  dispatched(input: InputOf<'dispatched'>): void {
    this.#note(input.requestId, { dispatched: input });
  }

  /**
   * The handler has ended. Kept until its result was acknowledged: an outcome is lost neither with an engine nor with
   * the document. @returns what the engine is told.
   */
  returned(requestId: string, outcome: HandlerOutcome): InputOf<'returned'> {
    this.#note(requestId, { outcome });
    return this.#returned(requestId, outcome);
  }

  settled(requestId: string, settled: boolean): void {
    this.#note(requestId, { settled });
  }

  /** What became of the handler, as inputs; empty when nothing has yet, or its result is in the journal. */
  ended(requestId: string): EngineInput[] {
    if (this.#entries.get(requestId)?.stage === 'answered') return [];
    const { dispatched, outcome, bytes, settled } = this.#progress.get(requestId) ?? {};
    return [
      ...(dispatched ? [dispatched] : []),
      ...(outcome ? [{ ...this.#returned(requestId, outcome), ...(bytes !== undefined && { load: bytes }) }] : []),
      ...(settled === undefined ? [] : [{ kind: 'settled', requestId, settled } as const]),
    ];
  }

  /** What earlier documents left open and this one has not ended yet: to be told, or, without an outcome, followed. */
  left(): { readonly entry: JournalEntry; readonly outcome: HandlerOutcome | undefined }[] {
    return [...this.#entries.values()].flatMap((entry) => {
      const { outcome, settled } = this.#progress.get(entry.requestId) ?? {};
      return entry.earlier && entry.stage === 'running' && settled === undefined ? [{ entry, outcome }] : [];
    });
  }

  /** Everything, for a new engine. */
  replay(): EngineInput[] {
    if (this.#entries.size === 0) return [];
    const entries = [...this.#entries.values()];
    return [{ kind: 'restore', entries }, ...[...this.#progress.keys()].flatMap((requestId) => this.ended(requestId))];
  }

  #note(requestId: string, more: HandlerProgress): void {
    const entry = this.#entries.get(requestId);
    if (!entry || entry.stage === 'answered') return;
    this.#progress.set(requestId, { ...this.#progress.get(requestId), ...more });
    this.#write(requestId);
  }

  #returned(requestId: string, outcome: HandlerOutcome): InputOf<'returned'> {
    const keep = isLong(outcome) && this.#written.has(requestId);
    return { kind: 'returned', requestId, outcome, ...(keep && { keep: true }) };
  }

  #take(requestId: string, text: string): void {
    const taken = takenOver(text);
    if (!taken) return;
    this.#written.set(requestId, text);
    this.#entries.set(requestId, taken.entry);
    this.#progress.delete(requestId);
    if (taken.ended) this.#progress.set(requestId, { ...taken.ended, left: true });
  }

  /** `waiting`: also what has not begun. */
  #write(requestId: string, waiting = false): void {
    const entry = this.#entries.get(requestId);
    if (!this.#storage || !entry || entry.origin !== 'agent' || entry.read || this.#private.has(requestId)) return;
    const begun = entry.stage === 'running' || this.#written.has(requestId);
    if (!begun && !(waiting && (entry.stage === 'queued' || entry.stage === 'approval'))) return;
    const { dispatched, outcome, bytes, left, settled } = this.#progress.get(requestId) ?? {};
    // Not said yet: the document that left it may still come back and go on with it.
    if (left && settled === undefined && entry.stage === 'running') return;
    const known = dispatched ? withJob(entry, dispatched) : entry;
    const text = leftText(known, outcome && { outcome, ...(bytes !== undefined && { bytes }) }, this.#wall());
    this.#written.set(requestId, text);
    this.#storage.write(requestId, text);
  }
}

/** The engine may have acknowledged the job without this page having heard of it yet. */
function withJob(entry: JournalEntry, { dispatch }: InputOf<'dispatched'>): JournalEntry {
  return { ...entry, interimHash: entry.interimHash ?? '', ...(dispatch !== undefined && { dispatch }) };
}
