import type { JSONSchema, JsonObject } from '../../src/protocol/json.js';
import { mergedSchemas, resolvedSchema, typeOf } from './resolved-schema.js';

/** How one value of an action's input is asked for. `schema` has its references resolved. */
export type FormField = FieldWords & (
  | { readonly kind: 'text'; readonly input: TextInput; readonly secret: boolean }
  | { readonly kind: 'number'; readonly integer: boolean; readonly min?: number; readonly max?: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'enum'; readonly values: readonly unknown[] }
  | { readonly kind: 'const'; readonly value: unknown }
  | { readonly kind: 'object'; readonly properties: readonly FormProperty[] }
  | {
      readonly kind: 'list';
      /** The schema of the item at this place; `undefined` where there can be none. */
      item(index: number): JSONSchema | undefined;
      readonly least: number;
      readonly most: number;
    }
  | { readonly kind: 'choice'; readonly options: readonly FormOption[] }
  /** Nothing is known of it, or more than a form can say: written as JSON. */
  | { readonly kind: 'json' }
);

interface FieldWords {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly schema: JsonObject;
}

/** The `type` of an `<input>`; `area` for texts of several lines. */
export type TextInput = 'text' | 'area' | 'date' | 'time' | 'email' | 'url' | 'password' | 'color';

/** One member of an object. */
export interface FormProperty {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JSONSchema;
}

/** One shape of a union. */
export interface FormOption {
  readonly label: string;
  readonly schema: JSONSchema;
}

/** Formats that a browser's control writes exactly as JSON Schema wants them. `date-time` needs a time zone: text. */
const INPUT_OF_FORMAT: { readonly [format: string]: TextInput } = {
  date: 'date', email: 'email', uri: 'url', url: 'url', password: 'password', color: 'color',
};

/** What a union says of itself and not of its shapes. */
const WORDS: ReadonlySet<string> = /* @__PURE__ */ new Set(['title', 'description', 'default']);
/** Texts that may be longer than this get room for several lines. */
const LONG_TEXT = 1_000;

/** How a value of this schema is asked for. One level: what is inside is read when it is shown, so schemas may be endless. */
export function formField(schema: JSONSchema, root: JSONSchema): FormField {
  const whole = resolvedSchema(schema, root);
  const words = { title: text(whole['title']), description: text(whole['description']), schema: whole };
  if ('const' in whole) return { ...words, kind: 'const', value: whole['const'] };
  if (Array.isArray(whole['enum'])) return { ...words, kind: 'enum', values: whole['enum'] as unknown[] };
  const options = unionOptions(whole, root);
  if (options) return { ...words, kind: 'choice', options };
  switch (typeOf(whole)) {
    case 'string':
      return { ...words, kind: 'text', ...textInput(whole) };
    case 'number':
    case 'integer':
      return { ...words, kind: 'number', integer: whole['type'] === 'integer', ...bounds(whole) };
    case 'boolean':
      return { ...words, kind: 'boolean' };
    case 'null':
      return { ...words, kind: 'const', value: null };
    case 'object': {
      const properties = formProperties(whole);
      return properties.length > 0 || whole['additionalProperties'] === false
        ? { ...words, kind: 'object', properties }
        : { ...words, kind: 'json' };
    }
    case 'array':
      return { ...words, kind: 'list', ...listItems(whole) };
    default:
      return { ...words, kind: 'json' };
  }
}

/** Which shape of a union a value has: the one whose fixed members and type it fits best; 0 when none does. */
export function optionOf(value: unknown, options: readonly FormOption[], root: JSONSchema): number {
  const scores = options.map(({ schema }) => fitScore(value, resolvedSchema(schema, root), root));
  return Math.max(0, scores.indexOf(Math.max(...scores)));
}

