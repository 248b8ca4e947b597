import type { JSONSchema, JsonObject } from '../../src/protocol/json.js';

/** References and members of `allOf` that are followed for one field: more is a circle, or a plugin's trap. */
const STEPS = 100;

/** The schema with local references followed, and the members of `allOf` put together. */
export function resolvedSchema(schema: JSONSchema, root: JSONSchema, left = { steps: STEPS }): JsonObject {
  if (typeof schema !== 'object' || schema === null) return {};
  const { $ref, allOf, ...own } = schema as JsonObject;
  const parts: JSONSchema[] = [];
  const referred = typeof $ref === 'string' ? localSchema($ref, root) : undefined;
  if (referred !== undefined) parts.push(referred);
  if (Array.isArray(allOf)) parts.push(...(allOf as JSONSchema[]));
  if (parts.length === 0 || left.steps <= 0) return own;
  // Counted over all of them: two references in each of thirty schemas are a thousand million.
  left.steps -= parts.length;
  return parts.map((part) => resolvedSchema(part, root, left)).reduceRight(
    (merged, part) => mergedSchemas(part, merged),
    own,
  );
}

/** The one type of a schema, said or told by its keywords. */
export function typeOf(schema: JsonObject): string | undefined {
  const { type } = schema;
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return type.length === 1 ? (type[0] as string) : undefined;
  if (schema['properties'] !== undefined) return 'object';
  return schema['items'] !== undefined || schema['prefixItems'] !== undefined ? 'array' : undefined;
}

/** The second's members stand; properties and what is required are put together. */
export function mergedSchemas(first: JsonObject, second: JsonObject): JsonObject {
  const properties = { ...(first['properties'] as object | undefined), ...(second['properties'] as object | undefined) };
  const required = [...new Set([...list(first['required']), ...list(second['required'])])];
  return {
    ...first,
    ...second,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

/** `#/$defs/name`, or `#`. Others are another document's, or lead nowhere. */
export function localSchema(reference: string, root: JSONSchema): JSONSchema | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let found: unknown = root;
  for (const step of reference.split('/').slice(1)) {
    const name = decoded(step).replace(/~1/g, '/').replace(/~0/g, '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as JsonObject)[name];
  }
  return found as JSONSchema;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? (value as string[]) : [];
}
