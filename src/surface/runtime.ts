import type { ApprovalGrant } from '../protocol/approval.js';
import type { CallReport, SettledJob } from '../protocol/engine-messages.js';
import type { EnginePolicy } from '../protocol/engine-policy.js';
import type { Fit, OUIActionResult, OUIObservationValues } from '../protocol/events.js';
import type { OUISurface, SurfaceIndexForm } from '../protocol/manifest.js';
import type { Release, Transport, TransportState } from '../protocol/ports.js';
import type { EngineHost, EngineHostFactory } from '../protocol/engine-host.js';
import type { SocketLike } from '../transports/socket-like.js';
import type { PageClock } from './clock/clock.js';
import type { AdviceModule } from './definition/advice.js';
import type { DefinedSurface, ExecuteRequest } from './definition/definition.js';
import type { PageEnvironment } from './document/page-environment.js';
import type { Inspection, InspectionEvent } from './inspection.js';
import type { AttachmentsModule } from './requests/attachments.js';
import type { ObservationSource } from './mounts/observation-source.js';
import type { SurfaceRuntimeOptions } from './runtime-options.js';

/** What the entry hands over: the layers that this one must not import. */
export interface RuntimeWiring {
  /** Engine hosts in order of preference: the worker first, in-process last. */
  hosts(options: SurfaceRuntimeOptions): readonly EngineHostFactory[];
  /** What differs from the protocol's own policy. Default: nothing. */
  readonly policy?: Partial<EnginePolicy>;
  /** Called at the first attachment: most pages never see one. Without it none can be opened. */
  loadAttachments?(): Promise<AttachmentsModule>;
  /** Loads what looks surfaces over for their authors. Default: nothing does. */
  readonly loadAdvice?: () => Promise<AdviceModule>;
  /** Default: the clock of the page, or of Node. */
  readonly clock?: PageClock;
  /** Default: the document. */
  readonly page?: PageEnvironment;
}

/** Values of observations by id, when nothing is known of them. */
type AnyValues = { readonly [observationId: string]: unknown };

/** A surface while it is mounted. After `unmount` its methods do nothing; `update` still checks what it is given. */
export interface MountedSurface<Ctx = unknown, Values extends AnyValues = AnyValues> {
  readonly surfaceId: string;
  /**
   * The new value of an observation; `null` when there is none at the moment. JSON; an equal value is not sent again.
   * Ends a source that `observe` set. Ids and values are checked by the compiler where it knows the definition.
   * @throws {Error} when the surface does not declare it.
   */
  pushObservation<Id extends keyof Values & string>(observationId: Id, value: Values[Id] | null): void;
  /**
   * Keeps an observation equal to a source: a signal, anything with `subscribe`, `{ get, subscribe }`, or a getter. A
   * getter is read when a signal that it reads changes, after each handler, when an agent asks and for a snapshot.
   * Replaces an earlier source of the same observation. The value stays when the source is released.
   * @throws {Error} when the surface does not declare it. {TypeError} when the source is none of these.
   */
  observe(observationId: keyof Values & string, source: ObservationSource): Release;
  /**
   * New manifest and handlers under the same id, without mounting again. Observations that stay keep their sources.
   * @throws {TypeError} when it does not come from `defineSurface`. {Error} when the id differs.
   */
  update(surface: DefinedSurface<Ctx>): void;
  /**
   * Asks the functions of the definition again, `enabled` and enums. Needed only after changes that neither a signal nor a
   * handler made, to tell an agent at once: handlers, snapshots and a new connection ask by themselves. What changed is announced once, however often this is called within one task.
   */
  refresh(): void;
  /** Idempotent. A handler that is running goes on and its result is sent. */
  unmount(): void;
}

/**
 * What the page offers at this moment (PROTOCOL.md §1): `surfaces`, or `index` in index form. Observations are fitted
 * to the budget for snapshots, as in a result; `fit` says what was cut. The same object while nothing changed: do not
 * write to it.
 */
export interface Snapshot {
  readonly surfaces?: readonly OUISurface[];
  readonly index?: readonly SurfaceIndexForm[];
  readonly observations: OUIObservationValues;
  readonly surfacesHash: string;
  readonly fit?: Pick<Fit, 'observations'>;
}

export type RuntimeEvent =
  /** Something was mounted, unmounted, updated or switched on or off. */
  | { readonly type: 'surfaces' }
  /** A value differs from the last one. */
  | { readonly type: 'observation'; readonly surfaceId: string; readonly observationId: string }
  /** A moment in the life of a call: received, asking, started, acknowledged, ended. */
  | { readonly type: 'call'; readonly report: CallReport }
  /** Agents' requests are denied from now on, or no longer. */
  | { readonly type: 'paused'; readonly paused: boolean }
  /** The connection to the agent's end changed its state. */
  | { readonly type: 'connection'; readonly state: TransportState; readonly reason?: string }
  /** The peer said hello, or (`software: null`) was taken for v1. */
  | { readonly type: 'peer'; readonly software: string | null; readonly features: readonly string[] }
  /** Where the engine runs now; `null` when it was lost or could not start. */
  | { readonly type: 'engine'; readonly kind: EngineHost['kind'] | null };

