import type { JsonObject } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';
import { isJsonObject } from '../protocol/shape.js';
import { resolveRefs } from './local-refs.js';
import { shortJson } from './short-json.js';

/** How many of an enum's values are named. */
const ENUM_VALUES = 4;
/** Deeper items fill the line with `list of`; also the end of a schema that refers to itself. */
const MAX_DEPTH = 16;
/** JSON has seven types: a longer list repeats itself. */
const MAX_TYPES = 7;
/** No part of a summary is longer than the whole. */
const LENGTH = LIMITS.indexInputLength;

/** The members of a union: `oneOf`, else `anyOf`. */
export function unionOf(schema: JsonObject): readonly unknown[] | undefined {
  for (const union of [schema['oneOf'], schema['anyOf']]) {
    if (Array.isArray(union) && union.length > 0) return union;
  }
  return undefined;
}

/** The types a schema names, or the one that its keywords speak of. */
export function typesOf(schema: JsonObject): readonly string[] {
  const { type } = schema;
  const named = (Array.isArray(type) ? type.slice(0, MAX_TYPES) : [type]).filter((name): name is string => {
    return typeof name === 'string' && name !== '';
  });
  if (type !== undefined) return named.map((name) => name.slice(0, LENGTH));
  if (isJsonObject(schema['properties'])) return ['object'];
  return schema['items'] === undefined ? [] : ['array'];
}

/** What a property's value is, in a few words (PROTOCOL.md §4). `root` is what the schema's local `$ref`s are of. */
export function summarizeValue(schema: unknown, root: unknown, depth = 0): string {
  const own = depth < MAX_DEPTH ? resolveRefs(schema, root) : undefined;
  if (own === undefined) return 'any';
  if (own['format'] === 'oui-attachment') return summarizeAttachment(own['x-oui-attachment']);
  if (Object.hasOwn(own, 'const')) return shortJson(own['const'], LENGTH);
  const values = own['enum'];
  if (Array.isArray(values) && values.length > 0) return summarizeEnum(values);
  const union = unionOf(own);
  if (union !== undefined) return `one of ${union.length}`;
  const types = typesOf(own);
  if (types.length > 0) return types.map((type) => summarizeType(type, own, root, depth)).join('|');
  // The usual way to add a description to a `$ref`: one schema and no type beside it.
  const all = own['allOf'];
  return Array.isArray(all) && all.length === 1 ? summarizeValue(all[0], root, depth + 1) : 'any';
}

function summarizeType(type: string, schema: JsonObject, root: unknown, depth: number): string {
  switch (type) {
    case 'number':
    case 'integer':
      return `${type}${range(schema)}${unit(schema['x-unit'])}`;
    case 'string': {
      const { format } = schema;
      return typeof format === 'string' && format !== '' ? `string(${format.slice(0, LENGTH)})` : 'string';
    }
    case 'array': {
      const item = schema['items'] === undefined ? 'any' : summarizeValue(schema['items'], root, depth + 1);
      return item === 'any' ? 'list' : `list of ${item}`;
    }
    case 'object': {
      const count = isJsonObject(schema['properties']) ? Object.keys(schema['properties']).length : 0;
      return count > 0 ? `object(${count})` : 'object';
    }
    default:
      return type;
  }
}

function range(schema: JsonObject): string {
  const number = (keyword: string) => (typeof schema[keyword] === 'number' ? schema[keyword] : undefined);
  const above = number('exclusiveMinimum');
  const below = number('exclusiveMaximum');
  const least = number('minimum');
  const most = number('maximum');
  const inclusive = above === undefined && below === undefined;
  if (inclusive && least !== undefined && most !== undefined) return ` ${least}–${most}`;
  const from = above !== undefined ? ` >${above}` : least !== undefined ? ` ≥${least}` : '';
  const to = below !== undefined ? ` <${below}` : most !== undefined ? ` ≤${most}` : '';
  return from + to;
}

function unit(name: unknown): string {
  return typeof name === 'string' && name !== '' ? ` ${name.slice(0, LENGTH)}` : '';
}

function summarizeEnum(values: readonly unknown[]): string {
  const named = values.slice(0, ENUM_VALUES).map((value) => {
    return typeof value === 'string' && value !== '' ? value.slice(0, LENGTH) : shortJson(value, LENGTH);
  });
  return named.join('|') + (values.length > ENUM_VALUES ? `|…(${values.length})` : '');
}

/** PROTOCOL.md §6. The handler may take the file or its text: either way the agent names a file. */
function summarizeAttachment(declared: unknown): string {
  const types = isJsonObject(declared) ? declared['mediaTypes'] : undefined;
  // A type takes three units at least: the rest would not be seen.
  const names = Array.isArray(types) ? types.slice(0, LENGTH).filter((type) => typeof type === 'string') : [];
  return names.length > 0 ? `file(${names.map((name) => name.slice(0, LENGTH)).join('|')})` : 'file';
}
