import type {
  Cut,
  Fit,
  OUIActionResult,
  OUIApprovalNotice,
  OUIConfirmBy,
  OUIError,
  OUIFeature,
  OUIObservationValues,
} from '../protocol/events.js';
import type { JSONSchema } from '../protocol/json.js';
import type { OUIAction, OUIActionEffect, OUISurface, OUIUpdateFrequency } from '../protocol/manifest.js';
import type { Release, Transport, Validator } from '../protocol/ports.js';

/** The clock and the timers of an agent runtime. Given by tests; the system's own by default. */
export interface AgentTimers {
  /** ms on a clock that never steps back. */
  now(): number;
  /** Unix epoch, ms. */
  wall(): number;
  /** Calls back once after `ms`; the release takes the timer back. */
  setTimer(ms: number, callback: () => void): Release;
}

/** How long the agent's side waits, in ms. Each has the protocol's default. */
export interface AgentTimeouts {
  /** From receipt to result, or from sending where a page sends no receipts. Default 35,000. */
  readonly actionMs?: number;
  /** For the acknowledgment of an async action. Default 5,000. */
  readonly acknowledgmentMs?: number;
  /** For a polling observation that was asked for. Default 5,000. */
  readonly pullMs?: number;
  /** For a page that is known by its `clientId` and went away, to come back. Default 15,000. */
  readonly pageReturnMs?: number;
  /**
   * A call that its caller has given up (cancelled, or out of its own `timeoutMs`) may still be running in the page: so
   * long the next action of its surface waits for it. Default: until the page answers, or `actionMs` is over.
   */
  readonly givenUpMs?: number;
}

/** What the user is asked before an action that needs approval (specification §9.2). */
export interface ConfirmRequest {
  readonly requestId: string;
  readonly surfaceId: string;
  readonly surfaceName: string;
  readonly actionId: string;
  readonly title?: string;
  /** The expected effect, in the page author's words. */
  readonly description: string;
  readonly effect?: OUIActionEffect;
  /** Exactly what will be sent. */
  readonly params: unknown;
  readonly page: AgentPage;
  /** Fires when no answer is needed any more: the call was cancelled or its surface has gone. */
  readonly signal: AbortSignal;
}

/** Asks the user. Only `true` is a yes; `null` is no answer; a throw or a rejection is a no, as is anything else. */
export type ConfirmCallback = (request: ConfirmRequest) => boolean | null | Promise<boolean | null>;

/** `burst` calls at once, and `perSecond` from then on. */
export interface AgentRateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

export interface AgentRuntimeOptions {
  /** The connection to the page. May come later, through `attach`. */
  readonly transport?: Transport;
  /** Checks params against the page's schemas. These come from a stranger: use one whose patterns cannot run away. */
  readonly validator: Validator;
  /** Asks the user, where the page does not do so itself. Without it they do not run: `APPROVAL_REQUIRED`. */
  readonly confirm?: ConfirmCallback;
  readonly timeouts?: AgentTimeouts;
  /** How many calls the page gets. Default 50 a second, 100 at once: what a page takes for one surface. */
  readonly rateLimit?: AgentRateLimit;
  /** Name and version for the hello, such as `my-agent/1.0.0`. Default `oui-elements`. */
  readonly software?: string;
  readonly timers?: AgentTimers;
}

/** The page as its hello described it. A page without the hello (v1) leaves most of it out. */
export interface AgentPage {
  readonly connected: boolean;
  /** The same over a reload of the tab. */
  readonly clientId?: string;
  readonly url?: string;
  readonly title?: string;
  /** Name and version of the page's OUI library. */
  readonly software?: string;
  /** Who obtains the user's confirmation (PROTOCOL.md §5). Absent: the agent's side does. */
  readonly confirmBy?: OUIConfirmBy;
  /** The extensions that are active on this connection. */
  readonly features: readonly OUIFeature[];
  /** It has not reacted to a request for 2 s: its tab may be frozen in the background. */
  readonly mayBeFrozen: boolean;
}

export interface AgentToolAnnotations {
  /** It changes nothing outside the page's own view: its effect is a read, or it has the tag `read-only`. */
  readonly readOnly: boolean;
  /** It can change what cannot be taken back: `transaction`, or a write that needs confirmation. */
  readonly destructive: boolean;
  /** It runs only after the user's yes. */
  readonly needsApproval: boolean;
  readonly effect?: OUIActionEffect;
}

