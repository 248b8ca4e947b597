import type { OUIError } from '../../src/protocol/events.js';
import type { JSONSchema, JsonObject } from '../../src/protocol/json.js';
import { buildPointer, parsePointer, resolvePointer } from '../../src/protocol/json-pointer.js';
import { isJsonObject } from '../../src/protocol/shape.js';
import { formField, optionOf } from './form-field.js';

/** Shown instead of a value that must not be seen. */
export const HIDDEN_VALUE = '••••••';

/**
 * A value as it may be shown and exported: what its schema calls a password, or says that it is written only, is
 * hidden. `null` schemas hide nothing.
 */
export function withoutSecrets(
  value: unknown,
  schema: JSONSchema | null,
  root: JSONSchema | null = schema,
  depth = 32,
): unknown {
  if (schema === null || root === null || value === undefined || depth <= 0) return value;
  const field = formField(schema, root);
  if (field.schema['writeOnly'] === true || field.schema['format'] === 'password') return HIDDEN_VALUE;
  if (field.kind === 'choice') {
    const option = field.options[optionOf(value, field.options, root)];
    return option ? withoutSecrets(value, option.schema, root, depth - 1) : value;
  }
  if (field.kind === 'list' && Array.isArray(value)) {
    return value.map((item: unknown, index) => withoutSecrets(item, field.item(index) ?? null, root, depth - 1));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const named = field.kind === 'object' ? field.properties : [];
  const schemas = new Map(named.map((property) => [property.name, property.schema]));
  const others = otherMembers(field.schema);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => {
    const own = schemas.get(name);
    const candidates = own === undefined ? others : [own];
    return [name, candidates.reduce<unknown>((shown, each) => withoutSecrets(shown, each, root, depth - 1), member)];
  }));
}

/** Schemas of members that are not named. Which pattern a name fits is not asked: what is hidden needlessly does no harm. */
function otherMembers({ additionalProperties, patternProperties }: JsonObject): JSONSchema[] {
  const byPattern = Object.values((patternProperties ?? {}) as { readonly [pattern: string]: JSONSchema });
  return additionalProperties === undefined ? byPattern : [...byPattern, additionalProperties as JSONSchema];
}

/** An error without what it says of values that must not be seen. `shown`: the params, as `withoutSecrets` has them. */
export function errorWithoutSecrets(error: OUIError, shown: unknown): OUIError {
  const issues = isJsonObject(error.details) ? error.details['errors'] : undefined;
  if (!Array.isArray(issues)) return error;
  let { message } = error;
  const errors = issues.map((issue: unknown) => {
    if (!isJsonObject(issue) || !isHidden(shown, String(issue['path']))) return issue;
    const { path, keyword, message: said } = issue;
    const instead = `${String(path)}: ${HIDDEN_VALUE}`;
    message = message.replaceAll(String(said), () => instead);
    return { path, keyword, message: instead };
  });
  return { ...error, message, details: { ...(error.details as JsonObject), errors } };
}

/** Whether the value at this place, or one that it is a part of, is hidden. */
function isHidden(shown: unknown, pointer: string): boolean {
  const steps = parsePointer(pointer) ?? [];
  return [...steps, ''].some((_, count) => resolvePointer(shown, buildPointer(steps.slice(0, count))) === HIDDEN_VALUE);
}
