import { appendPointer } from '../protocol/json-pointer.js';
import { isJsonObject } from '../protocol/shape.js';
import { failAt } from './schema-copy.js';
import type { SchemaNode } from './schema-copy.js';

/** The schemas of a document by absolute URI, as the interpreter makes it. */
export type SchemaTable = { readonly [uri: string]: unknown };

/** More schemas than this for one and the same value is no schema that a person wrote. */
const MAX_IN_PLACE = 10_000;
/** A chain of references longer than this would overflow the stack. */
const MAX_CHAIN = 200;

const IN_PLACE_LISTS = ['allOf', 'anyOf', 'oneOf'];
const IN_PLACE_SCHEMAS = ['not', 'if', 'then', 'else'];
const IN_PLACE_MAPS = ['dependentSchemas', 'dependencies'];

/** The schema that a node's `$ref` points to, or undefined when it points nowhere in this document. */
export function referenced(node: SchemaNode, table: SchemaTable): unknown {
  return table[(node['__absolute_ref__'] ?? node['$ref']) as string];
}

/** Whether some schema comes back to itself through references, however deep in the value. */
export function isRecursive(root: SchemaNode, table: SchemaTable): boolean {
  const done = new Set<unknown>();
  const open = new Set<unknown>();
  const visit = (part: unknown): boolean => {
    if (typeof part !== 'object' || part === null || done.has(part)) return false;
    if (open.has(part)) return true;
    open.add(part);
    const parts: unknown[] = Object.values(part);
    if (typeof (part as SchemaNode)['$ref'] === 'string') parts.push(referenced(part as SchemaNode, table));
    const found = parts.some(visit);
    open.delete(part);
    done.add(part);
    return found;
  };
  return visit(root);
}

/** The schemas that apply to the same value as the node itself. */
function inPlace(node: SchemaNode, table: SchemaTable): unknown[] {
  const schemas: unknown[] = IN_PLACE_SCHEMAS.map((keyword) => node[keyword]);
  for (const keyword of IN_PLACE_LISTS) schemas.push(...((node[keyword] as unknown[] | undefined) ?? []));
  for (const keyword of IN_PLACE_MAPS) schemas.push(...Object.values(node[keyword] ?? {}));
  if (node['$ref'] !== undefined) schemas.push(referenced(node, table));
  return schemas;
}

/**
 * Checks that every `$ref` leads somewhere, and that checking one value ends: recursion must go down into the value,
 * since `{ "$ref": "#" }` about the value itself never would, and a chain of `allOf` pairs that refer to each other
 * doubles with each step.
 *
 * @throws {Error} `broken schema at /place: …`
 */
export function checkReferences(places: ReadonlyMap<SchemaNode, string>, table: SchemaTable): void {
  const costs = new Map<SchemaNode, number>();
  const open = new Set<SchemaNode>();
  const placeOf = (node: SchemaNode): string => places.get(node) ?? '';

  const cost = (node: SchemaNode): number => {
    const known = costs.get(node);
    if (known !== undefined) return known;
    if (open.has(node)) failAt(placeOf(node), 'refers to itself for the same value, without end');
    if (open.size >= MAX_CHAIN) failAt(placeOf(node), `a chain of more than ${MAX_CHAIN} schemas for the same value`);
    open.add(node);
    let sum = 1;
    for (const schema of inPlace(node, table)) {
      if (isJsonObject(schema)) sum += cost(schema as SchemaNode);
    }
    open.delete(node);
    if (sum > MAX_IN_PLACE) failAt(placeOf(node), `more than ${MAX_IN_PLACE} schemas for one value`);
    costs.set(node, sum);
    return sum;
  };

  for (const [node, place] of places) {
    if (node['$ref'] === undefined || referenced(node, table) !== undefined) continue;
    const target = JSON.stringify(node['$ref']);
    failAt(appendPointer(place, '$ref'), `${target} is not in this schema; other documents are not fetched`);
  }
  for (const node of places.keys()) cost(node);
}
