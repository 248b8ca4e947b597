/** `oui-elements/compat/core`: the names and the behaviour of `oui-spec/core`. */
import { createInstance } from '../compat/create-oui.js';
import type { AnySurface, CheckedConfig, OUIInstance } from '../compat/create-oui.js';
import type { SurfaceForm, SurfaceRuntime, SurfaceRuntimeOptions } from '../compat/runtime-types.js';
import * as LIMITS from '../protocol/limits.js';
import { createCompatRuntime } from '../compat/surface-runtime.js';
import { compatWiring } from './compat-wiring.js';

/**
 * The runtime of a page: keeps what is mounted, and answers every request that comes on the socket.
 *
 * @throws {RangeError} for a `form` or an `announce` that is none.
 */
export function createSurfaceRuntime(options: SurfaceRuntimeOptions & { form: 'index' }): SurfaceRuntime<'index'>;
export function createSurfaceRuntime(options?: SurfaceRuntimeOptions & { form?: 'full' }): SurfaceRuntime<'full'>;
export function createSurfaceRuntime(options: SurfaceRuntimeOptions): SurfaceRuntime<SurfaceForm>;
export function createSurfaceRuntime(options: SurfaceRuntimeOptions = {}): SurfaceRuntime<SurfaceForm> {
  return createCompatRuntime(options, compatWiring);
}

/**
 * A fixed set of surfaces on one socket. An instance of `oui-spec` registers them; this one answers their requests too.
 *
 * @throws {Error} for a configuration that does not compile: no socket, no surfaces, one surface id twice.
 */
export function createOUI<const Surfaces extends readonly AnySurface[]>(config: CheckedConfig<Surfaces>): OUIInstance {
  return createInstance<Surfaces>(config, compatWiring);
}

/** The most files that one list of an input takes. */
export const ATTACHMENT_LIST_MAX: number = LIMITS.attachmentsInList;

export { defineSurface } from '../compat/define-surface.js';
export { OUI_PROTOCOL_EVENTS } from '../compat/event-names.js';
export { acceptCurrentTurn } from '../surface/requests/accept-current-turn.js';
export type { DuplicateIds, OUIConfigError, ValidateSurfaceIds } from '../compat/config-checks.js';
export type { OUIConfig, OUIInstance, OwnedTransport } from '../compat/create-oui.js';
export type {
  AttachmentResolver,
  AttachmentText,
  MountedSurface,
  SettleOptions,
  SurfaceForm,
  SurfaceRuntime,
  SurfaceRuntimeOptions,
} from '../compat/runtime-types.js';
export type {
  ActionDefinition,
  ActionHandlerResult,
  ActionPollingConfig,
  DefinedSurface,
  ObservationDefinition,
  OUIBranded,
  SurfaceDefinition,
} from '../compat/surface-types.js';
export type {
  JSONSchema,
  OUIAction,
  OUIActionPolling,
  OUIActionRequest,
  OUIActionResult,
  OUIActivation,
  OUIObservation,
  OUIObservationSnapshot,
  OUIObservationUpdate,
  OUIProtocolEvent,
  OUISurface,
  OUISurfaceDeregistration,
  OUISurfaceRegistration,
  OUISurfaceSnapshot,
} from '../compat/wire-types.js';
