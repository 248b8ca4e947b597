import type { EnumSource } from './definition.js';
import { standardOf } from './wire-schema.js';

/** What these hold is data, and functions in it are no schemas'. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'examples']);
/** In these the keys are names of the author's, not keywords. */
const NAMED: ReadonlySet<unknown> = new Set([
  'properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas',
]);
/** Deeper schemas are refused. */
const MAX_DEPTH = 200;

/**
 * The `enum`s of a schema that are functions, wherever they stand. `path` begins at the schema. A schema of a library
 * has none: its enums are its own.
 */
export function enumSources(schema: unknown): Omit<EnumSource, 'actionId'>[] {
  const found: Omit<EnumSource, 'actionId'>[] = [];
  if (standardOf(schema) === undefined) visit(schema, [], found);
  return found;
}

function visit(value: unknown, path: readonly (string | number)[], found: Omit<EnumSource, 'actionId'>[]): void {
  if (typeof value !== 'object' || value === null || path.length > MAX_DEPTH) return;
  if (Array.isArray(value)) return value.forEach((item, index) => visit(item, [...path, index], found));
  // A property may be called `properties` itself.
  const named = NAMED.has(path.at(-1)) && !NAMED.has(path.at(-2));
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === 'function' && key === 'enum') found.push({ path, values: member as EnumSource['values'] });
    else if (typeof member === 'object' && (named || !DATA.has(key))) visit(member, [...path, key], found);
  }
}
