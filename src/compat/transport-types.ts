import type { Release } from '../protocol/ports.js';
import type { OUIActionRequest, OUIActionResult, OUIObservationUpdate, OUISurface } from './wire-types.js';

/** `oui-spec`'s transports: both ends of the wire, by hand. A runtime needs none of this. */

/** Accepted, or refused and why. */
export type OUIAcknowledgment = { ok: true } | { ok: false; reason: string };

/** `receipt`: there when the sender asked for one. */
export type OUIActionHandler = (request: OUIActionRequest, receipt?: (acknowledgment: OUIAcknowledgment) => void) => void;
export type OUIObservationHandler = (update: OUIObservationUpdate) => void;
export type OUIResultHandler = (result: OUIActionResult) => void;

export interface OUITransportConfig {
  /** What the names of all events begin with. Default `oui`. */
  namespace?: string;
  /** ms after which `connect` rejects. Default 10,000. */
  connectTimeoutMs?: number;
  /** Whether frames wait for a socket that is offline. Default true. A runtime loses none either way. */
  bufferWhileDisconnected?: boolean;
  /** How many wait. Default 100. Those that come on top are dropped, with a warning. */
  maxBufferSize?: number;
}

export interface OUITransport {
  dispatch(request: OUIActionRequest): void;
  onAction(handler: OUIActionHandler): Release;
  sendResult(result: OUIActionResult, onAcknowledged?: (acknowledgment: OUIAcknowledgment) => void): void;
  onResult(handler: OUIResultHandler): Release;
  pushObservation(update: OUIObservationUpdate): void;
  onObservation(handler: OUIObservationHandler): Release;
  registerSurface(surface: OUISurface): void;
  deregisterSurface(surfaceId: string): void;
  onSurfaceRegister(handler: (surface: OUISurface) => void): Release;
  onSurfaceDeregister(handler: (surfaceId: string) => void): Release;
  readonly connected: boolean;
  /** Resolves when the socket is connected. Rejects after `connectTimeoutMs`. */
  connect(): Promise<void>;
  /** Disconnects the socket itself, which is its owner's; `dispose` is mostly what is wanted. */
  disconnect(): void;
  onConnectionChange(handler: (connected: boolean) => void): Release;
  /** Takes away its own listeners on the socket, and nothing else. */
  dispose(): void;
}
