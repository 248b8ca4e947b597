import type { JSONSchema, JsonObject } from '../protocol/json.js';
import { isJsonObject } from '../protocol/shape.js';
import { resolveRefs } from './local-refs.js';

/** Params with defaults, and what the defaults added. */
export interface FilledParams {
  /** The params themselves when nothing was added, else a copy that shares what did not change. */
  readonly params: unknown;
  /** Only what was added, by property; for a nested object or list an object of the same kind. Empty when nothing. */
  readonly filled: JsonObject;
}

interface Filled {
  readonly value: unknown;
  readonly added: JsonObject | undefined;
}

/** The property's own default, else that of the definition it refers to. */
function declaredDefault(property: unknown, root: unknown): unknown {
  for (const schema of [property, resolveRefs(property, root)]) {
    if (isJsonObject(schema) && Object.hasOwn(schema, 'default')) return schema['default'];
  }
  return undefined;
}

function fill(schema: unknown, root: unknown, value: unknown): Filled {
  const own = resolveRefs(schema, root);
  if (own === undefined) return { value, added: undefined };
  if (Array.isArray(value)) return isJsonObject(own['items']) ? fillItems(own['items'], root, value) : same(value);
  const properties = own['properties'];
  if (!isJsonObject(value) || !isJsonObject(properties)) return same(value);

  const changed: [key: string, value: unknown][] = [];
  const added: { [key: string]: unknown } = {};
  for (const [key, property] of Object.entries(properties)) {
    if (key === '__proto__') continue;
    const present = Object.hasOwn(value, key) ? value[key] : undefined;
    if (present !== undefined) {
      const inner = fill(property, root, present);
      if (inner.added === undefined) continue;
      changed.push([key, inner.value]);
      added[key] = inner.added;
    } else {
      const declared = declaredDefault(property, root);
      if (declared === undefined) continue;
      // Copies: a handler that writes into its params must not write into the schema.
      changed.push([key, copy(declared)]);
      added[key] = copy(declared);
    }
  }
  if (changed.length === 0) return same(value);
  // Object.fromEntries defines its members, so that no key can reach a prototype.
  return { value: { ...value, ...Object.fromEntries(changed) }, added };
}

function fillItems(items: JsonObject, root: unknown, list: readonly unknown[]): Filled {
  const added: { [index: string]: unknown } = {};
  let changed: unknown[] | undefined;
  list.forEach((item, index) => {
    const inner = fill(items, root, item);
    if (inner.added === undefined) return;
    changed ??= [...list];
    changed[index] = inner.value;
    added[index] = inner.added;
  });
  return changed === undefined ? same(list) : { value: changed, added };
}

function same(value: unknown): Filled {
  return { value, added: undefined };
}

function copy(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.parse(JSON.stringify(value)) : value;
}

function allowsObject(schema: JSONSchema): boolean {
  if (typeof schema === 'boolean') return schema;
  const type = schema['type'];
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
}

/**
 * Fills in the `default`s that an input schema declares (PROTOCOL.md §2, step 12): of its own properties, and of
 * objects below them that are present, in lists too. Looks at `properties`, `items` and local `$ref`s; a default
 * inside a union says nothing about which member was meant, and is left alone. Params that are absent altogether
 * become `{}` when the schema takes an object.
 *
 * Changes neither argument, reads own members only and never writes `__proto__`.
 */
export function fillDefaults(schema: JSONSchema, params: unknown): FilledParams {
  const present = params === undefined && allowsObject(schema) ? {} : params;
  const { value, added } = fill(schema, schema, present);
  return { params: value, filled: added ?? {} };
}
