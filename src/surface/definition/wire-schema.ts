import { messageOf } from '../../protocol/error-message.js';
import { isJsonObject } from '../../protocol/shape.js';

/** The members of the Standard Schema interfaces that are looked at, as unchecked. */
export interface StandardMembers {
  readonly vendor?: unknown;
  readonly validate?: unknown;
  readonly jsonSchema?: { readonly [side in 'input' | 'output']?: unknown };
}

/** The `~standard` of a library's schema; undefined for anything else. Some libraries' schemas are functions. */
export function standardOf(schema: unknown): StandardMembers | undefined {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return undefined;
  const standard = (schema as { readonly '~standard'?: unknown })['~standard'];
  return typeof standard === 'object' && standard !== null ? standard : undefined;
}

/**
 * A schema as it crosses the wire: a library's as JSON Schema of draft 2020-12, any other value as it is. `input` is
 * what a value is before the library has parsed it, `output` after.
 *
 * @throws {TypeError} when the library cannot say it, in words that follow on the name of the member.
 */
export function wireSchema(schema: unknown, side: 'input' | 'output'): unknown {
  const standard = standardOf(schema);
  if (standard === undefined) return schema;
  const vendor = JSON.stringify(standard.vendor ?? 'a library');
  const convert = standard.jsonSchema?.[side];
  if (typeof convert !== 'function') {
    const way = 'wrap it, as toStandardJsonSchema() of @valibot/to-json-schema does for valibot';
    throw new TypeError(`is a schema of ${vendor} without a JSON Schema that an agent could read: ${way}`);
  }
  let converted: unknown;
  try {
    converted = convert.call(standard.jsonSchema, { target: 'draft-2020-12' });
  } catch (error) {
    throw new TypeError(`has no form as JSON Schema: ${vendor} says ${JSON.stringify(messageOf(error))}`);
  }
  if (!isJsonObject(converted)) return converted;
  // Every schema of a manifest is of this draft (specification §1.5).
  const { $schema: _draft, ...wire } = converted;
  return wire;
}
