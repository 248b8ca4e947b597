import type { ApprovalGrant, ApprovalRequest } from './approval.js';
import type { OUIActionRequest, OUIActionResult, OUIAttachmentPart, OUIError } from './events.js';
import type { InspectedFrame } from './inspection.js';
import type { JsonText } from './json.js';
import type { JournalEntry } from './journal-entry.js';
import type { OUISurface } from './manifest.js';
import type { TransportState } from './ports.js';
import type { EngineConfig } from './engine-config.js';

/** What the page tells its engine, and what the engine asks of its page. All of it can be structured-cloned. */

/** How long a result waits for the page: not at all, for its own work only, or for quiet (DESIGN, "Settle"). */
export type SettleMode = 'none' | 'sync' | 'quiet';

/** What of an action concerns its engine and not the agent. */
export interface ActionPolicy {
  readonly settle: SettleMode;
  /** A new job of the action ends the older one. Absent: they run side by side. */
  readonly singleFlight?: true;
}
export type ActionPolicies = { readonly [actionId: string]: ActionPolicy };

/** One attachment that the parameters of a request name, and what it is for (PROTOCOL.md §6). */
export interface AttachmentUse {
  readonly property: string;
  readonly id: string;
  /** Its place in the list, where the property is one. */
  readonly index?: number;
  /** What the handler takes in its place. */
  readonly as: 'file' | 'text';
  /** The media types that the property takes. Absent: any. */
  readonly mediaTypes?: readonly string[];
}

/** What a handler came to. */
export interface HandlerOutcome {
  readonly success: boolean;
  /** JSON text of `data`; absent when there is none. */
  readonly data?: JsonText;
  readonly error?: OUIError;
}

export type EngineInput =
  /** First of all, once per engine. */
  | { readonly kind: 'configure'; readonly config: EngineConfig }
  /** After `configure` and the mounts, when an earlier engine was lost, or an earlier document of the tab was left. */
  | { readonly kind: 'restore'; readonly entries: readonly JournalEntry[] }
  /** `mountId` is unique for the page's life. The newest mount of a surface id serves. */
  | {
      readonly kind: 'mount';
      readonly mountId: number;
      readonly surface: OUISurface;
      readonly policies: ActionPolicies;
    }
  /** The manifest of a mount changed without mounting again. `policies`: when given, replaces the mount's. */
  | {
      readonly kind: 'define';
      readonly mountId: number;
      readonly surface: OUISurface;
      readonly policies?: ActionPolicies;
    }
  | { readonly kind: 'unmount'; readonly mountId: number }
  /**
   * A new value. The page has compared it with the last one. `version`: it is to be told whether the value fits.
   * `silent`: it may change without a word of the page's, which is asked when an agent wants the value.
   */
  | {
      readonly kind: 'observe';
      readonly mountId: number;
      readonly observationId: string;
      readonly value: JsonText;
      readonly version?: number;
      readonly silent?: boolean;
    }
  /** Answer to `read`: the present value, sent even when it is the last one again. `requestId`: as given with it. */
  | {
      readonly kind: 'observed';
      readonly mountId: number;
      readonly observationId: string;
      readonly value: JsonText;
      readonly version?: number;
      readonly silent?: boolean;
      readonly requestId?: string;
    }
  /**
   * `connection` numbers the connection of a transport that the page owns: frames for an earlier one are dropped.
   * `fresh`: another agent's end than before, which must not get what was meant for the earlier one. `frameBytes`: the
   * longest frame it takes; default 1 MiB.
   */
  | {
      readonly kind: 'connected';
      readonly connection?: number;
      readonly fresh?: boolean;
      readonly frameBytes?: number;
      /** The binding carries receipts and acknowledgments itself. */
      readonly acknowledges?: true;
    }
  | { readonly kind: 'disconnected'; readonly reason: string }
  /** A parsed message from the peer, unchecked. */
  | { readonly kind: 'message'; readonly message: unknown }
  /** Answer to `ask-gate`. */
  | { readonly kind: 'gate'; readonly requestId: string; readonly open: boolean }
  /** What the page's host has recorded, and ids of grants that this tab has used: none admits a request again. */
  | {
      readonly kind: 'grants';
      readonly held: readonly ApprovalGrant[];
      readonly used: readonly Pick<ApprovalGrant, 'approvalId' | 'expiresAt'>[];
    }
  /** Answer to `claim`. `ok`: nobody on this device has used it before. */
  | { readonly kind: 'claimed'; readonly requestId: string; readonly ok: boolean }
  /** Answer to `open-attachments`: they are all there, or why not. */
  | { readonly kind: 'attached'; readonly requestId: string; readonly error?: OUIError }
  /** An attachment of this request is the agent's to give: ask for the bytes from `offset` on. */
  | { readonly kind: 'fetch-attachment'; readonly requestId: string; readonly id: string; readonly offset: number }
  /** Answer to `ask-user`, with its `round`. `dismissed`: the user gave no answer. */
  | {
      readonly kind: 'decided';
      readonly requestId: string;
      readonly round: number;
      readonly decision: 'granted' | 'denied' | 'dismissed';
    }
  /**
   * The handler of a polling action returned well, and its job is followed from here; `returned` comes when that ends.
   * `data`: the handler's. `dispatch`: as in the journal.
   */
  | {
      readonly kind: 'dispatched';
      readonly requestId: string;
      readonly data?: JsonText;
      readonly dispatch?: JsonText;
    }
  /**
   * The handler, or the job that it started, came to an end; settling begins. `keep`: the data are too long for the
   * page's journal, so they go to the store. `load`: the data, of so many bytes, are in the store, since an earlier
   * document put them there.
   */
  | {
      readonly kind: 'returned';
      readonly requestId: string;
      readonly outcome: HandlerOutcome;
      readonly keep?: true;
      readonly load?: number;
    }
  /** Answer to `load`: the data, when they were there. */
  | { readonly kind: 'loaded'; readonly requestId: string; readonly data?: JsonText }
  /** What requests came to may not be told any more: the user has signed out. Their ids stay known. */
  | { readonly kind: 'forget-outcomes' }
  /** The page has settled or given up, and posted its pending observations before this. */
  | { readonly kind: 'settled'; readonly requestId: string; readonly settled: boolean }
  /** A running job's handler reported progress, or a look at the job found it running. */
  | { readonly kind: 'progress'; readonly requestId: string; readonly value: JsonText }
  /** A request of the page's own. `nested`: from inside a handler; it skips the queue. */
  | { readonly kind: 'execute'; readonly request: OUIActionRequest; readonly nested: boolean }
  /** The page withdraws a request of its own. */
  | { readonly kind: 'withdraw'; readonly requestId: string }
  | { readonly kind: 'pause' }
  /** Pauses, and ends what runs with `ACTION_DENIED`. */
  | { readonly kind: 'stop' }
  | { readonly kind: 'resume' }
  /** A switch of the user's: a whole surface, or one action of it. */
  | { readonly kind: 'consent'; readonly surfaceId: string; readonly actionId?: string; readonly allowed: boolean }
  /** Whether the page wants `call` effects. */
  | { readonly kind: 'watch'; readonly calls: boolean }
  /** Whether the page wants `frame` effects of the connection that its engine's host owns. */
  | { readonly kind: 'watch-frames'; readonly on: boolean }
  | { readonly kind: 'timer'; readonly key: string }
  | { readonly kind: 'dispose' };

