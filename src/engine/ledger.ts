import { RESERVED_SURFACE_ID } from '../protocol/author-ids.js';
import type { HandlerOutcome } from '../protocol/engine-messages.js';
import type { JournalEntry } from '../protocol/journal-entry.js';
import type { OUIActionRequest, OUIError } from '../protocol/events.js';
import type { JsonText } from '../protocol/json.js';
import type { OUIAction } from '../protocol/manifest.js';

/**
 * Where a request stands:
 * `gate` (the page's accept function decides) → `approval` (its user decides) → `queued` → `running` →
 * `settling` (the handler returned) → `answered`.
 */
type Stage = 'gate' | 'approval' | 'queued' | 'running' | 'settling' | 'answered';

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
  /** Whether the agent waits for the user's decision; a v1 agent is told to ask again. Decided at receipt. */
  readonly waits: boolean;
  /** When the user began to be asked; the clock stands. */
  askingSince?: number;
  argsHash?: string;
  /** The user has approved it: what they were shown. */
  approved?: string;
  /** It runs on the grant that it names: `open` until its turn, `asked` while that is written down, then `held`. */
  grant?: 'open' | 'asked' | 'held';
  /** The question to the user. On an answered entry: what they decided about the next equal request of a v1 agent. */
  question?: { readonly expiresAt: number; readonly shown: string; state: 'pending' | 'granted' | 'denied' };
  /** How often the user was asked about it; the present question is the last of them. */
  asks?: number;
  /** Engines that were lost while they held this request. */
  readonly losses: number;
  /** Known once the surface and action were found. */
  action?: OUIAction;
  /** An earlier engine knew its action, and that it is a pure read; of use when the surface has gone since. */
  readonly read?: true;
  mountId?: number;
  /** Set by the acknowledgment of an async action: the surfaces hash it carried. */
  interimHash?: string;
  /** Its data, until the job has ended. */
  interimData?: JsonText;
  /** Monotonic; until then the acknowledgment of a polling action waits for its handler's data. */
  acknowledgeBy?: number;
  /** Monotonic end of an acknowledged job, when it has one. */
  jobUntil?: number;
  /** The event that ends the job. */
  awaits?: string;
  /** What a later document can follow the job by. */
  dispatch?: JsonText;
  /** How an acknowledged job came out. */
  succeeded?: boolean;
  /** A connected transport has taken the acknowledgment. */
  interimSent?: boolean;
  /** The acknowledgment, as it was made or sent last, until it or the result was acknowledged. */
  interimResult?: JsonText;
  /** Monotonic; when it was handed to the transport that is connected now. */
  interimSentAt?: number;
  /** Whoever sent it is gone, and another agent's end is connected: nobody gets its results. */
  orphaned?: boolean;
  /** Waits in its surface's queue, or holds it. */
  inQueue?: boolean;
  /** The page is opening the attachments that this action takes; then, it has opened them. */
  opening?: OUIAction;
  attachedFor?: OUIAction;
  outcome?: HandlerOutcome;
  /** The newest result, as sent, until it was acknowledged. */
  result?: JsonText;
  /** Monotonic; when `result` was handed to the transport that is connected now. */
  sentAt?: number;
  acknowledged: boolean;
  /** Its sender takes no receipt, whatever its connection has. */
  readonly noReceipt?: true;
  /** What the engine ended it with, until that was acknowledged. */
  failure?: OUIError;
  /** An earlier document received it, and the page tells what it came to: it holds no queue and no surface. */
  readonly earlier?: true;
  /** Its data are in the store. */
  stored?: true;
  /** Its data, of so many bytes, are being fetched from the store; `settledAs`: the page has settled meanwhile. */
  loading?: number;
  settledAs?: boolean;
  /** They were not there. */
  lostBytes?: number;
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

  /** @returns what fell out of the window. An open request never does. */
  add(entry: LedgerEntry): LedgerEntry[] {
    this.#entries.set(entry.requestId, entry);
    const forgotten: LedgerEntry[] = [];
    if (this.#entries.size > this.#window) {
      for (const old of this.#entries.values()) {
        if (this.#entries.size <= this.#window) break;
        if (old.stage !== 'answered') continue;
        this.#entries.delete(old.requestId);
        forgotten.push(old);
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
        entry.interimHash === undefined &&
        !entry.earlier,
    );
  }
}

/** Whether a request is for one of the runtime's own actions (PROTOCOL.md §7). They only read. */
export function isOwn({ request }: Pick<LedgerEntry, 'request'>): boolean {
  return request.surfaceId === RESERVED_SURFACE_ID;
}
