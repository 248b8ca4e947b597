import type { JSONSchema, JsonObject } from '../../src/protocol/json.js';
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
