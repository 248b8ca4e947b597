import { messageOf } from '../protocol/error-message.js';
import { appendPointer, resolvePointer } from '../protocol/json-pointer.js';
import type { JsonObject } from '../protocol/json.js';
import { isJsonObject } from '../protocol/shape.js';
import { checkKeyword, KEYWORDS } from './schema-keywords.js';
import type { KeywordKind } from './schema-keywords.js';

/** One thing that is wrong, and where. */
export interface ManifestProblem {
  /** JSON Pointer (RFC 6901) from the value's root; `""` is the whole of it. */
  readonly path: string;
  /** The rule that is broken, in a word that stays the same: `type`, `required`, `id`, `unique`, `external-ref`, … */
  readonly rule: string;
  /** What is wrong: what was expected, what came. */
  readonly message: string;
}

/** As deep, and as large, as a schema may be that is compiled. */
const MAX_DEPTH = 200;
const MAX_NODES = 100_000;
/** Keywords that annotate, whose value has one type all the same. */
const ANNOTATIONS: ReadonlyMap<string, readonly [type: string, wanted: string]> = new Map([
  ['title', ['string', 'a text']],
  ['description', ['string', 'a text']],
]);

/**
 * What keeps a schema out of a manifest (specification §4.3): keywords whose value they cannot have, patterns that are
 * none, references to other documents and references that lead nowhere. Every problem, in the order of the schema.
 *
 * @param at the JSON Pointer of the schema; paths begin with it
 */
export function schemaProblems(schema: unknown, at = ''): ManifestProblem[] {
  const problems: ManifestProblem[] = [];
  new SchemaCheck(schema, at, problems).visit(schema, at, 0);
  return problems;
}

class SchemaCheck {
  readonly #root: unknown;
  readonly #problems: ManifestProblem[];
  readonly #base: string;
  #nodes = 0;
  /** Some part has an `$id`: local references below it are relative to that part, and are left to the validator. */
  #embedded = false;

  constructor(root: unknown, base: string, problems: ManifestProblem[]) {
    this.#root = root;
    this.#base = base;
    this.#problems = problems;
  }

  visit(schema: unknown, at: string, depth: number): void {
    if (typeof schema === 'boolean') return;
    if (!isJsonObject(schema)) return this.#add(at, 'schema', checkKeyword('schema', schema) ?? 'is no schema');
    if (depth > MAX_DEPTH) return this.#add(at, 'size', `is nested deeper than ${MAX_DEPTH} levels; recursion needs $ref`);
    if (++this.#nodes > MAX_NODES) {
      if (this.#nodes === MAX_NODES + 1) this.#add(this.#base, 'size', `has more than ${MAX_NODES} schemas`);
      return;
    }
    if (at !== this.#base && schema['$id'] !== undefined) this.#embedded = true;
    for (const [keyword, value] of Object.entries(schema)) {
      if (value !== undefined) this.#keyword(keyword, value, appendPointer(at, keyword), depth, schema);
    }
  }

  #keyword(keyword: string, value: unknown, at: string, depth: number, schema: JsonObject): void {
    const kind = KEYWORDS.get(keyword);
    if (kind === undefined) {
      const [type, wanted] = ANNOTATIONS.get(keyword) ?? [];
      if (type !== undefined && typeof value !== type) this.#add(at, 'keyword', `must be ${wanted}`);
      return;
    }
    // What holds schemas is looked into, so that the place is that of the part which is none.
    const problem = holdsSchemas(kind, value) ? undefined : checkKeyword(kind, value);
    if (problem !== undefined) return this.#add(at, 'keyword', problem);
    if (keyword === '$ref' || keyword === '$dynamicRef') return this.#reference(value as string, at, schema);
    if (keyword === 'pattern') return this.#pattern(value as string, at);
    if (kind === 'schema' || (kind === 'schema-or-list' && !Array.isArray(value))) return this.visit(value, at, depth + 1);
    if (!holdsSchemas(kind, value)) return;
    for (const [name, member] of Object.entries(value as JsonObject)) {
      const place = appendPointer(at, name);
      if (keyword === 'patternProperties') this.#pattern(name, place);
      if (kind !== 'dependencies' || !Array.isArray(member)) this.visit(member, place, depth + 1);
    }
  }

  #reference(target: string, at: string, from: JsonObject): void {
    const shown = JSON.stringify(target);
    if (!target.startsWith('#')) {
      const way = 'a manifest is self-contained, so put what is meant under $defs and refer to it as #/$defs/…';
      return this.#add(at, 'external-ref', `refers to another document, ${shown}: ${way}`);
    }
    // An anchor is a name that may stand anywhere; the validator knows.
    if (this.#embedded || !/^#(\/|$)/.test(target)) return;
    let found = this.#resolve(target);
    if (found === undefined) return this.#add(at, 'dangling-ref', `refers to ${shown}, which is not in this schema`);
    const passed = new Set<unknown>([from]);
    while (isJsonObject(found) && typeof found['$ref'] === 'string' && /^#(\/|$)/.test(found['$ref'])) {
      if (passed.has(found)) return this.#add(at, 'endless-ref', `refers to ${shown}, which leads back here without end`);
      passed.add(found);
      found = this.#resolve(found['$ref']);
    }
  }

  #resolve(reference: string): unknown {
    try {
      return resolvePointer(this.#root, decodeURIComponent(reference.slice(1)));
    } catch {
      // No URI: it leads nowhere either.
      return undefined;
    }
  }

  #pattern(pattern: string, at: string): void {
    try {
      new RegExp(pattern, 'u');
    } catch (error) {
      this.#add(at, 'pattern', `is no regular expression (${messageOf(error)})`);
    }
  }

  #add(path: string, rule: string, message: string): void {
    this.#problems.push({ path, rule, message });
  }
}

/** Whether a keyword's value is a list or a map of schemas, by its own type. */
function holdsSchemas(kind: KeywordKind, value: unknown): boolean {
  if (kind === 'schema-map' || kind === 'dependencies') return isJsonObject(value);
  return (kind === 'schemas' || kind === 'some-schemas' || kind === 'schema-or-list')
    && Array.isArray(value) && value.length > 0;
}
