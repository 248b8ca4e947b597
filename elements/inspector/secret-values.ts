import type { OUIError } from '../../src/protocol/events.js';
import type { JSONSchema, JsonObject } from '../../src/protocol/json.js';
import { buildPointer, parsePointer, resolvePointer } from '../../src/protocol/json-pointer.js';
import { isJsonObject } from '../../src/protocol/shape.js';
import { localSchema } from './resolved-schema.js';

/** What a schema is about: an action's input or output, or the value of an observation. */
export type SchemaPart = 'input' | 'output' | 'value';

/** The schema of an action's input or output, or of an observation's value; `null` when it is not known. */
export type SchemaOf = (surfaceId: string, id: string, part: SchemaPart) => JSONSchema | null;

/** Shown instead of a value that must not be seen. */
export const HIDDEN_VALUE = '••••••';

/** Values nested deeper are hidden whole, where a schema hides anything at all. Messages end at 64. */
const DEPTH = 100;
/** Schemas that may hold for one value: more is a circle of references, or a plugin's trap. */
const BRANCHES = 500;

/** Keywords whose schemas hold for the same value, at least for some values. */
const SAME_VALUE = ['if', 'then', 'else', 'not'];
const SAME_VALUE_LISTS = ['allOf', 'anyOf', 'oneOf'];
/** Keywords whose schema is that of some item, or of some member. */
const SOME_ITEM = ['items', 'additionalItems', 'unevaluatedItems', 'contains'];
const SOME_MEMBER = ['additionalProperties', 'unevaluatedProperties'];

/**
 * A value as it may be shown and exported: what its schema calls a password, or says that it is written only, is
 * hidden. In a union every shape counts, the ones that do not fit too: what is hidden needlessly does no harm. `null`
 * schemas hide nothing.
 */
export function withoutSecrets(value: unknown, schema: JSONSchema | null): unknown {
  if (!hidesAnything(schema)) return value;
  return new SecretFilter(schema).shown(value, [schema], DEPTH);
}

/** Whether a schema marks anything as secret, at any depth. */
export function hidesAnything(schema: JSONSchema | null): schema is JsonObject {
  if (!isJsonObject(schema)) return false;
  let hides = known.get(schema);
  if (hides === undefined) known.set(schema, hides = MARKS.test(JSON.stringify(schema)));
  return hides;
}

/** Most schemas hide nothing: their values are not looked at. Schemas of a manifest stay the same objects. */
const known = /* @__PURE__ */ new WeakMap<object, boolean>();
const MARKS = /"writeOnly":true|"format":"password"/;

class SecretFilter {
  readonly #root: JSONSchema;
  /** What holds along with a schema, by the schema: a list of ten thousand items asks for the same ten thousand times. */
  readonly #branches = new Map<JSONSchema, readonly JsonObject[] | null>();

  constructor(root: JSONSchema) {
    this.#root = root;
  }

  shown(value: unknown, schemas: readonly JSONSchema[], depth: number): unknown {
    if (schemas.length === 0 || value === undefined) return value;
    const branches: JsonObject[] = [];
    for (const schema of schemas) {
      const found = this.#branchesOf(schema);
      // What cannot be read may say that it is secret.
      if (found === null || depth <= 0) return HIDDEN_VALUE;
      branches.push(...found);
    }
    if (branches.some(isSecret)) return HIDDEN_VALUE;
    if (Array.isArray(value)) {
      return value.map((item: unknown, index) => this.shown(item, itemSchemas(branches, index), depth - 1));
    }
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => (
      [name, this.shown(member, memberSchemas(branches, name), depth - 1)] as const)));
  }

  /** The schema, and every one that may hold for the same value. `null`: not all of them can be found. */
  #branchesOf(schema: JSONSchema): readonly JsonObject[] | null {
    let found = this.#branches.get(schema);
    if (found === undefined) this.#branches.set(schema, found = this.#collect(schema));
    return found;
  }

  #collect(schema: JSONSchema): readonly JsonObject[] | null {
    const found = new Set<JsonObject>();
    const waiting: unknown[] = [schema];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (!isJsonObject(next) || found.has(next)) continue;
      if (found.size >= BRANCHES) return null;
      found.add(next);
      for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
        const reference = next[keyword];
        if (reference === undefined) continue;
        const target = typeof reference === 'string' ? localSchema(reference, this.#root) : undefined;
        if (target === undefined) return null;
        waiting.push(target);
      }
      for (const keyword of SAME_VALUE) waiting.push(next[keyword] ?? true);
      for (const keyword of SAME_VALUE_LISTS) waiting.push(...listOf(next[keyword]));
      for (const keyword of ['dependentSchemas', 'dependencies']) waiting.push(...schemasOf(next[keyword]).map(([, each]) => each));
    }
    return [...found];
  }
}

