import { resolvePointer } from '../protocol/json-pointer.js';
import type { JsonObject } from '../protocol/json.js';
import { isJsonObject } from '../protocol/shape.js';

/** A `$ref` chain longer than this leads nowhere: it goes round. */
const MAX_REFS = 16;

/**
 * The schema that a chain of local `$ref`s (`#/$defs/…`) leads to; a schema that has `properties` or `items` of its
 * own is not left. Undefined for what is no object, and when the chain leads outside, nowhere or round.
 */
export function resolveRefs(schema: unknown, root: unknown): JsonObject | undefined {
  let at = schema;
  for (let hops = 0; hops < MAX_REFS; hops++) {
    if (!isJsonObject(at)) return undefined;
    const ref = at['$ref'];
    if (typeof ref !== 'string' || at['properties'] !== undefined || at['items'] !== undefined) return at;
    if (!ref.startsWith('#')) return undefined;
    try {
      at = resolvePointer(root, decodeURIComponent(ref.slice(1)));
    } catch {
      return undefined;
    }
  }
  return undefined;
}
