import type { JsonObject, JSONSchema } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';
import { isJsonObject } from '../protocol/shape.js';
import { clipText } from './clip-text.js';
import { resolveRefs } from './local-refs.js';
import { summarizeValue, typesOf, unionOf } from './value-summary.js';

/** How many properties are named. */
const PROPERTIES = 6;
/** An input put together of more parts than this is summarised from the first. */
const MAX_PARTS = 16;
const LENGTH = LIMITS.indexInputLength;

interface Properties {
  readonly schemas: Map<string, unknown>;
  readonly required: Set<unknown>;
}

/**
 * What an action takes, in one line of at most 120 UTF-16 units (PROTOCOL.md §4, "The index form"): for a model to
 * read, not to be parsed. The required properties come first, then the optional ones with a `?`, six in all.
 *
 * Looks into a schema no deeper than the line shows, follows local `$ref`s, and takes a part that is no schema for
 * one that says nothing. Never throws.
 */
export function summarizeInput(schema: JSONSchema): string {
  // Twice the length, so that the last of a surrogate pair is seen; and a line of its own for nothing in a name.
  const line = inputLine(schema).slice(0, 2 * LENGTH).replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]/g, ' ');
  return clipText(line, LENGTH);
}

function inputLine(schema: unknown): string {
  const own = resolveRefs(schema, schema);
  // A reference that leads nowhere may stand for anything; `true` and what is no schema ask for nothing.
  if (own === undefined) return isJsonObject(schema) ? 'any' : 'none';
  const union = unionOf(own);
  if (union !== undefined) {
    const by = discriminatorOf(union, schema);
    return `one of ${union.length} shapes${by === undefined ? '' : ` by ${by.slice(0, LENGTH)}`}`;
  }
  const properties: Properties = { schemas: new Map(), required: new Set() };
  collectProperties(own, schema, properties);
  return properties.schemas.size === 0 ? withoutProperties(own, schema) : propertyLine(properties, schema);
}

/** Properties of the schema itself and of the parts it is put together of. */
function collectProperties(schema: JsonObject, root: unknown, found: Properties): void {
  const parts = Array.isArray(schema['allOf']) ? schema['allOf'].slice(0, MAX_PARTS) : [];
  for (const part of [schema, ...parts.map((each) => resolveRefs(each, root))]) {
    if (part === undefined) continue;
    const { properties, required } = part;
    if (isJsonObject(properties)) {
      for (const name of Object.keys(properties)) {
        if (!found.schemas.has(name)) found.schemas.set(name, properties[name]);
      }
    }
    if (Array.isArray(required)) required.forEach((name) => found.required.add(name));
  }
}

function propertyLine({ schemas, required }: Properties, root: unknown): string {
  const names = [...schemas.keys()];
  // Six of each are enough to choose the first six from.
  const first = names.filter((name) => required.has(name)).slice(0, PROPERTIES);
  const shown = [...first, ...names.filter((name) => !required.has(name)).slice(0, PROPERTIES - first.length)];
  const parts = shown.map((name) => {
    const mark = required.has(name) ? '' : '?';
    return `${name.slice(0, LENGTH)}${mark}: ${summarizeValue(schemas.get(name), root)}`;
  });
  if (names.length > shown.length) parts.push(`+${names.length - shown.length} more`);
  return parts.join(', ');
}

/** An input that names no property: none, any property at all, or no object. */
function withoutProperties(schema: JsonObject, root: unknown): string {
  const open = schema['additionalProperties'] === true || isJsonObject(schema['additionalProperties']);
  if (open || isJsonObject(schema['patternProperties'])) return 'object';
  const types = typesOf(schema);
  const named = Object.hasOwn(schema, 'const') || Array.isArray(schema['enum']);
  return named || !(types.length === 0 || types.includes('object')) ? summarizeValue(schema, root) : 'none';
}

/** The first property that is another constant in each member of a union. */
function discriminatorOf(members: readonly unknown[], root: unknown): string | undefined {
  let candidates: Map<string, Set<unknown>> | undefined;
  for (const member of members) {
    const properties = resolveRefs(member, root)?.['properties'];
    if (!isJsonObject(properties)) return undefined;
    candidates ??= new Map(Object.keys(properties).map((name) => [name, new Set()]));
    for (const [name, seen] of candidates) {
      const constant = Object.hasOwn(properties, name) ? constantOf(properties[name], root) : undefined;
      if (constant === undefined || seen.has(constant[0])) candidates.delete(name);
      else seen.add(constant[0]);
    }
    if (candidates.size === 0) return undefined;
  }
  return candidates?.keys().next().value;
}

/** The one value that a schema lets through, wrapped; undefined when there are several, or when it is no primitive. */
function constantOf(schema: unknown, root: unknown): readonly [unknown] | undefined {
  const own = resolveRefs(schema, root);
  if (own === undefined) return undefined;
  const values: unknown = Object.hasOwn(own, 'const') ? [own['const']] : own['enum'];
  if (!Array.isArray(values) || values.length !== 1) return undefined;
  const value: unknown = values[0];
  return typeof value === 'object' && value !== null ? undefined : [value];
}