function fitScore(value: unknown, schema: JsonObject, root: JSONSchema): number {
  if ('const' in schema) return JSON.stringify(schema['const']) === JSON.stringify(value) ? 10 : -10;
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(value) ? 5 : -5;
  const type = typeOf(schema);
  if (type !== undefined && !isOfType(value, type)) return -10;
  if (type !== 'object') return type === undefined ? 0 : 2;
  return formProperties(schema).reduce((score, { name, required, schema: inner }) => {
    const there = Object.hasOwn(value as object, name);
    if (!there) return required ? score - 1 : score;
    const property = resolvedSchema(inner, root);
    return score + ('const' in property ? fitScore((value as JsonObject)[name], property, root) : 1);
  }, 2);
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function unionOptions(schema: JsonObject, root: JSONSchema): FormOption[] | undefined {
  const { oneOf, anyOf, ...rest } = schema;
  const members = [oneOf, anyOf].find((each) => Array.isArray(each) && each.length > 0) as JSONSchema[] | undefined;
  if (members) {
    const shared = withoutWords(rest);
    const options = members.map((member) => mergedSchemas(shared, resolvedSchema(member, root)));
    return options.map((option, index) => ({ label: optionLabel(option, index, options), schema: option }));
  }
  const types = Array.isArray(schema['type']) ? (schema['type'] as string[]) : [];
  if (types.length < 2) return undefined;
  return types.map((type) => ({ label: type, schema: { ...withoutWords(schema), type } }));
}

/** Its title; else what tells it from the others: the member that is fixed in each; else its type. */
function optionLabel(option: JsonObject, index: number, options: readonly JsonObject[]): string {
  const title = text(option['title']);
  if (title !== undefined) return title;
  if ('const' in option) return JSON.stringify(option['const']);
  const fixed = (each: JsonObject, name: string): unknown => {
    const property = (each['properties'] as JsonObject | undefined)?.[name] as JsonObject | undefined;
    return property?.['const'];
  };
  const name = formProperties(option).map((property) => property.name).find((each) => {
    return options.every((other) => fixed(other, each) !== undefined);
  });
  if (name !== undefined) return `${name}: ${JSON.stringify(fixed(option, name))}`;
  const type = typeOf(option) ?? 'any';
  const alone = options.filter((other) => typeOf(other) === typeOf(option)).length === 1;
  return alone ? type : `${type} ${index + 1}`;
}

/** The words and the default are the union's own. */
function withoutWords(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !WORDS.has(name)));
}

function formProperties(schema: JsonObject): FormProperty[] {
  const required = list(schema['required']);
  const properties = schema['properties'];
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties as { readonly [name: string]: JSONSchema }).map(([name, inner]) => {
    return { name, required: required.includes(name), schema: inner };
  });
}

function listItems(schema: JsonObject): Pick<Extract<FormField, { kind: 'list' }>, 'item' | 'least' | 'most'> {
  const first = Array.isArray(schema['prefixItems']) ? (schema['prefixItems'] as JSONSchema[]) : [];
  const rest = (schema['items'] as JSONSchema | undefined) ?? true;
  const { minItems, maxItems } = schema;
  const most = typeof maxItems === 'number' ? maxItems : Infinity;
  return {
    item: (index) => first[index] ?? (rest === false ? undefined : rest),
    least: typeof minItems === 'number' ? minItems : 0,
    most: rest === false ? Math.min(most, first.length) : most,
  };
}

function textInput(schema: JsonObject): { readonly input: TextInput; readonly secret: boolean } {
  const { format, maxLength, writeOnly } = schema;
  const secret = format === 'password' || writeOnly === true;
  if (secret) return { input: 'password', secret };
  const input = typeof format === 'string' ? INPUT_OF_FORMAT[format] : undefined;
  const long = format === undefined && typeof maxLength === 'number' && maxLength > LONG_TEXT;
  return { input: input ?? (long ? 'area' : 'text'), secret };
}

function bounds(schema: JsonObject): { readonly min?: number; readonly max?: number } {
  const { minimum, maximum } = schema;
  return {
    ...(typeof minimum === 'number' && { min: minimum }),
    ...(typeof maximum === 'number' && { max: maximum }),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? (value as string[]) : [];
}