/**
 * The user's switches. Everything is allowed until it is switched off. In a page they are kept on this device, for this
 * origin and the `session` of the runtime's options, and hold in all its tabs; `forget` leaves them.
 */
export interface Consent {
  /** Switches a whole surface (`actionId` null) or one of its actions. */
  set(surfaceId: string, actionId: string | null, allowed: boolean): void;
  /** Whether a surface, or one of its actions, is allowed. */
  allowed(surfaceId: string, actionId?: string | null): boolean;
}

/** Where a mounted surface is on the page. */
export interface MountOptions {
  /** The surface's element, or any other target: DOM events on it end jobs that `subscribe` to them. */
  readonly target?: EventTarget;
}

/** The page's side of the protocol: what is mounted, and the engine that answers for it. */
export interface SurfaceRuntime {
  /**
   * Offers a surface. `getContext` is called for each request, so that handlers see the present state.
   * Mounted twice under one id, the newest serves; when it goes, the older serves again.
   * @throws {TypeError} when the surface does not come from `defineSurface`. {Error} after `dispose`.
   */
  mount<Ctx, Values extends AnyValues = AnyValues>(
    surface: DefinedSurface<Ctx, string, Values>,
    ...context: undefined extends Ctx
      ? [getContext?: () => NoInfer<Ctx>, options?: MountOptions]
      : [getContext: () => NoInfer<Ctx>, options?: MountOptions]
  ): MountedSurface<Ctx, Values>;
  /**
   * Speaks over this transport from now on; `null` lets go of the present one. A transport that is disconnected is
   * connected here, and disconnected when it is let go of; one that was connected already is left as it is. A
   * Socket.IO-shaped socket is listened to, and neither connected nor disconnected (option `transport.namespace`).
   * @throws {Error} when the runtime has a `url`: it speaks over one connection. {Error} after `dispose`.
   */
  attach(transport: Transport | SocketLike | null): void;
  /** What an agent would see now. Synchronous, and cheap while nothing changed. */
  snapshot(): Snapshot;
  /** Runs an action as an agent would, without the `accept` gate. Always resolves: failures are results. */
  execute(request: ExecuteRequest): Promise<OUIActionResult>;
  /**
   * Records the user's approval of one request, as the host's approval store gave it to this tab (PROTOCOL.md §5). A
   * request that carries `approval: {approvalId, argsHash}` then runs once: when the hash of its parameters is this one,
   * its surface and action are those that the grant names, and it starts before `expiresAt`. A grant lives as long as
   * this document; one that was used is remembered, by the tab and by the other tabs of the origin, until it expires.
   * @returns `true` when it was taken; `false` for one that is held, used or expired already.
   * @throws {TypeError} when it is malformed: the message names the member.
   */
  grantApproval(grant: ApprovalGrant): boolean;
  /**
   * Says that the page is at work, until released: for work that neither mounting nor observations show, such as a
   * request to a server. Results that wait for quiet wait for this too, at most their settle timeout; then they are
   * sent with `settled: false`. Pure reads and actions with a `settle` of their own do not wait.
   * @param name What it is for, shown to those who ask what a result waited for. Default: nothing.
   */
  hold(name?: string): Release;
  /** An event of the application's: it ends the open jobs whose `polling.subscribe` waits for it. */
  emit(event: string, payload: unknown): void;
  /**
   * Tells of the end of each job that an agent was told of: once its final answer has arrived there, or was handed to
   * the transport of an agent's end that acknowledges nothing. For work that outlives the turn that asked for it.
   */
  onSettled(listener: (job: SettledJob) => void): Release;
  /** A listener that throws is reported once and disturbs nothing. */
  subscribe(listener: (event: RuntimeEvent) => void): Release;
  /**
   * Looks into the runtime, for tools of developers: frames as they go, what each result waits for, everything that is
   * mounted. Costs as long as it lasts, and nothing otherwise: `release` ends it. It sees what agents see, and no more.
   * A listener that throws is reported once and disturbs nothing.
   * @throws {Error} after `dispose`.
   */
  inspect(listener: (event: InspectionEvent) => void): Inspection;
  /** What the user allows agents to do. */
  readonly consent: Consent;
  /** New requests end `ACTION_DENIED` until `resume`. What runs goes on. */
  pause(): void;
  /** Pauses, and ends what runs with `ACTION_DENIED`. */
  stop(): void;
  /** Ends `pause` and `stop`. */
  resume(): void;
  /** Whether agents' requests are denied now: after `pause` or `stop`, until `resume`. */
  readonly paused: boolean;
  /** Of the connection to the agent's end. */
  readonly connection: TransportState;
  /** Where the engine runs; `null` before the first mount, attach, execute or forget, and while it is being replaced. */
  readonly engine: EngineHost['kind'] | null;
  /**
   * For a sign-out: what requests came to is told to nobody any more, and nothing of it is kept on this device, neither
   * in sessionStorage nor in IndexedDB. What runs goes on, and its end is not kept either. Their ids stay known.
   * Resolves when the storage is clear.
   * @throws {Error} (rejects) when IndexedDB could not be cleared: what is left there expires within 15 minutes.
   */
  forget(): Promise<void>;
  /** Ends everything: open calls with `SURFACE_UNAVAILABLE`, handlers by their signal. Idempotent. */
  dispose(): void;
}
