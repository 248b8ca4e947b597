import type { ActionCall, SURFACE_BRAND } from '../surface/definition/definition.js';
import type { OUISurface as Manifest } from '../protocol/manifest.js';
import type {
  JSONSchema, OUIActionPolling, OUIActivation, OUIEffectKind, OUISurface,
} from './wire-types.js';

/** Surfaces as `oui-spec` has them: what an author writes, and what `defineSurface` makes of it. */

declare const OUI_BRAND: unique symbol;

/** What only this library makes. A look-alike has no such member, so it does not compile in its place. */
export interface OUIBranded<Kind extends string> {
  readonly [OUI_BRAND]: Kind;
}

/** A context whose type nobody has named is not checked, as in `oui-spec`. */
// oxlint-disable-next-line typescript/no-explicit-any
export type UncheckedContext = any;
/** What a handler returned is what its author knows it to be. */
// oxlint-disable-next-line typescript/no-explicit-any
export type DispatchResult = any;

export interface ActionHandlerResult {
  success: boolean;
  data?: unknown;
  error?: { code: string; message: string; details?: unknown };
  /** What the job is followed by, when there is no `data`. */
  dispatchMeta?: Record<string, unknown>;
}

export interface PollingAnswer {
  done: boolean;
  data?: unknown;
  /** With `done`: the work failed. `data` is sent beside it. */
  error?: { code: string; message: string };
}

export interface ActionPollingConfig<TContext = UncheckedContext> extends OUIActionPolling {
  /** One look at the job: every `intervalMs`, never two at once. Gets the handler's `data`, else its `dispatchMeta`. */
  resolve?(dispatchResult: DispatchResult, context: TContext): Promise<PollingAnswer> | PollingAnswer;
}

export interface ActionDefinition<TContext = UncheckedContext> {
  id: string;
  description: string;
  title?: string;
  effect?: OUIEffectKind;
  input: JSONSchema;
  output?: JSONSchema;
  confirm?: boolean;
  async?: boolean;
  polling?: ActionPollingConfig<TContext>;
  usage?: string;
  preconditions?: string;
  estimatedDuration?: string;
  tags?: string[];
  /**
   * A new job of this action ends the older one with `SUPERSEDED`. Default true where there is a `polling.resolve`, as
   * `oui-spec` has it; `false` lets them run side by side.
   */
  singleFlight?: boolean;
  /** `call` is not there when `executeAction` runs it. */
  handler(
    params: Record<string, unknown>,
    context: TContext,
    call?: ActionCall,
  ): Promise<ActionHandlerResult> | ActionHandlerResult;
}

export interface ObservationDefinition {
  id: string;
  description: string;
  schema: JSONSchema;
  updateFrequency?: 'realtime' | 'on-change' | 'polling';
  /** Taken and not used, as in `oui-spec`: values come through `pushObservation`. */
  getValue?: () => unknown;
}

export interface SurfaceDefinition<TContext = UncheckedContext> {
  id: string;
  name: string;
  description: string;
  version?: string;
  activation?: OUIActivation;
  actions: ActionDefinition<TContext>[];
  observations?: ObservationDefinition[];
  metadata?: Record<string, unknown>;
}

/** A surface that `defineSurface` made. */
export interface DefinedSurface<TContext = UncheckedContext>
  extends SurfaceDefinition<TContext>, OUIBranded<'surface'> {
  /** For runtimes: what crosses the wire. */
  readonly [SURFACE_BRAND]: {
    readonly manifest: Manifest;
    readonly undeclaredObservations: true;
    readonly context?: (context: TContext) => void;
  };
  /** What an agent is offered: no functions. A copy. */
  toManifest(): OUISurface;
  /** Runs a handler, without a runtime: no approval, no attachments, no settling. Never rejects. */
  executeAction(actionId: string, params: Record<string, unknown>, context: TContext): Promise<ActionHandlerResult>;
  getActionIds(): string[];
  getPollingConfig(actionId: string): OUIActionPolling | undefined;
}
