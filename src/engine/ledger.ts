import type { HandlerOutcome, JournalEntry } from '../protocol/engine-messages.js';
import type { OUIActionRequest } from '../protocol/events.js';
import type { JsonText } from '../protocol/json.js';
import type { OUIAction } from '../protocol/manifest.js';

/**
 * Where a request stands:
 * `gate` (the page's accept function decides) → `approval` (its user decides) → `queued` → `running` →
 * `settling` (the handler returned) → `answered`.
 */
export type Stage = 'gate' | 'approval' | 'queued' | 'running' | 'settling' | 'answered';

/** One request and all that is known about it. */
export interface LedgerEntry {
  readonly requestId: string;
  readonly origin: JournalEntry['origin'];
  readonly request: OUIActionRequest;
  /** Monotonic, ms. */
  readonly receivedAt: number;
  stage: Stage;
  /** Monotonic end of the request's time. It moves on while the user is being asked. */
  deadlineAt: number;
  /** When the user began to be asked; the clock stands. */
  askingSince?: number;
  argsHash?: string;
  /** Known once the surface and action were found. */
  action?: OUIAction;
  mountId?: number;
  /** Set by the acknowledgment of an async action: the surfaces hash it carried. */
  interimHash?: string;
  /** Holds its surface's queue. */
  holdsQueue?: boolean;
  outcome?: HandlerOutcome;
  /** The newest result, as sent. */
  result?: JsonText;
  /** Result frames that no transport has taken yet. */
  unsent: JsonText[];
  /** Monotonic; when `result` was handed to a transport. */
  sentAt?: number;
  acknowledged: boolean;
}

/** Requests by id. An id is remembered after its answer, so that a repeat never runs twice (PROTOCOL.md §2.2). */
export class Ledger {
  readonly #window: number;
  readonly #entries = new Map<string, LedgerEntry>();

  /** `window`: how many ids are remembered. */
  constructor(window: number) {
    this.#window = window;
  }

  get(requestId: string): LedgerEntry | undefined {
    return this.#entries.get(requestId);
  }

  /** @returns the ids that fell out of the window. An open request never does. */
  add(entry: LedgerEntry): string[] {
    this.#entries.set(entry.requestId, entry);
    const forgotten: string[] = [];
    if (this.#entries.size > this.#window) {
      for (const old of this.#entries.values()) {
        if (this.#entries.size <= this.#window) break;
        if (old.stage !== 'answered') continue;
        this.#entries.delete(old.requestId);
        forgotten.push(old.requestId);
      }
    }
    return forgotten;
  }

  delete(requestId: string): void {
    this.#entries.delete(requestId);
  }

  all(): LedgerEntry[] {
    return [...this.#entries.values()];
  }

  open(): LedgerEntry[] {
    return this.all().filter((entry) => entry.stage !== 'answered');
  }

  /** Requests whose handler is at work on a surface, acknowledged jobs aside: its deregistration waits for them. */
  runningOn(surfaceId: string): LedgerEntry[] {
    return this.open().filter(
      (entry) =>
        entry.request.surfaceId === surfaceId &&
        (entry.stage === 'running' || entry.stage === 'settling') &&
        entry.interimHash === undefined,
    );
  }
}
