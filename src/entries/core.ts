/** `oui-elements/core`: surfaces and their runtime, without elements. */
import { createInstance } from '../surface/create-oui.js';
import type { OUIContexts, OUIInstance, OUIOptions } from '../surface/create-oui.js';
import type { DefinedSurface } from '../surface/definition/definition.js';
import { createRuntime } from '../surface/create-runtime.js';
import type { SurfaceRuntime } from '../surface/runtime.js';
import type { SurfaceRuntimeOptions } from '../surface/runtime-options.js';
import { packageWiring } from './package-wiring.js';

/**
 * Creates the runtime of a page. The engine runs in a Web Worker where one can start, else in this thread; in Node too.
 * Nothing is started before the first mount, attach, execute or forget.
 *
 * @throws {RangeError} naming the option that is out of its range.
 * @throws {TypeError} when more than one of `url`, `socket` and a transport of your own are given.
 */
export function createSurfaceRuntime(options: SurfaceRuntimeOptions = {}): SurfaceRuntime {
  return createRuntime(options, packageWiring);
}

/**
 * Mounts surfaces on a Socket.IO-shaped socket of the application's own and answers requests for them. The compiler
 * refuses options without a socket, without surfaces, with two of one id, and surfaces that do not come from
 * `defineSurface`; surfaces whose handlers need a context get it from `contexts`, by their ids.
 *
 * @throws {TypeError} for the same, where no compiler has looked. {RangeError} as `createSurfaceRuntime`.
 */
export function createOUI<const Surfaces extends readonly DefinedSurface<never>[]>(
  options: OUIOptions<Surfaces> & OUIContexts<Surfaces>,
): OUIInstance<Surfaces> {
  return createInstance(options, packageWiring);
}

export { acceptCurrentTurn } from '../surface/requests/accept-current-turn.js';
export { defineSurface, isDefinedSurface } from '../surface/definition/define-surface.js';
export type { OUIContexts, OUIInstance, OUIOptions, OwnedTransport } from '../surface/create-oui.js';
export type { DefineSurface } from '../surface/definition/define-surface.js';
export { createRuntime } from '../surface/create-runtime.js';
export type {
  ActionCall,
  ActionDefinition,
  ActionHandler,
  ActionParams,
  ActionPolling,
  DefinedSurface,
  ExecuteRequest,
  HandlerEnvelope,
  ObservationDefinition,
  PollAnswer,
  StandardInput,
  SurfaceDefinition,
} from '../surface/definition/definition.js';
export type { PageEnvironment } from '../surface/document/page-environment.js';
export type {
  InspectedPeer, InspectedSettings, InspectedSurface, Inspection, InspectionEvent,
} from '../surface/inspection.js';
export type { InspectedFrame, SettleEnd, SettleMoment, WorkKind } from '../protocol/inspection.js';
export type { ObservationSource } from '../surface/mounts/observation-source.js';
export type {
  Consent,
  MountedSurface,
  MountOptions,
  RuntimeEvent,
  RuntimeWiring,
  Snapshot,
  SurfaceRuntime,
} from '../surface/runtime.js';
export type { AttachmentHost, SurfaceRuntimeOptions } from '../surface/runtime-options.js';
export type { SocketSettings } from '../transports/socket-settings.js';
export type { SocketLike } from '../transports/socket-like.js';
export type { ApprovalGrant, ApprovalRequest } from '../protocol/approval.js';
export type { CallReport, SettledJob } from '../protocol/engine-messages.js';
export type { Release } from '../protocol/ports.js';
export type { EngineHost, EngineHostFactory } from '../protocol/engine-host.js';