/** One action of the page, as a tool for a model. */
export interface AgentTool {
  /** `<surface-id>__<action_id>`, at most 64 characters of `[A-Za-z0-9_-]`. */
  readonly name: string;
  readonly surfaceId: string;
  readonly actionId: string;
  readonly title?: string;
  /** Everything the manifest says about the action, readable for a model. */
  readonly description: string;
  /** As the page declares it; `{type: "object"}` while only the action's index entry is known. */
  readonly inputSchema: JSONSchema;
  readonly annotations: AgentToolAnnotations;
  /** It is acknowledged first and answered when its work ends. */
  readonly async: boolean;
  /**
   * Only its index entry is known (PROTOCOL.md §4): the description says in a line what it takes. A call fetches the
   * definition by itself; `describe` does so before.
   */
  readonly indexed?: true;
  /** Some of its parameters are the ids of attachments (PROTOCOL.md §6). */
  readonly takesAttachments?: true;
}

/** A tool's name, or the ids of an action. */
export type AgentCallTarget = string | { readonly surfaceId: string; readonly actionId: string };

export interface AgentCallOptions {
  /** Cancels the call: it resolves with `oui:cancelled`, and the page is told where it understands that. */
  readonly signal?: AbortSignal;
  /** The turn of the conversation, for the page's accept gate. */
  readonly turnId?: string;
  /**
   * The user's approval from your own approval store, which gave the tab its grant (PROTOCOL.md §5). Nobody is asked
   * then; the page checks it. A page that was not given the grant yet is asked again until it was, for 35 s. Never from
   * the model.
   */
  readonly approval?: { readonly approvalId: string; readonly argsHash: string };
  /** Asks the user of this call in place of the runtime's `confirm`. */
  readonly confirm?: ConfirmCallback;
  /**
   * The most the whole call may take, in ms: waiting, confirmation and a job's work included. Replaces the 35 s.
   * By default a job's outcome may take as long as it needs.
   */
  readonly timeoutMs?: number;
  /**
   * Files that the params name, by id: `call('editor__set_logo', { logo: id }, { attachments: { [id]: file } })`. An id
   * is 8 to 64 of A-Z, a-z, 0-9, `_` and `-`, such as `crypto.randomUUID()`. The page fetches them while the call is
   * open, where it speaks our extension `attachment`; its own `attachments.resolve` goes first. At most 16 MiB each.
   */
  readonly attachments?: { readonly [id: string]: Blob };
  /** The page has the request and will answer it. */
  readonly onReceipt?: () => void;
  /** The acknowledgment of an async action came; its outcome follows. */
  readonly onAcknowledged?: (acknowledgment: OUIActionResult) => void;
  /** The running job reported its status: `{status, …}`. */
  readonly onProgress?: (value: unknown) => void;
  /** The page is asking its user, or the user has answered. */
  readonly onApproval?: (notice: OUIApprovalNotice) => void;
}

/** What a call came to. A failure is a result too: see `result.error`. */
export interface AgentCallResult {
  readonly requestId: string;
  /** The final result: the page's, or one made here when there is none (`TIMEOUT`, `SURFACE_UNAVAILABLE`, …). */
  readonly result: OUIActionResult;
  /** The acknowledgment of an async action. */
  readonly acknowledgment?: OUIActionResult;
  /** The observations that changed between sending and result, with their values at the result. */
  readonly changed: OUIObservationValues;
  /** Where the values in `changed` were cut to fit their frame: `read` gets the rest. Absent when none was. */
  readonly cuts?: readonly Cut[];
  /** The user had not answered the page's question when the call ended. */
  readonly approvalPending?: OUIApprovalNotice;
}

/** An observation with its newest value. */
export interface AgentObservation {
  readonly surfaceId: string;
  readonly observationId: string;
  /** Absent for an observation that the manifest does not declare, such as a job's status. */
  readonly description?: string;
  readonly schema?: JSONSchema;
  readonly updateFrequency?: OUIUpdateFrequency;
  /** `false` until a value came. */
  readonly hasValue: boolean;
  /** `null` means unavailable (specification §5.4). */
  readonly value: unknown;
  /** The page's clock, Unix epoch ms; 0 until a value came. */
  readonly timestamp: number;
  /** Where `value` was cut to fit its frame: `read` gets the rest. Absent when it is whole. */
  readonly cuts?: readonly Cut[];
}

/** Which part of an observation to read (PROTOCOL.md §7). At least one member makes it a read of a part. */
export interface AgentReadOptions {
  /** JSON Pointer (RFC 6901) from the observation's value. Default `""`, the value itself. */
  readonly path?: string;
  /** Of a list the first row wanted, from 0; of a text or an object the first UTF-16 unit or member. Default 0. */
  readonly offset?: number;
  /**
   * The most wanted of them. Default 50 rows of a list, 50 members of an object, 2,000 UTF-16 units of a text. The page
   * gives fewer when they would not fit.
   */
  readonly limit?: number;
}

