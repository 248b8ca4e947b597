import type { OUISurface, SurfaceIndexForm } from './manifest.js';

/** The version of the specification that this project speaks. */
export const PROTOCOL_VERSION = '0.1';

/** Event names of the specification (§7.1), page to agent and back. */
export const EVENT = {
  register: 'surface:register',
  deregister: 'surface:deregister',
  request: 'action:request',
  result: 'action:result',
  observation: 'observation:update',
  observationRequest: 'observation:request',
} as const;

/** Event names of our extensions (PROTOCOL.md §1). A v1 peer ignores them. */
export const EXTENSION = {
  hello: 'x-oui:hello',
  receipt: 'x-oui:receipt',
  ack: 'x-oui:ack',
  cancel: 'x-oui:cancel',
  approval: 'x-oui:approval',
  ping: 'x-oui:ping',
  pong: 'x-oui:pong',
  attachment: 'x-oui:attachment',
  attachmentPart: 'x-oui:attachment-part',
} as const;

/** Extensions that a peer names in its hello. One is active when both name it. */
export type OUIFeature = 'receipt' | 'ack' | 'cancel' | 'approval' | 'ping' | 'index' | 'attachment';
export const FEATURES: readonly OUIFeature[] = ['receipt', 'ack', 'cancel', 'approval', 'ping', 'index', 'attachment'];

/** Who obtains the user's confirmation (PROTOCOL.md §5). */
export type OUIConfirmBy = 'page' | 'grant' | 'agent';

export interface OUIError {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
}

/** One reason why a value does not fit its schema. */
export interface OUIValidationIssue {
  /** JSON Pointer (RFC 6901) to the value; `""` is the whole of it. */
  readonly path: string;
  /** The schema keyword that failed. */
  readonly keyword: string;
  readonly message: string;
  /** What the schema wanted, where one word says it. */
  readonly expected?: unknown;
  /** What came: its type, or the value when it is short. */
  readonly received?: unknown;
}

export interface OUIActionRequest {
  /** Unique; UUID v4 recommended. */
  readonly requestId: string;
  readonly surfaceId: string;
  readonly actionId: string;
  readonly params: unknown;
  /** Unix epoch, ms. */
  readonly timestamp: number;
  /** The turn of the conversation that sent it, for the page's accept gate. */
  readonly turnId?: string;
  readonly approval?: { readonly approvalId: string; readonly argsHash: string };
  /** The `surfacesHash` the agent holds: the result repeats the surfaces only when theirs differs. */
  readonly knownSurfaces?: string;
}

export type OUIObservationValues = { readonly [surfaceId: string]: { readonly [observationId: string]: unknown } };

/** One place where a value was cut to fit its frame (PROTOCOL.md §4). The rest can be read there. */
export interface Cut {
  readonly surface: string;
  readonly observation: string;
  /** JSON Pointer (RFC 6901) from the observation's value; `""` is the value itself. */
  readonly path: string;
  /** `list`: its first rows are there. `text`: its beginning is. `value`: `null` stands for the whole observation. */
  readonly kind: 'list' | 'text' | 'value';
  /** How much there is, and how much of it was sent: rows of a list, UTF-16 units of a text, bytes of a value. */
  readonly total: number;
  readonly kept: number;
}

/** What was cut or left out so that a frame keeps its budget. Absent when nothing was. */
export interface Fit {
  readonly observations?: readonly Cut[];
  /** The result's `data` was left out: it has `bytes`, and `limit` was the most it could have. */
  readonly data?: { readonly bytes: number; readonly limit: number };
}

export interface OUIActionResult {
  readonly requestId: string;
  readonly success: boolean;
  readonly data?: unknown;
  readonly error?: OUIError;
  /** `true` on an async action's acknowledgment, `false` on its outcome, absent on a synchronous one's. */
  readonly interim?: boolean;
  /** ms from receipt to result. */
  readonly durationMs?: number;
  readonly timestamp: number;
  /** In full form. Absent when the agent holds them. */
  readonly surfaces?: readonly OUISurface[];
  /** In index form, in place of `surfaces`. */
  readonly index?: readonly SurfaceIndexForm[];
  readonly surfacesHash?: string;
  readonly observations?: OUIObservationValues;
  readonly fit?: Fit;
  /** What was left out of a frame that was too large, and why. Outcome, hash and ids never are. */
  readonly delivery?: { readonly trimmed: boolean; readonly reason: string; readonly omitted: readonly string[] };
  /** Whether the page had come to rest. */
  readonly settled?: boolean;
}