/** One of the inputs, by its kind. */
export type InputOf<Kind extends EngineInput['kind']> = Extract<EngineInput, { kind: Kind }>;

/**
 * Inputs that say something once. The page keeps them until the engine's `taken` counts them; whatever else an engine
 * missed, its successor is told anyway.
 */
export const KEPT_INPUTS: ReadonlySet<EngineInput['kind']> = /* @__PURE__ */ new Set(['message', 'withdraw'] as const);

/** One moment in the life of a call, for the page's own listeners. */
export interface CallReport {
  readonly phase: 'received' | 'asking' | 'started' | 'acknowledged' | 'ended';
  readonly requestId: string;
  readonly origin: JournalEntry['origin'];
  readonly surfaceId: string;
  readonly actionId: string;
  /** The action's title, until the call has ended; absent when it has none, or there is no such action. */
  readonly title?: string;
  /** With `received`. */
  readonly params?: unknown;
  /** With `acknowledged` and `ended`: outcome without surfaces and observations. */
  readonly result?: Pick<OUIActionResult, 'success' | 'data' | 'error' | 'durationMs' | 'settled'>;
}

/** The end of a job: its final answer has arrived at the agent that was told that it had started. */
export interface SettledJob {
  readonly requestId: string;
  /** The turn of the conversation that asked for it, when the request named one. */
  readonly turnId?: string;
  readonly surfaceId: string;
  readonly actionId: string;
  readonly success: boolean;
}

