import type { SettledJob } from '../protocol/engine-messages.js';
import type { Release } from '../protocol/ports.js';
import type { ExecuteRequest } from '../surface/definition/definition.js';
import type { SocketLike } from '../transports/socket-like.js';
import type { MountableSurface } from './mountable-surface.js';
import type { OUITransportConfig } from './transport-types.js';
import type {
  OUIActionRequest, OUIActionResult, OUIApprovalGrant, OUIIndexSnapshot, OUISurfaceSnapshot,
} from './wire-types.js';

export type SurfaceForm = 'full' | 'index';

export interface SettleOptions {
  /** ms without a change that count as settled. Default 250. */
  quietMs?: number;
  /** ms for which a result waits for that at most. Default 5,000. */
  timeoutMs?: number;
}

/** A file's text, with what the file is. */
export interface AttachmentText {
  name: string;
  mediaType: string;
  text: string;
}

/** How the host opens what inputs with `format: "oui-attachment"` name. */
export interface AttachmentResolver {
  /** A bare text only where the input takes any media type. A rejection's message is what the agent is told. */
  resolve(id: string, as: 'file' | 'text'): Promise<File | AttachmentText | string>;
}

export interface SurfaceRuntimeOptions {
  /** The socket on which requests come. `attach` sets or replaces it. */
  socket?: SocketLike | null;
  transport?: OUITransportConfig;
  /** `false`: nothing is sent but results. Default true. */
  announce?: boolean;
  settle?: SettleOptions;
  /** How many request ids are remembered. Default 500. */
  dedupeWindow?: number;
  /** Gate for requests that arrive on the socket. One that throws refuses. */
  accept?: (request: OUIActionRequest) => boolean | Promise<boolean>;
  /** Default `full`. */
  form?: SurfaceForm;
  budgets?: {
    /** UTF-8 bytes of a result. Default 480 KiB, at least 32 KiB. */
    answerBytes?: number;
    /** UTF-8 bytes of a snapshot. Default 256 KiB, at least 32 KiB. */
    snapshotBytes?: number;
  };
  /** ms after which a repeat of a request is answered again, when nobody acknowledged the answer. Default 8,000. */
  reanswerAfterMs?: number;
  /** Without it, requests that name an attachment are answered `ATTACHMENTS_UNSUPPORTED`. */
  attachments?: AttachmentResolver;
  /**
   * `true`: requests whose parameters do not fit the action's `input` are refused with `VALIDATION_ERROR`, and declared
   * defaults are filled in. Default false: they are warned about (`OUI1801`) and run. Not in `oui-spec`.
   */
  validate?: boolean;
  /** Who is signed in, as for a runtime of `oui-elements/core`. Not in `oui-spec`. */
  session?: string;
}

export interface MountedSurface {
  readonly surfaceId: string;
  /** The new value of an observation, declared or not. */
  pushObservation(observationId: string, value: unknown): void;
  unmount(): void;
}

export interface SurfaceRuntime<F extends SurfaceForm = 'full'> {
  mount<TContext>(surface: MountableSurface<TContext>, getContext: () => TContext): MountedSurface;
  /** Answers on this socket from now on; `null` lets go of the present one. */
  attach(socket: SocketLike | null): void;
  snapshot(): F extends 'index' ? OUIIndexSnapshot : OUISurfaceSnapshot;
  /** Runs a request once. One whose id was executed before resolves with the first result. */
  execute(request: ExecuteRequest | OUIActionRequest): Promise<OUIActionResult>;
  hold(): Release;
  /**
   * The user has approved one request, here. `true` when the grant was taken; `false` for one that this tab holds, has
   * used, or that has expired.
   * @throws for a grant that is malformed.
   */
  grantApproval(grant: OUIApprovalGrant): boolean;
  onSettled(listener: (job: SettledJob) => void): Release;
  /** Calls back when what `snapshot` gives has changed. */
  subscribe(listener: () => void): Release;
  /** For a sign-out: as of a runtime of `oui-elements/core`. Not in `oui-spec`. */
  forget(): Promise<void>;
  /** Ends what is open with an answer, and lets go of the socket, which stays connected. */
  dispose(): void;
}
