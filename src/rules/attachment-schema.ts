import type { JSONSchema, JsonObject } from '../protocol/json.js';
import { isJsonObject } from '../protocol/shape.js';

/** The `format` of a string that is an attachment's id (PROTOCOL.md §6). */
export const ATTACHMENT_FORMAT = 'oui-attachment';

/** Keywords whose members are schemas, by a name of the author's. */
const MAPS: ReadonlySet<string> = new Set([
  'properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies',
]);
/** Keywords about the items of a list. */
const LISTS: ReadonlySet<string> = new Set([
  'items', 'prefixItems', 'contains', 'additionalItems', 'unevaluatedItems',
]);
/** Keywords about members whose names the schema does not say. */
const UNNAMED: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties', 'propertyNames']);
/** What these hold is data: nothing in it is declared. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);
/** Deeper schemas are refused elsewhere; a schema that holds itself ends here. */
const MAX_DEPTH = 200;

/** Where attachments may be declared: the input itself, a property of it, and the items of such a property. */
type Level = 'input' | 'property' | 'item' | 'elsewhere';

/** Whether a schema says of its value that it is an attachment's id. */
export function declaresAttachment(schema: unknown): schema is JsonObject {
  return isJsonObject(schema) && (schema['format'] === ATTACHMENT_FORMAT || isJsonObject(schema['x-oui-attachment']));
}

/**
 * Where an action's input declares attachments that would not be resolved (PROTOCOL.md §6): anywhere but on a string
 * schema that is a property of the input, or the items of such a property that is a list. Paths are for people:
 * `brand.logo`, `grid[][]`, `files.*` for members without a name, `$defs.Logo`; `(input)` is the input itself. What a
 * union or a condition adds is named by the value it is about. Each path once, in the order of the schema.
 */
export function misplacedAttachments(schema: JSONSchema): string[] {
  const found = new Set<string>();
  visit(schema, '', 'input', 0, found);
  return [...found];
}

function visit(schema: unknown, path: string, level: Level, depth: number, found: Set<string>): void {
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return;
  if (declaresAttachment(schema)) {
    const here = (level === 'property' || level === 'item') && mayBeText(schema['type']);
    if (!here) found.add(path || '(input)');
  }
  for (const [keyword, value] of Object.entries(schema)) {
    if (typeof value !== 'object' || value === null || DATA.has(keyword)) continue;
    const below = (child: unknown, place: string, next: Level): void => visit(child, place, next, depth + 1, found);
    if (MAPS.has(keyword)) {
      const next = level === 'input' && keyword === 'properties' ? 'property' : 'elsewhere';
      for (const [name, child] of Object.entries(value)) below(child, join(path, member(keyword, name)), next);
    } else if (LISTS.has(keyword)) {
      const next = level === 'property' && keyword === 'items' && !Array.isArray(value) ? 'item' : 'elsewhere';
      for (const child of Array.isArray(value) ? value : [value]) below(child, `${path}[]`, next);
    } else if (UNNAMED.has(keyword)) {
      below(value, join(path, '*'), 'elsewhere');
    } else {
      for (const child of Array.isArray(value) ? value : [value]) below(child, path, 'elsewhere');
    }
  }
}

function mayBeText(type: unknown): boolean {
  return type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'));
}

function member(keyword: string, name: string): string {
  if (keyword === 'patternProperties') return '*';
  return keyword === '$defs' || keyword === 'definitions' ? `${keyword}.${name}` : name;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
