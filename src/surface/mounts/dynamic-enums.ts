import { messageOf } from '../../protocol/error-message.js';
import { buildPointer } from '../../protocol/json-pointer.js';
import type { JsonObject, JsonText } from '../../protocol/json.js';
import type { OUIAction, OUISurface } from '../../protocol/manifest.js';
import { describeValue } from '../../protocol/shape.js';
import { warnOnce } from '../../protocol/warn-once.js';
import * as WARNINGS from '../../protocol/warning-codes.js';
import type { EnumSource } from '../definition/definition.js';

/** What the `enum` functions of a surface returned last, as JSON text, by action and place. */
export type EnumValues = ReadonlyMap<string, JsonText>;

function keyOf({ actionId, path }: EnumSource): string {
  return `${actionId} ${buildPointer(path)}`;
}

/**
 * Asks every `enum` function once, about one context. One that throws, or returns no list of JSON values, keeps what it
 * returned before.
 */
export function findEnumValues(
  surfaceId: string,
  sources: readonly EnumSource[],
  getContext: () => never,
  before: EnumValues,
): EnumValues {
  const found = new Map<string, JsonText>();
  for (const source of sources) {
    const key = keyOf(source);
    const values = ask(surfaceId, source, getContext) ?? before.get(key);
    if (values !== undefined) found.set(key, values);
  }
  return found;
}

function ask(surfaceId: string, source: EnumSource, getContext: () => never): JsonText | undefined {
  let reason: string;
  try {
    const values = source.values(getContext());
    if (Array.isArray(values) && values.every(isJson)) return JSON.stringify(distinct(values));
    reason = Array.isArray(values) ? 'returned values that are not JSON' : `returned ${describeValue(values)}, no list`;
  } catch (error) {
    reason = `could not say its values (${messageOf(error)})`;
  }
  const place = buildPointer([...source.path, 'enum']);
  const message = `The enum function at ${place} of the input of action "${source.actionId}" of surface "${surfaceId}" `
    + `${reason}: the values stay as they were.`;
  warnOnce(WARNINGS.ENUM_UNKNOWN, message, `${surfaceId} ${keyOf(source)}`);
  return undefined;
}

function isJson(value: unknown): boolean {
  return typeof value === 'number' ? Number.isFinite(value) : JSON.stringify(value) !== undefined;
}

/** Each value once, as JSON Schema asks of an enum. */
function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

export function sameEnumValues(first: EnumValues, second: EnumValues): boolean {
  return first.size === second.size && [...first].every(([key, text]) => second.get(key) === text);
}

/** The manifest with these values in the places of the functions. Shares what does not change. */
export function withEnumValues(
  manifest: OUISurface,
  sources: readonly EnumSource[],
  values: EnumValues,
): OUISurface {
  if (values.size === 0) return manifest;
  const inputs = new Map(manifest.actions.map(({ id, input }) => [id, input]));
  for (const source of sources) {
    const text = values.get(keyOf(source));
    if (text === undefined) continue;
    const input = withEnum(inputs.get(source.actionId), source.path, JSON.parse(text));
    inputs.set(source.actionId, input as OUIAction['input']);
  }
  const actions = manifest.actions.map((action) => {
    const input = inputs.get(action.id)!;
    return input === action.input ? action : { ...action, input };
  });
  return { ...manifest, actions };
}

function withEnum(schema: unknown, path: readonly (string | number)[], values: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return { ...(schema as JsonObject), enum: values };
  if (Array.isArray(schema)) {
    return schema.map((item, index) => (index === step ? withEnum(item, rest, values) : item));
  }
  const parent = schema as JsonObject;
  return { ...parent, [step]: withEnum(parent[step], rest, values) };
}
