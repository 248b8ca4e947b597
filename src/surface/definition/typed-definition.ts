import type { ActionDefinition, ObservationDefinition, SurfaceDefinition } from './definition.js';
import type { ActionCall } from './definition.js';
import type { AnswerOf, OnTheWire, ParamsOf, ValueOf } from './schema-values.js';

/**
 * How `defineSurface` reads a definition for the compiler. Each list of members is told in several lists: `Inputs` are
 * the schemas of the actions' inputs in their order, `Outputs` their outputs, `Intervals` their polling intervals, and
 * so on. The compiler infers such a list from a mapped tuple, one for each; the unions below hold one to check a
 * definition against, and for each further list one that nothing fits, which is there to infer from.
 */
type List = readonly unknown[];

/** The item of a list in the same place. */
type ItemOf<Items extends List, Index> = Index extends keyof Items ? Items[Index] : unknown;

/** An action, with what its schemas say of its handler. */
interface TypedAction<Ctx, Input, Output, Interval>
  extends Omit<ActionDefinition<Ctx>, 'input' | 'output' | 'handler'> {
  readonly input: Input & OnTheWire<Input>;
  readonly output?: unknown;
  /** What a job's handler returns is what the job is known by; `output` is about its end. */
  handler(
    params: ParamsOf<Input>,
    context: Ctx,
    call: ActionCall,
  ): unknown extends Interval ? AnswerOf<Output> : unknown;
}

interface TypedObservation<Id, Schema> extends Omit<ObservationDefinition, 'id' | 'schema'> {
  readonly id: Id;
  readonly schema: Schema & OnTheWire<Schema>;
}

/** Nothing fits these, since no description is `never`; the first member is inferred from. */
interface OutputSite<Output> {
  readonly output?: Output;
  readonly description: never;
}
interface IntervalSite<Interval> {
  readonly polling?: { readonly intervalMs: Interval };
  readonly description: never;
}
interface SchemaSite<Schema> {
  readonly schema: Schema;
  readonly description: never;
}

/** A surface as its author writes it, with its schemas as types. */
export interface TypedSurface<
  Ctx,
  Id,
  Inputs extends List,
  Outputs extends List,
  Intervals extends List,
  ObservationIds extends List,
  Schemas extends List,
> extends Omit<SurfaceDefinition<Ctx>, 'id' | 'actions' | 'observations'> {
  readonly id: Id;
  readonly actions:
    | {
        readonly [Index in keyof Inputs]: TypedAction<
          Ctx,
          Inputs[Index],
          ItemOf<Outputs, Index>,
          ItemOf<Intervals, Index>
        >;
      }
    | { readonly [Index in keyof Outputs]: OutputSite<Outputs[Index]> }
    | { readonly [Index in keyof Intervals]: IntervalSite<Intervals[Index]> };
  readonly observations?:
    | { readonly [Index in keyof ObservationIds]: TypedObservation<ObservationIds[Index], ItemOf<Schemas, Index>> }
    | { readonly [Index in keyof Schemas]: SchemaSite<Schemas[Index]> }
    | undefined;
}

/** The values of a surface's observations by id, where the ids are known to the compiler. */
export type ObservationValues<Ids extends List, Schemas extends List> = string extends Ids[number]
  ? { [id: string]: unknown }
  : {
      [Index in Exclude<keyof Ids, keyof List> as Ids[Index] & string]: ValueOf<ItemOf<Schemas, Index>>;
    };
