import { appendPointer } from '../protocol/json-pointer.js';
import type { JsonObject, JSONSchema } from '../protocol/json.js';
import { isJsonObject } from '../protocol/shape.js';
import { FORMATS, slotFormat } from './patterns.js';
import type { NamePatterns, PatternCompiler, PatternSlot } from './patterns.js';
import { checkKeyword, KEYWORDS } from './schema-keywords.js';

/** One schema object of the copy, or `true`. */
export type SchemaNode = { [keyword: string]: unknown };

/** Deeper schemas are refused: the interpreter is recursive. */
const MAX_DEPTH = 200;
/** Larger schemas are refused; so are those that hold the same object so often that copying would never end. */
const MAX_NODES = 100_000;

/** Fails with the place: `broken schema at /properties/n/type: …`. */
export function failAt(at: string, reason: string): never {
  throw new Error(`broken schema at ${at === '' ? 'its root' : at}: ${reason}`);
}

/**
 * Checks a schema and copies it for the interpreter, which writes hidden members into what it is given (a frozen
 * schema forbids that), takes any `id` for a URI, follows inherited members, and lets a mistyped keyword pass as no
 * rule at all. The copy has known keywords only, no prototypes, and
 *
 * - `false` as `{ not: true }`, so that each error knows its place in the schema;
 * - `pattern` as a private format (see src/validation/patterns.ts);
 * - `$dynamicRef` and `$dynamicAnchor` as `$ref` and `$anchor`, which within one schema resource is the same.
 */
export class SchemaCopy {
  readonly root: SchemaNode | true;
  readonly slots: PatternSlot[] = [];
  /** Where each node stands in the schema as it was given: a JSON Pointer. */
  readonly places = new Map<SchemaNode, string>();
  /** Some part of the schema says `uniqueItems`. */
  uniqueItems = false;
  /** Some part of the schema says `patternProperties`. */
  namePatterns = false;

  readonly #compile: PatternCompiler;
  readonly #names: NamePatterns;
  readonly #references: References;

  /** @throws {Error} `broken schema at /place: …` */
  constructor(schema: JSONSchema, compile: PatternCompiler, names: NamePatterns) {
    this.#compile = compile;
    this.#references = findReferences(schema);
    this.#names = names;
    this.root = this.#copy(schema, '', 0);
  }

  #copy(source: unknown, at: string, depth: number): SchemaNode | true {
    if (source === true) return true;
    if (depth > MAX_DEPTH) failAt(at, `nested deeper than ${MAX_DEPTH} levels; use $ref for recursion`);
    if (this.places.size >= MAX_NODES) failAt(at, `more than ${MAX_NODES} schemas`);
    const node = Object.create(null) as SchemaNode;
    this.places.set(node, at);
    if (source === false) {
      node['not'] = true;
    } else if (isJsonObject(source)) {
      this.#copyKeywords(source, node, at, depth);
    } else {
      failAt(at, checkKeyword('schema', source) ?? 'no schema');
    }
    return node;
  }

  #copyKeywords(source: JsonObject, node: SchemaNode, at: string, depth: number): void {
    for (const [keyword, value] of Object.entries(source)) {
      if (value === undefined) continue;
      const place = appendPointer(at, keyword);
      const kind = KEYWORDS.get(keyword);
      if (kind === undefined) {
        // Definitions under keys of one's own are schemas when something refers to them.
        if (isJsonObject(value) && this.#references.targets.some((target) => target.includes(`/${keyword}`))) {
          node[keyword] = this.#copy(value, place, depth + 1);
        }
        continue;
      }
      const problem = checkKeyword(kind, value);
      if (problem !== undefined) failAt(place, problem);
      node[keyword] = this.#copyValue(kind, value, place, depth + 1);
    }
    if (node['uniqueItems'] === true) this.uniqueItems = true;
    this.#rewriteTexts(node, at);
    this.#rewriteAnchors(node, at);
    this.namePatterns ||= node['patternProperties'] !== undefined;
    this.#names.adopt(node, at);
  }

  #copyValue(kind: string, value: unknown, at: string, depth: number): unknown {
    switch (kind) {
      case 'schema':
        return this.#copy(value, at, depth);
      case 'schemas':
      case 'some-schemas':
        return this.#copyList(value as readonly unknown[], at, depth);
      case 'schema-or-list':
        return Array.isArray(value) ? this.#copyList(value, at, depth) : this.#copy(value, at, depth);
      case 'schema-map':
      case 'dependencies':
        return this.#copyMap(value as JsonObject, at, depth);
      default:
        return value;
    }
  }

  #copyList(list: readonly unknown[], at: string, depth: number): unknown[] {
    return list.map((item, index) => this.#copy(item, appendPointer(at, index), depth));
  }

  #copyMap(source: JsonObject, at: string, depth: number): SchemaNode {
    const map = Object.create(null) as SchemaNode;
    for (const [name, member] of Object.entries(source)) {
      const place = appendPointer(at, name);
      if (/\p{Surrogate}/u.test(name)) failAt(place, 'a lone surrogate in a name');
      map[name] = Array.isArray(member) ? member : this.#copy(member, place, depth);
    }
    return map;
  }

  #rewriteTexts(node: SchemaNode, at: string): void {
    if (node['format'] === 'url') node['format'] = 'uri';
    // A format that nobody knows is an annotation; the interpreter would find `toString` on a prototype.
    if (!FORMATS.has(node['format'] as string)) delete node['format'];
    const pattern = node['pattern'] as string | undefined;
    if (pattern === undefined) return;
    delete node['pattern'];
    const test = this.#compile(pattern, appendPointer(at, 'pattern'));
    if (test === undefined) return;
    const name = slotFormat(this.slots.length);
    this.slots.push({ pattern, test, maxLength: node['maxLength'] as number | undefined });
    this.#add(node, 'format', name);
  }

  #rewriteAnchors(node: SchemaNode, at: string): void {
    if (node['$dynamicAnchor'] !== undefined) {
      node['$anchor'] ??= node['$dynamicAnchor'];
      delete node['$dynamicAnchor'];
    }
    const target = node['$dynamicRef'];
    if (target === undefined) return;
    if (this.#references.embedded) {
      failAt(appendPointer(at, '$dynamicRef'), '$dynamicRef beside subschemas with an $id is not supported; use $ref');
    }
    delete node['$dynamicRef'];
    this.#add(node, '$ref', target);
  }

  /** Adds a keyword, beside the one of that name that may be there. */
  #add(node: SchemaNode, keyword: string, value: unknown): void {
    if (node[keyword] === undefined) {
      node[keyword] = value;
      return;
    }
    const beside = Object.assign(Object.create(null), { [keyword]: value }) as SchemaNode;
    this.places.set(beside, this.places.get(node) ?? '');
    node['allOf'] = [...((node['allOf'] as unknown[] | undefined) ?? []), beside];
  }
}

interface References {
  /** Everything that a `$ref` says. */
  readonly targets: readonly string[];
  /** A part of the schema has an `$id` of its own. */
  readonly embedded: boolean;
}

function findReferences(schema: JSONSchema): References {
  const targets: string[] = [];
  let embedded = false;
  const seen = new Set<object>();
  const pending: unknown[] = [schema];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const [key, member] of Object.entries(value)) {
      if ((key === '$ref' || key === '$dynamicRef') && typeof member === 'string') targets.push(member);
      if (key === '$id' && value !== schema) embedded = true;
      pending.push(member);
    }
  }
  return { targets, embedded };
}
