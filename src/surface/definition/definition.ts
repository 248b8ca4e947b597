import type { OUIActionResult, OUIError } from '../../protocol/events.js';
import type { StandardJSONSchemaV1 } from '@standard-schema/spec';
import type { JSONSchema } from '../../protocol/json.js';
import type { OUIAction, OUIObservation, OUIPollingManifest, OUISurface } from '../../protocol/manifest.js';

/**
 * Parameters as a handler gets them when nothing is known of the action's `input` while compiling: validated against
 * it, with defaults filled in. Members are `unknown` until the handler says what it expects, which needs no cast:
 * `handler({ title }: { title: string }) { … }`. A literal schema says it by itself (`defineSurface`).
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
  /** A grant that `grantApproval` took. The request runs on it, or ends `APPROVAL_REQUIRED`; the user is not asked. */
  readonly approval?: { readonly approvalId: string; readonly argsHash: string };
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
 * A schema of a library that speaks the Standard JSON Schema interface: zod 4 and arktype as they are, valibot by way of
 * `toStandardJsonSchema` of `@valibot/to-json-schema`. Agents see its JSON Schema (draft 2020-12). Params are validated
 * against that; then the library's own `validate`, if it has one, refines and transforms them for the handler.
 */
export type StandardInput = StandardJSONSchemaV1;