export type EngineEffect =
  /** Hand this to the transport. `payload` is JSON text. Observations name a `slot`: only its newest frame must go. */
  | {
      readonly kind: 'send';
      readonly type: string;
      readonly payload: JsonText;
      readonly slot?: string;
      /** As given with `connected`. */
      readonly connection?: number;
    }
  /** So many of the page's `KEPT_INPUTS` have been taken: a new engine need not be told them. */
  | { readonly kind: 'taken'; readonly count: number }
  /** The connection is dead: open another. */
  | { readonly kind: 'reconnect'; readonly reason: string }
  /** Replaces an earlier timer with the same key. */
  | { readonly kind: 'set-timer'; readonly key: string; readonly ms: number }
  | { readonly kind: 'clear-timer'; readonly key: string }
  | { readonly kind: 'ask-gate'; readonly request: OUIActionRequest }
  /** `round`: how often the user is asked about this request, with this time. An answer to an earlier round is void. */
  | { readonly kind: 'ask-user'; readonly round: number; readonly approval: ApprovalRequest }
  /** The question needs no answer any more: cancelled, expired or decided elsewhere. */
  | { readonly kind: 'close-question'; readonly requestId: string }
  | {
      readonly kind: 'run';
      readonly requestId: string;
      readonly mountId: number;
      readonly actionId: string;
      /** With defaults filled in. */
      readonly params: unknown;
      readonly settle: SettleMode;
    }
  /** The grant admits nothing any more; of a handler that starts on it, told before its `run`. */
  | { readonly kind: 'grant-used'; readonly approvalId: string; readonly expiresAt: number }
  /**
   * Write down, for all tabs of the origin, that this request uses a grant up, unless another has. `until`: Unix epoch,
   * ms. Answered with `claimed`.
   */
  | {
      readonly kind: 'claim';
      readonly key: string;
      readonly text: string;
      readonly until: number;
      readonly requestId: string;
    }
  /**
   * Open what the request's parameters name, before its handler starts, and keep it for `run`. `fromAgent`: what the
   * host does not know may be the agent's to give. Answered with `attached`.
   */
  | {
      readonly kind: 'open-attachments';
      readonly requestId: string;
      readonly uses: readonly AttachmentUse[];
      readonly fromAgent: boolean;
    }
  /** The agent has answered a `fetch-attachment`. */
  | { readonly kind: 'attachment-part'; readonly part: OUIAttachmentPart }
  /** Fire the handler's AbortSignal with this error, or stop opening what it would have got. */
  | { readonly kind: 'abort'; readonly requestId: string; readonly error: OUIError }
  /** Read an observation, `polling` or silent, and answer with `observed`. `requestId`: it is for this request to `oui.read`. */
  | { readonly kind: 'read'; readonly mountId: number; readonly observationId: string; readonly requestId?: string }
  /** Whether a value fits its schema. `version`: as given with it. */
  | {
      readonly kind: 'checked';
      readonly mountId: number;
      readonly observationId: string;
      readonly version: number;
      readonly fits: boolean;
    }
  /** The status of a surface's jobs, for the page's snapshots: an observation that the engine makes itself. */
  | {
      readonly kind: 'status';
      readonly mountId: number;
      readonly surfaceId: string;
      readonly observationId: string;
      readonly value: JsonText;
    }
  | { readonly kind: 'journal'; readonly entry: JournalEntry }
  /** The entry fell out of the dedupe window. */
  | { readonly kind: 'forget'; readonly requestId: string }
  /** For the host's store, which keeps it until then: Unix epoch, ms. */
  | { readonly kind: 'store'; readonly key: string; readonly text: JsonText; readonly until: number }
  | { readonly kind: 'store-delete'; readonly key: string }
  /** Answered with `loaded`. */
  | { readonly kind: 'load'; readonly key: string; readonly requestId: string }
  /** Answered, to the page, with `store-cleared`. */
  | { readonly kind: 'clear-store' }
  | { readonly kind: 'store-cleared'; readonly ok: boolean }
  /** The end of a request of the page's own. */
  | { readonly kind: 'executed'; readonly requestId: string; readonly result: OUIActionResult }
  | { readonly kind: 'call'; readonly report: CallReport }
  /** A message went over the connection. Only while somebody watches. */
  | { readonly kind: 'frame'; readonly frame: InspectedFrame }
  /** An `x-…` event that is not ours. */
  | { readonly kind: 'extension'; readonly type: string; readonly payload: unknown }
  /** An event of the application's came from the agent's end, and an open job waits for it. */
  | { readonly kind: 'event'; readonly event: string; readonly payload: unknown }
  | { readonly kind: 'job-settled'; readonly job: SettledJob }
  | { readonly kind: 'connection'; readonly state: TransportState; readonly reason?: string }
  /** The peer's hello came, or it was taken for v1. */
  | { readonly kind: 'peer'; readonly software: string | null; readonly features: readonly string[] }
  /** `key`: warned once for all messages with this key; by default for each message. */
  | { readonly kind: 'warn'; readonly code: string; readonly message: string; readonly key?: string }
  /** After `dispose`: everything open has ended and the last frame has been handed to the transport. */
  | { readonly kind: 'closed' };

/** One of the effects, by its kind. */
export type EffectOf<Kind extends EngineEffect['kind']> = Extract<EngineEffect, { kind: Kind }>;
