import type { JSONSchema, JsonObject } from '../protocol/json.js';
import { isJsonObject } from '../protocol/shape.js';

/** The extra argument that chooses a page where several have the same tool. */
export const PAGE_ARGUMENT = 'oui_page';
/** The property that carries the params of an action whose schema does not describe an object. */
const VALUE_ARGUMENT = 'value';

/** The schema of a tool's arguments. MCP demands an object; everything else passes as the page declares it. */
export type ToolInputSchema = JsonObject & { readonly type: 'object' };

/**
 * An action's input as a tool's `inputSchema`. A schema of objects only gets the `type` that MCP demands, where it
 * lacks it; one of something else (a list, a text) becomes the single argument `value`.
 */
export function toToolSchema(input: JSONSchema): ToolInputSchema {
  if (typeof input === 'boolean') return input ? { type: 'object' } : { type: 'object', not: {} };
  if (isWrapped(input)) {
    const { $defs, ...schema } = input;
    return {
      type: 'object',
      properties: { [VALUE_ARGUMENT]: schema },
      required: [VALUE_ARGUMENT],
      additionalProperties: false,
      // References such as `#/$defs/x` start at the root of the whole schema.
      ...($defs === undefined ? {} : { $defs }),
    };
  }
  const { properties, required, ...rest } = input;
  return {
    ...rest,
    type: 'object',
    ...(isJsonObject(properties) ? { properties: objectSchemas(properties) } : {}),
    ...(Array.isArray(required) ? { required: required.filter((name) => typeof name === 'string') } : {}),
  };
}

/**
 * Clients of older versions read only objects as the schemas of arguments, and refuse the list of all pages' tools
 * for one that is `true`.
 */
function objectSchemas(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      if (isJsonObject(schema)) return [name, schema];
      return [name, schema === false ? { not: {} } : {}];
    }),
  );
}

/** The action's params out of a tool's arguments: the way back from `toToolSchema`. */
export function toParams(input: JSONSchema | undefined, args: JsonObject): unknown {
  return typeof input === 'object' && isWrapped(input) ? args[VALUE_ARGUMENT] : args;
}

/** Whether a tool has an argument of its own that is called as ours; then it keeps its meaning. */
export function hasOwnPageArgument(schema: JSONSchema): boolean {
  if (typeof schema === 'boolean') return false;
  const properties = schema['properties'];
  return typeof properties === 'object' && properties !== null && Object.hasOwn(properties, PAGE_ARGUMENT);
}

/** Adds the argument that chooses a page. */
export function withPageArgument(
  schema: ToolInputSchema,
  pages: readonly { readonly id: string; readonly label: string }[],
): ToolInputSchema {
  const newest = pages[pages.length - 1];
  const list = pages.map(({ id, label }) => `${id} is ${label}`).join('; ');
  return {
    ...schema,
    properties: {
      ...(schema['properties'] as JsonObject | undefined),
      [PAGE_ARGUMENT]: {
        type: 'string',
        enum: pages.map(({ id }) => id),
        description: `Which page to act on: ${list}. Without it: ${newest?.id ?? ''}, which connected last.`,
      },
    },
  };
}

/** Whether a schema describes something else than objects. One that does not say is taken for objects. */
function isWrapped(schema: JsonObject): boolean {
  const type = schema['type'];
  if (type === undefined) return false;
  return Array.isArray(type) ? !type.includes('object') : type !== 'object';
}