/** A result that says whether it went well. Any other value that a handler returns is the data themselves. */
export interface HandlerEnvelope<Data = unknown> {
  readonly success: boolean;
  readonly data?: Data;
  /** Where `success` is false. */
  readonly error?: unknown;
  /** What a job is followed by when there are no `data`. */
  readonly dispatchMeta?: unknown;
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

/** What one look at a job found. */
export interface PollAnswer {
  /** The job has ended: with this `error`, or well. */
  readonly done: boolean;
  /** JSON. While the job runs, its status; in the end, the final result's `data`, beside an `error` too. */
  readonly data?: unknown;
  readonly error?: OUIError;
}

/**
 * How the page follows a job that its handler has started (PROTOCOL.md §2, async actions). With neither `resolve` nor
 * `subscribe` the job ends with the handler. With both, whichever ends first.
 */
export interface ActionPolling<Ctx = unknown> extends OUIPollingManifest {
  /**
   * ms between two looks; the first comes one interval after the handler returned. They never overlap: a slow one is
   * waited for. 0 is allowed where there is no `resolve`.
   */
  readonly intervalMs: number;
  /** So many looks that did not find the end are a `TIMEOUT`. Default: no limit. */
  readonly maxAttempts?: number;
  /** ms from the acknowledgment; then the job is a `TIMEOUT`. Default: no limit. */
  readonly maxDurationMs?: number;
  /**
   * Looks how far the job is. Gets the `data` that the handler returned, else its `dispatchMeta`, and the context of
   * the present mount. A throw, a rejection or anything but an answer is told as a status; the job goes on.
   * Declared as a method so that it may name the shape of what its own handler returned.
   */
  resolve?(dispatchResult: unknown, context: Ctx): PollAnswer | Promise<PollAnswer>;
  /**
   * Waits for an event: a message of this type from the agent's end, `runtime.emit`, or a DOM event on the surface's
   * element (its payload is `detail`). The payload is the final result's `data`; a payload whose own `error` has a
   * `code` and a `message` is a failure with that error.
   *
   * `filter`: members that the payload must have, equal as JSON. A text `$dispatchResult.path.to.it` stands for that
   * part of the dispatch result; everything else for itself. A path that leads nowhere ends the job with an error.
   */
  readonly subscribe?: { readonly event: string; readonly filter?: { readonly [key: string]: unknown } };
}

/** An action of a surface: what the agent sees, and the page's own part that never crosses the wire. */
export interface ActionDefinition<Ctx = unknown> extends Omit<OUIAction, 'enabled' | 'input' | 'output'> {
  /**
   * A JSON Schema, or a schema of a library. Anywhere in a JSON Schema an `enum` may be a function of the surface's
   * context, synchronous, that returns the list of its values: `{ type: 'string', enum: (page: Page) => page.names }`.
   * It is asked when `enabled` functions are; the agent hears of a change without a new mount. While it throws, or
   * returns no list of JSON values, the values stay as they were; before the first good answer there is no enum.
   */
  readonly input: JSONSchema | StandardInput;
  /** What the result's `data` are: a JSON Schema, or a schema of a library. */
  readonly output?: JSONSchema | StandardInput;
  readonly handler: ActionHandler<Ctx>;
  /** Makes the action asynchronous: its handler starts a job, and the page follows it to its end. */
  readonly polling?: ActionPolling<Ctx>;
  /** A new job of this action ends the older one with `SUPERSEDED`. Default: they run side by side. */
  readonly singleFlight?: boolean;
  /**
   * The job lives elsewhere: after a reload the next document of the tab follows it, with what the handler returned
   * as JSON. Needs `polling.resolve` or `polling.subscribe`. Default false.
   */
  readonly resumable?: boolean;
  /**
   * Whether the action can be used now. Default true. A function of the surface's context, synchronous, says `true`,
   * `false`, or a text: that it cannot, and why, for the agent. Without a text `disabledReason` is the reason.
   *
   * It is asked again when a signal changes that it or the context getter reads, after every handler, by `update` and
   * `refresh` of the mounted surface, and right before the handler starts. One that throws counts as not available.
   */
  readonly enabled?: boolean | ((context: Ctx) => boolean | string);
  /**
   * What the result waits for after the handler. Default: until the page is quiet, and nothing for a pure read.
   * `none`: nothing. `sync`: the handler's own work is all there is; rendering only.
   */
  readonly settle?: 'none' | 'sync';
}

/** A piece of state that the agent can read. */
export interface ObservationDefinition extends Omit<OUIObservation, 'schema'> {
  /** What its values are: a JSON Schema, or a schema of a library. */
  readonly schema: JSONSchema | StandardInput;
}

/** A surface as its author writes it (specification §3.1). `Ctx` is what handlers get as their second argument. */
export interface SurfaceDefinition<Ctx = unknown> extends Omit<OUISurface, 'actions' | 'observations'> {
  readonly actions: readonly ActionDefinition<Ctx>[];
  readonly observations?: readonly ObservationDefinition[];
}

/** Marks what `defineSurface` has checked. Shared by every copy of the library on a page. */
export const SURFACE_BRAND: unique symbol = Symbol.for('oui-elements.surface');

/** An `enum` that is a function of the context, and where it stands. */
export interface EnumSource {
  readonly actionId: string;
  /** Steps from the action's `input` to the schema that has the `enum`. */
  readonly path: readonly (string | number)[];
  readonly values: (context: never) => unknown;
}

/**
 * A checked surface. Only `defineSurface` makes one. `Ctx` is the context that its handlers need, `Id` its id and
 * `Values` the values of its observations, as far as the compiler knows them.
 */
export interface DefinedSurface<
  Ctx = unknown,
  Id extends string = string,
  Values extends { readonly [id: string]: unknown } = { readonly [id: string]: unknown },
> extends SurfaceDefinition<Ctx> {
  readonly id: Id;
  readonly [SURFACE_BRAND]: {
    /** What crosses the wire, without the enums that are functions. */
    readonly manifest: OUISurface;
    /** Observations that the manifest does not have are taken too. */
    readonly undeclaredObservations?: boolean;
    /** Its author is elsewhere: advice would reach nobody. */
    readonly strangers?: boolean;
    readonly enums: readonly EnumSource[];
    /** Never there. Keeps a surface from being mounted with another surface's context. */
    readonly context?: (context: Ctx) => void;
    /** Never there. What `pushObservation` takes. */
    readonly values?: Values;
  };
}