function isSecret({ writeOnly, format }: JsonObject): boolean {
  return writeOnly === true || format === 'password';
}

function itemSchemas(branches: readonly JsonObject[], index: number): JSONSchema[] {
  return branches.flatMap((branch) => {
    const tuple = [...listOf(branch['prefixItems']), ...(Array.isArray(branch['items']) ? listOf(branch['items']) : [])];
    const own = tuple[index];
    return [...(own === undefined ? [] : [own]), ...SOME_ITEM.flatMap((keyword) => oneOf(branch[keyword]))];
  });
}

/** Of each branch: what it says of the name; else what it says of names that it does not know. */
function memberSchemas(branches: readonly JsonObject[], name: string): JSONSchema[] {
  return branches.flatMap((branch) => {
    const properties = branch['properties'];
    const named = isJsonObject(properties) && Object.hasOwn(properties, name) ? [properties[name] as JSONSchema] : [];
    const patterns = schemasOf(branch['patternProperties']).filter(([pattern]) => mayMatch(pattern, name));
    const others = named.length > 0 ? [] : SOME_MEMBER.flatMap((keyword) => oneOf(branch[keyword]));
    return [...named, ...patterns.map(([, each]) => each), ...others];
  });
}

/** A pattern is a stranger's and is never run: only how it begins is compared, where that is plain. */
function mayMatch(pattern: string, name: string): boolean {
  const [, begins = '', quantifier] = /^\^([\w-]*)([*?{])?/.exec(pattern) ?? [];
  return pattern.includes('|') || name.startsWith(quantifier === undefined ? begins : begins.slice(0, -1));
}

function schemasOf(value: unknown): (readonly [name: string, schema: JSONSchema])[] {
  return isJsonObject(value) ? Object.entries(value) as [string, JSONSchema][] : [];
}

function listOf(value: unknown): JSONSchema[] {
  return Array.isArray(value) ? value as JSONSchema[] : [];
}

function oneOf(value: unknown): JSONSchema[] {
  return isJsonObject(value) ? [value as JSONSchema] : [];
}

/** An error without what it says of values that must not be seen. `shown`: the params, as `withoutSecrets` has them. */
export function errorWithoutSecrets(error: OUIError, shown: unknown): OUIError {
  const issues = isJsonObject(error.details) ? error.details['errors'] : undefined;
  if (!Array.isArray(issues)) return error;
  let { message } = error;
  const errors = issues.map((issue: unknown) => {
    if (!isJsonObject(issue) || !isHidden(shown, String(issue['path']))) return issue;
    const { path, keyword, message: said } = issue;
    const instead = `${String(path)}: ${HIDDEN_VALUE}`;
    message = message.replaceAll(String(said), () => instead);
    return { path, keyword, message: instead };
  });
  return { ...error, message, details: { ...(error.details as JsonObject), errors } };
}

/** Whether the value at this place, or one that it is a part of, is hidden. */
function isHidden(shown: unknown, pointer: string): boolean {
  const steps = parsePointer(pointer) ?? [];
  return [...steps, ''].some((_, count) => resolvePointer(shown, buildPointer(steps.slice(0, count))) === HIDDEN_VALUE);
}
