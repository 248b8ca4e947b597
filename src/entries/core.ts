/** `oui-elements/core`: surfaces and their runtime, without elements. */
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

export { acceptCurrentTurn } from '../surface/requests/accept-current-turn.js';
export { defineSurface, isDefinedSurface } from '../surface/definition/define-surface.js';
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
export type { SocketSettings } from '../surface/link/own-transport.js';
export type { SocketLike } from '../transports/socket-like.js';
export type { ApprovalGrant, ApprovalRequest } from '../protocol/approval.js';
export type { CallReport, SettledJob } from '../protocol/engine-messages.js';
export type { EngineHost, EngineHostFactory, Release } from '../protocol/ports.js';
