import type { EngineInput } from '../protocol/engine-messages.js';
import type { JournalEntry } from '../protocol/journal-entry.js';
import * as LIMITS from '../protocol/limits.js';
import type { Release } from '../protocol/ports.js';
import type { Journal } from './document/journal.js';
import type { PageTimers } from './clock/page-timers.js';
import type { Settler } from './settle/settle.js';

export interface EarlierDocumentPorts {
  post(inputs: readonly EngineInput[]): void;
  /** Observations that changed and were not published yet. */
  takePending(): EngineInput[];
  hasMounts(): boolean;
  /** Goes on with a job that can be. */
  resume(entry: JournalEntry): void;
}

/**
 * Answers for the document that was left (PROTOCOL.md §2, leaving the document). What it left is told with this
 * document's surfaces: once something is mounted, or has had its time to be, and the page has settled.
 */
export class EarlierDocument {
  readonly #journal: Journal;
  readonly #timers: PageTimers;
  readonly #settler: Settler;
  readonly #ports: EarlierDocumentPorts;
  #waiting: Release = () => {};
  #waitsForMount = false;
  #stopping = new AbortController();

  constructor(journal: Journal, timers: PageTimers, settler: Settler, ports: EarlierDocumentPorts) {
    this.#journal = journal;
    this.#timers = timers;
    this.#settler = settler;
    this.#ports = ports;
  }

  /** The journal was opened. */
  begin(): void {
    const left = this.#journal.left();
    for (const { entry, outcome } of left) if (!outcome) this.#ports.resume(entry);
    if (!left.some(({ outcome }) => outcome)) return;
    this.#stopping = new AbortController();
    this.#waitsForMount = true;
    this.#waiting = this.#timers.set(LIMITS.firstMountMs, () => void this.#settle());
    this.mounted();
  }

  /** Something may have been mounted. */
  mounted(): void {
    if (this.#waitsForMount && this.#ports.hasMounts()) void this.#settle();
  }

  /** This document is being left too, or its runtime has ended. */
  stop(): void {
    this.#waitsForMount = false;
    this.#waiting();
    this.#stopping.abort();
  }

  async #settle(): Promise<void> {
    this.#waitsForMount = false;
    this.#waiting();
    const { signal } = this.#stopping;
    const settled = await this.#settler.watch('quiet', signal).settled();
    if (signal.aborted) return;
    const ends = this.#journal.left().flatMap(({ entry: { requestId }, outcome }): EngineInput[] => {
      if (!outcome) return [];
      this.#journal.settled(requestId, settled);
      return [{ kind: 'settled', requestId, settled }];
    });
    this.#ports.post([...this.#ports.takePending(), ...ends]);
  }
}
