import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import type { FromSchema, JSONSchema as LiteralSchema } from 'json-schema-to-ts';
import type { ActionParams, HandlerEnvelope, StandardInput } from './definition.js';

/**
 * What a schema says of a value, for the compiler: of a literal JSON Schema, and of a schema of a library that has the
 * Standard JSON Schema interface. `Otherwise` of everything else: schemas that are known at run time only.
 */
export type ValueOf<Schema, Otherwise = unknown> = 0 extends 1 & Schema
  ? Otherwise
  : [boolean] extends [Schema]
    ? Otherwise
    : Schema extends StandardSchemaV1<unknown, infer Output>
      ? Output
      : Schema extends StandardJSONSchemaV1<infer Input, unknown>
        ? Input
        : string extends keyof Schema
          ? Otherwise
          : // By way of `infer`: the compiler would else spell the whole of `LiteralSchema` out for each open type.
            WithPlainEnums<Schema> extends infer Plain
            ? FromLiteral<Plain, Otherwise>
            : never;

type FromLiteral<Schema, Otherwise> = Schema extends LiteralSchema ? Declared<FromSchema<Schema>> : Otherwise;

/** An enum that is a function has the values that it returns. */
type WithPlainEnums<Schema> = {
  [Keyword in keyof Schema]: Keyword extends 'enum'
    ? Schema[Keyword] extends (...context: never) => readonly (infer Value)[]
      ? readonly Value[]
      : Schema[Keyword]
    : Schema[Keyword] extends object
      ? WithPlainEnums<Schema[Keyword]>
      : Schema[Keyword];
};

/** An object with the members that are declared: others may be there, but a misspelt name is more often meant. */
type Declared<Value> = unknown extends Value
  ? Value
  : Value extends string | number | boolean | null | undefined
    ? Value
    : Value extends readonly unknown[]
      ? { [Index in keyof Value]: Declared<Value[Index]> }
      : [DeclaredName<Value>] extends [never]
        ? Value
        : {
            [Name in keyof Value as string extends Name
              ? unknown extends Value[Name]
                ? never
                : Name
              : Name]: Declared<Value[Name]>;
          };

type DeclaredName<Value> = keyof { [Name in keyof Value as string extends Name ? never : Name]: true };

/** A handler's params, as its action's `input` says; their members are `unknown` where that is no literal. */
export type ParamsOf<Input> = ValueOf<Input, ActionParams>;

/** What a handler returns where its action declares `output`: the data, or an envelope around them. */
export type AnswerOf<Output> = unknown extends Output
  ? unknown
  : Answer<ValueOf<Output>> | Promise<Answer<ValueOf<Output>>>;

type Answer<Data> = Data | HandlerEnvelope<Data>;

/** Refuses what cannot go on the wire; the text is in the compiler's message. */
export type OnTheWire<Schema> = Schema extends StandardSchemaV1
  ? Schema extends StandardInput
    ? unknown
    : 'This schema has no JSON Schema that an agent could read: wrap it, as toStandardJsonSchema() does for valibot.'
  : unknown;