/** Where a part stands in the whole. `next` is the offset to read on from, when there is `more`. */
interface AgentReadPlace {
  readonly total: number;
  readonly offset: number;
  readonly more?: boolean;
  readonly next?: number;
  /** Where the part itself was cut; paths are from the observation's value. */
  readonly fit?: Pick<Fit, 'observations'>;
}

/** A part of an observation, as the page gives it: rows of a list, else what is at the path, or some of it. */
export type AgentReadPart =
  | (AgentReadPlace & { readonly rows: readonly unknown[]; readonly value?: never })
  | (Partial<AgentReadPlace> & { readonly value: unknown; readonly rows?: never });

/** What is known of one action that was asked about. */
export type AgentDescription =
  | { readonly surfaceId: string; readonly action: OUIAction; readonly error?: never }
  | { readonly error: OUIError; readonly surfaceId?: never; readonly action?: never };

export type AgentEvent =
  /** Tools or declared observations came, changed or went. */
  | { readonly type: 'tools' }
  | { readonly type: 'observation'; readonly surfaceId: string; readonly observationId: string }
  /** `page` changed: connected, gone, said hello, may be frozen. */
  | { readonly type: 'page' }
  /** An `x-…` event of the page's that is not one of ours. */
  | { readonly type: 'extension'; readonly event: string; readonly payload: unknown };

export type AgentListener = (event: AgentEvent) => void;

/** The agent's side of one page (specification §10.1.2). */
export interface AgentRuntime {
  /** The page as it is known now; a change of it makes a `page` event. */
  readonly page: AgentPage;
  /**
   * Talks to the page over this transport from now on, and connects it where it is not connected. The one before
   * it is disconnected. Calls that wait for a page known by its `clientId` go on when the same page says hello.
   */
  attach(transport: Transport): void;
  /** In the page's order. Of those in index form the actions are stand-ins, until their definitions are known. */
  surfaces(): readonly OUISurface[];
  /** The actions that can be called now, in the page's order. Disabled ones are left out. */
  tools(): readonly AgentTool[];
  /**
   * Calls an action. Always resolves. Params are checked before anything is sent; the user is asked where the page
   * does not ask; one action at a time runs per surface, pure reads aside. While a page that is known by its
   * `clientId` is away, the call waits for it and for the action: 15 s for the page, then 5 s for its surfaces.
   * One page gets at most 100 calls at once and 50 a second from here; one more is answered `RATE_LIMITED`, unsent.
   */
  call(target: AgentCallTarget, params?: unknown, options?: AgentCallOptions): Promise<AgentCallResult>;
  /**
   * The tools that a page had which went away and is waited for, less those that are there again. `call` takes them:
   * it waits. Empty otherwise.
   */
  awaitedTools(): readonly AgentTool[];
  /**
   * The whole definitions of actions, in the order asked; those in index form are fetched, and kept by their hash.
   * Always resolves: what is not there, or cannot be fetched, has an `error`.
   */
  describe(targets: readonly AgentCallTarget[]): Promise<readonly AgentDescription[]>;
  /** All declared observations of the page's surfaces, and the others that have a value. */
  observations(): readonly AgentObservation[];
  observation(surfaceId: string, observationId: string): AgentObservation | undefined;
  /**
   * The present value of an observation. A `polling` one is asked for; the others are pushed, so that the held value
   * is the present one. Where that was cut to fit its frame it is asked for, and put together from its pages: one that
   * changes meanwhile may come out mixed.
   * While a page that is known by its `clientId` is away, a read waits for it as a call does.
   * @throws {AgentReadError} rejects when there is no such observation, when the page is gone, or when the page
   * does not answer within 5 s; a value that is put together has 5 s for each of its pages.
   */
  read(surfaceId: string, observationId: string): Promise<unknown>;
  /**
   * A part of an observation: rows of a list, or what is at a path. The page's own `oui.read` (PROTOCOL.md §7).
   * @throws {AgentReadError} rejects as above, and with the page's code (`NOT_FOUND`, `INVALID_PARAMS`, …).
   */
  read(surfaceId: string, observationId: string, part: AgentReadOptions): Promise<AgentReadPart>;
  /** A listener that throws is reported once and disturbs nothing. */
  subscribe(listener: AgentListener): Release;
  /** Ends open calls with `SURFACE_UNAVAILABLE` and disconnects. Idempotent. */
  dispose(): void;
}
