import type { OUIActionRequest, OUIError } from './events.js';
import type { JsonText } from './json.js';

/**
 * What the page keeps about a request, so that a new engine can take over when the old one dies, and the next document
 * of the tab can answer when this one is left.
 * The engine writes it through `journal` effects; the page adds the outcome when the handler returned.
 */
export interface JournalEntry {
  readonly requestId: string;
  /**
   * Where the request stands: `gate` (the page's accept function decides), `approval` (its user decides), `queued`,
   * `running` (the handler was started), `answered` (`result` holds what was sent last).
   */
  readonly stage: 'gate' | 'approval' | 'queued' | 'running' | 'answered';
  /** `agent`: came on a transport. `local`: `runtime.execute`. `nested`: a handler's own `execute`. */
  readonly origin: 'agent' | 'local' | 'nested';
  readonly request: OUIActionRequest;
  /** On the monotonic clock. */
  readonly receivedAt: number;
  /** On the monotonic clock. The time for which the user is being asked is added when they have answered. */
  readonly deadlineAt: number;
  /** On the monotonic clock; when the user began to be asked. */
  readonly askingSince?: number;
  /** The agent waits for the user's decision; one that cannot (v1) is told to ask again. */
  readonly waits: boolean;
  /**
   * SHA-256 of the canonical parameters: set when the user has to approve the request, and when an agent's request
   * that is no pure read starts. Absent when they are not I-JSON.
   */
  readonly argsHash?: string;
  /** The user has approved it: what they were shown of the action, as the engine put it. Until it is answered. */
  readonly approved?: string;
  /**
   * The question to the user: when it ends (Unix epoch, ms), what it shows of the action, and what they decided about
   * the next equal request.
   */
  readonly question?: {
    readonly expiresAt: number;
    readonly shown: string;
    readonly state: 'pending' | 'granted' | 'denied';
  };
  /** How often the user was asked about it. */
  readonly asks?: number;
  /** The surfaces hash of an async action's acknowledgment. */
  readonly interimHash?: string;
  /** A connected transport has taken that acknowledgment. */
  readonly interimSent?: boolean;
  /** What that acknowledgment carried as `data`, until the job has ended. */
  readonly interimData?: JsonText;
  /** On the monotonic clock; when the acknowledgment of a polling action goes out even without its handler's data. */
  readonly acknowledgeBy?: number;
  /** On the monotonic clock; when an acknowledged job with a `maxDurationMs` is out of time. */
  readonly jobUntil?: number;
  /** The event that ends the job, when it waits for one. */
  readonly awaits?: string;
  /**
   * JSON text of what the handler returned for its job to be followed by (`null` for nothing). Only of a job that a
   * later document of the tab can go on with (`resumable`), once its handler has returned.
   */
  readonly dispatch?: JsonText;
  /** How an acknowledged job came out; its result may be forgotten already. */
  readonly succeeded?: boolean;
  /**
   * How many engines were lost while they held this entry open. Counted by the page: what ends one engine after the
   * other must not reach the page's thread.
   */
  readonly losses?: number;
  /** JSON text of that acknowledgment, as it was made or sent last, until it or the result was acknowledged. */
  readonly interimResult?: JsonText;
  /** JSON text of the result that was sent last, until it was acknowledged. */
  readonly result?: JsonText;
  /** The agent has acknowledged `result`, or need not. */
  readonly acknowledged?: boolean;
  /** Set by the engine when it ended the request itself, until `acknowledged`: what it came to instead of an outcome. */
  readonly failure?: OUIError;
  /** A pure read, which may run again. Known once its action was found. */
  readonly read?: true;
  /** An earlier document of the tab received it. Its handler went with that; the page tells what it came to. */
  readonly earlier?: true;
  /** Its data were handed to the store. */
  readonly stored?: true;
  /** Its sender takes no receipt, though its connection has them: what would be refused on one is answered. */
  readonly noReceipt?: true;
}