export interface OUIObservationUpdate {
  readonly surfaceId: string;
  readonly observationId: string;
  readonly value: unknown;
  readonly timestamp: number;
  readonly fit?: Pick<Fit, 'observations'>;
}

export interface OUIObservationRequest {
  readonly surfaceId: string;
  readonly observationId: string;
  readonly requestId: string;
  readonly timestamp: number;
}

/** A surface as a page announces it: whole, or in index form to a peer that speaks `index` (PROTOCOL.md §1). */
export type OUISurfaceRegistration =
  | { readonly surface: OUISurface; readonly index?: never; readonly timestamp: number }
  | { readonly index: SurfaceIndexForm; readonly surface?: never; readonly timestamp: number };

export interface OUISurfaceDeregistration {
  readonly surfaceId: string;
  readonly timestamp: number;
}

export interface OUIHello {
  readonly protocol: string;
  /** Name and version, such as `oui-elements/0.1.0`. */
  readonly software: string;
  readonly features: readonly string[];
  /** Sent by pages. */
  readonly confirmBy?: OUIConfirmBy;
  /** Sent by pages: the same over a reload of the tab. */
  readonly clientId?: string;
  readonly url?: string;
  readonly title?: string;
  /** The sender's clock, Unix epoch ms. */
  readonly now: number;
}

export interface OUIReceipt {
  readonly requestId: string;
  readonly ok: boolean;
  readonly reason?: string;
}

export interface OUIAck {
  readonly requestId: string;
  readonly interim: boolean;
  readonly ok: boolean;
  /** Why it could not be taken: with `ok: false` one of these two. Without a reason it is no acknowledgment. */
  readonly error?: string;
  readonly reason?: string;
}

export interface OUICancel {
  readonly requestId: string;
}

export interface OUIApprovalNotice {
  readonly requestId: string;
  readonly argsHash: string;
  /** Unix epoch, ms. */
  readonly expiresAt: number;
  readonly state: 'pending' | 'granted' | 'denied' | 'expired';
}

/** A page asks for the bytes of an attachment whose id came with a request that it has not answered yet. */
export interface OUIAttachmentRequest {
  readonly requestId: string;
  readonly id: string;
  /** How many bytes it holds already. */
  readonly offset: number;
}

/** Bytes of an attachment, from the agent that sent the request; or why there are none. */
export type OUIAttachmentPart =
  | {
      readonly requestId: string;
      readonly id: string;
      readonly offset: number;
      /** Bytes of the whole. */
      readonly total: number;
      readonly name: string;
      readonly mediaType: string;
      /** Base64. */
      readonly data: string;
      readonly error?: never;
    }
  | { readonly requestId: string; readonly id: string; readonly error: string };

/** The specification's events (appendix A). */
export type OUIProtocolEvent =
  | { readonly type: 'surface:register'; readonly payload: OUISurfaceRegistration }
  | { readonly type: 'surface:deregister'; readonly payload: OUISurfaceDeregistration }
  | { readonly type: 'action:request'; readonly payload: OUIActionRequest }
  | { readonly type: 'action:result'; readonly payload: OUIActionResult }
  | { readonly type: 'observation:update'; readonly payload: OUIObservationUpdate }
  | { readonly type: 'observation:request'; readonly payload: OUIObservationRequest };

/** Our extensions' events. */
export type OUIExtensionEvent =
  | { readonly type: 'x-oui:hello'; readonly payload: OUIHello }
  | { readonly type: 'x-oui:receipt'; readonly payload: OUIReceipt }
  | { readonly type: 'x-oui:ack'; readonly payload: OUIAck }
  | { readonly type: 'x-oui:cancel'; readonly payload: OUICancel }
  | { readonly type: 'x-oui:approval'; readonly payload: OUIApprovalNotice }
  | { readonly type: 'x-oui:ping'; readonly payload: Record<string, never> }
  | { readonly type: 'x-oui:pong'; readonly payload: Record<string, never> }
  | { readonly type: 'x-oui:attachment'; readonly payload: OUIAttachmentRequest }
  | { readonly type: 'x-oui:attachment-part'; readonly payload: OUIAttachmentPart };

/** Any event this project sends or reads. */
export type OUIEvent = OUIProtocolEvent | OUIExtensionEvent;
