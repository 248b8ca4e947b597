import type { OUIConfirmBy } from './events.js';
import type { EnginePolicy } from './engine-policy.js';

/** Settings of one engine. Times in ms. */
export interface EngineConfig {
  /** Name and version for the hello. */
  readonly software: string;
  readonly clientId?: string;
  readonly url?: string;
  readonly title?: string;
  readonly confirmBy: OUIConfirmBy;
  /** The page can ask its user: it has a dialog or an `approve` callback. */
  readonly canAsk: boolean;
  /** The page has an `accept` gate. */
  readonly hasGate: boolean;
  /** The page's host opens attachments. Absent: no. */
  readonly opensAttachments?: boolean;
  readonly actionMs: number;
  readonly approvalMs: number;
  readonly settleTimeoutMs: number;
  readonly helloMs: number;
  readonly reanswerAfterMs: number;
  readonly ratePerSecond: number;
  readonly rateBurst: number;
  readonly dedupeWindow: number;
  /**
   * Unix epoch, ms: what arrived before it may have run without this runtime knowing of it. Absent: nothing has.
   */
  readonly journalSince?: number;
  /** In which form surfaces are offered (PROTOCOL.md §4). */
  readonly form: OfferedForm;
  /** `false`: nothing is sent but results, receipts and what else belongs to a request (PROTOCOL.md §9). */
  readonly announce: boolean;
  readonly observationSchemas: ObservationSchemas;
  /** UTF-8 bytes of a whole frame. */
  readonly budgets: { readonly resultBytes: number; readonly updateBytes: number };
  /** What differs from the protocol's own policy. */
  readonly policy?: Partial<EnginePolicy>;
}

/** Whole manifests, or what a model needs to choose an action: the rest is asked for with `oui.describe`. */
export type OfferedForm = 'full' | 'index';

/**
 * What a value that does not fit its observation's schema comes to (PROTOCOL.md §8): a warning, the first value and
 * samples being checked; `null` in its place, each value being checked; or nothing.
 */
export type ObservationSchemas = 'warn' | 'enforce' | 'off';
