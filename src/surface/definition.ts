import type { OUIActionResult } from '../protocol/events.js';
import type { OUIAction, OUIObservation, OUISurface } from '../protocol/manifest.js';

/**
 * Parameters as a handler gets them: validated against the action's `input`, with defaults filled in.
 * Members are `unknown` until the handler says what it expects, which needs no cast:
 * `handler({ title }: { title: string }) { … }`.
 */
export type ActionParams = { readonly [name: string]: unknown };

/** A request of the page's own (specification §7.3.1). */
export interface ExecuteRequest {
  readonly surfaceId: string;
  readonly actionId: string;
  /** JSON. Default `{}`. */
  readonly params?: unknown;
  /** Default: a fresh random id. An id that is open already returns the open call. */
  readonly requestId?: string;
  /** Withdraws the request. The call then ends with `oui:cancelled`. */
  readonly signal?: AbortSignal;
}

/** The third argument of a handler: this one call. */
export interface ActionCall {
  readonly requestId: string;
  /** Fires when the call ended without the handler: its deadline, a cancel, the user's stop, `dispose`. */
  readonly signal: AbortSignal;
  /** Reports how far an async action has come. Any JSON value; only the newest matters. */
  progress(value: unknown): void;
  /**
   * Runs another action as part of this one. It skips the queue of its surface and still needs the user's approval
   * where that action asks for one. Always resolves. Withdrawn when `signal` fires.
   */
  execute(request: ExecuteRequest): Promise<OUIActionResult>;
}

/**
 * Does the work of an action. Called asynchronously; may return a promise.
 *
 * What it returns is the result's `data`, unless it is an envelope: an object with a boolean `success` and no own key
 * outside `success`, `data`, `error`, `dispatchMeta`. A throw or a rejection becomes `EXECUTION_ERROR` with the error's
 * message. Declared as a method so that a handler may name the shape of its own parameters.
 */
export type ActionHandler<Ctx> = {
  handler(params: ActionParams, context: Ctx, call: ActionCall): unknown;
}['handler'];

/** An action of a surface: what the agent sees, and the page's own part that never crosses the wire. */
export interface ActionDefinition<Ctx = unknown> extends OUIAction {
  readonly handler: ActionHandler<Ctx>;
  /**
   * What the result waits for after the handler. Default: until the page is quiet, and nothing for a pure read.
   * `none`: nothing. `sync`: the handler's own work is all there is; rendering only.
   */
  readonly settle?: 'none' | 'sync';
}

/** A piece of state that the agent can read. */
export type ObservationDefinition = OUIObservation;

/** A surface as its author writes it (specification §3.1). `Ctx` is what handlers get as their second argument. */
export interface SurfaceDefinition<Ctx = unknown> extends Omit<OUISurface, 'actions' | 'observations'> {
  readonly actions: readonly ActionDefinition<Ctx>[];
  readonly observations?: readonly ObservationDefinition[];
}

/** Marks what `defineSurface` has checked. Shared by every copy of the library on a page. */
export const SURFACE_BRAND: unique symbol = Symbol.for('oui-elements.surface');

/** A checked surface. Only `defineSurface` makes one. */
export interface DefinedSurface<Ctx = unknown> extends SurfaceDefinition<Ctx> {
  readonly [SURFACE_BRAND]: {
    /** What crosses the wire. */
    readonly manifest: OUISurface;
    /** Never there. Keeps a surface from being mounted with another surface's context. */
    readonly context?: (context: Ctx) => void;
  };
}
