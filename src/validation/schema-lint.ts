import { appendPointer } from '../protocol/json-pointer.js';
import type { JsonObject, JSONSchema } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';
import { isJsonObject } from '../protocol/shape.js';
import { KNOWN_FORMATS } from './known-formats.js';
import { patternRisk } from './pattern-risk.js';
import { checkForProviders, checkRoot, ProviderTotals } from './provider-rules.js';
import type { Report } from './provider-rules.js';
import { ReferenceRules } from './reference-rules.js';
import { checkKeyword, KEYWORDS } from './schema-keywords.js';

/** Something in a schema that its author should know of. */
export interface SchemaWarning {
  /** JSON Pointer (RFC 6901) to the part of the schema; `""` is the whole of it. */
  readonly path: string;
  /** A stable name of the rule, such as `root-combinator` or `exponential-pattern`. */
  readonly rule: string;
  /** What is wrong, for whom, and the way out: whole sentences. */
  readonly message: string;
}

export interface LintOptions {
  /**
   * Also what model providers refuse or leave out. True for the input of an action, which becomes a tool; false for
   * an output or an observation, which no provider sees. Default true.
   */
  readonly forModels?: boolean;
}

/** More than a person reads. */
const MAX_WARNINGS = 100;
/** As deep, and as large, as a schema may be that is compiled. */
const MAX_DEPTH = 200;
const MAX_NODES = 100_000;
/** A schema says this of a text that names an attachment (PROTOCOL.md §6); it is no format to be checked. */
const ATTACHMENT_FORMAT = 'oui-attachment';

/**
 * Looks a schema over: what is broken in it, which patterns may take a page's time away, and what model providers are
 * known to refuse or to leave out. Never throws, whatever it is given; the first hundred warnings, in the order of the
 * schema, and none twice.
 */
export function lintSchema(schema: JSONSchema, { forModels = true }: LintOptions = {}): SchemaWarning[] {
  const lint = new Lint(schema, forModels);
  return lint.run();
}

class Lint {
  readonly #root: JSONSchema;
  readonly #forModels: boolean;
  readonly #warnings = new Map<string, SchemaWarning>();
  readonly #totals = new ProviderTotals();
  readonly #references: ReferenceRules;
  readonly #open = new Set<unknown>();
  #nodes = 0;

  constructor(root: JSONSchema, forModels: boolean) {
    this.#root = root;
    this.#forModels = forModels;
    this.#references = new ReferenceRules(root);
  }

  run(): SchemaWarning[] {
    if (this.#forModels && isJsonObject(this.#root)) checkRoot(this.#root, this.#report);
    this.#visit(this.#root, '', 0, 0);
    this.#references.report(this.#report, this.#forModels);
    if (this.#forModels) this.#totals.report(this.#report);
    return [...this.#warnings.values()].slice(0, MAX_WARNINGS);
  }

  readonly #report: Report = (path, rule, message) => {
    this.#warnings.set(`${rule} ${path}`, { path, rule, message });
  };

  /** @param level of objects and lists around the value */
  #visit(schema: unknown, at: string, depth: number, level: number): void {
    if (typeof schema === 'boolean') return;
    if (!isJsonObject(schema)) {
      this.#report(at, 'broken', `This ${checkKeyword('schema', schema) ?? ''}.`);
      return;
    }
    if (depth > MAX_DEPTH || this.#open.has(schema)) {
      this.#report(at, 'broken', `Nested deeper than ${MAX_DEPTH} levels, or in itself. Use $ref for recursion.`);
      return;
    }
    if (++this.#nodes > MAX_NODES) {
      this.#report('', 'broken', `More than ${MAX_NODES} schemas in one.`);
      return;
    }
    this.#open.add(schema);
    this.#references.add(schema, at);
    if (this.#forModels) {
      checkForProviders(schema, at, this.#report);
      this.#totals.add(schema, at, level);
    }
    this.#checkTexts(schema, at);
    for (const [keyword, value] of Object.entries(schema)) this.#keyword(keyword, value, at, depth, level);
    this.#open.delete(schema);
  }

  #keyword(keyword: string, value: unknown, at: string, depth: number, level: number): void {
    const kind = KEYWORDS.get(keyword);
    if (kind === undefined || value === undefined) return;
    const place = appendPointer(at, keyword);
    const problem = checkKeyword(kind, value);
    if (problem !== undefined) {
      this.#report(place, 'broken', `This ${problem}.`);
      return;
    }
    const below = level + (IN_PLACE.has(keyword) ? 0 : 1);
    if (kind === 'schema' || (kind === 'schema-or-list' && !Array.isArray(value))) {
      this.#visit(value, place, depth + 1, below);
    } else if (kind === 'schemas' || kind === 'some-schemas' || kind === 'schema-or-list') {
      for (const [index, item] of (value as readonly unknown[]).entries()) {
        this.#visit(item, appendPointer(place, index), depth + 1, below);
      }
    } else if (kind === 'schema-map' || kind === 'dependencies') {
      for (const [name, member] of Object.entries(value as JsonObject)) {
        if (keyword === 'patternProperties') this.#checkPattern(name, appendPointer(place, name), undefined);
        if (!Array.isArray(member)) this.#visit(member, appendPointer(place, name), depth + 1, below);
      }
    }
  }

  #checkTexts({ format, pattern, maxLength }: JsonObject, at: string): void {
    if (typeof format === 'string' && format !== ATTACHMENT_FORMAT && !KNOWN_FORMATS.includes(format)) {
      const known = `Known are ${KNOWN_FORMATS.join(', ')}.`;
      const message = `The format ${JSON.stringify(format.slice(0, 80))} is not checked. ${known}`;
      this.#report(appendPointer(at, 'format'), 'unknown-format', message);
    }
    if (typeof pattern === 'string') {
      this.#checkPattern(pattern, appendPointer(at, 'pattern'), typeof maxLength === 'number' ? maxLength : undefined);
    }
  }

  #checkPattern(pattern: string, place: string, maxLength: number | undefined): void {
    try {
      new RegExp(pattern, 'u');
    } catch (error) {
      this.#report(place, 'broken-pattern', `${(error as Error).message} (the flag "u" applies).`);
      return;
    }
    if (this.#forModels && /\(\?<?[=!]|\\[1-9]|\\k</.test(pattern)) {
      const message = 'Look-around or a back-reference; the strict modes of OpenAI and Anthropic refuse it.';
      this.#report(place, 'pattern-feature', `${message} Do without.`);
    }
    const { growth, reason } = patternRisk(pattern);
    const most = growth === 'polynomial' ? LIMITS.polynomialPatternLength : LIMITS.exponentialPatternLength;
    if (growth === 'linear' || (maxLength !== undefined && maxLength <= most)) return;
    const time = growth === 'unknown' ? 'is not understood' : `may take ${growth} time`;
    const way = `Write it so that a text can match in one way only, or set maxLength to at most ${most}.`;
    this.#report(place, `${growth}-pattern`, `The pattern ${time}: ${reason}. ${way}`);
  }
}

/** Keywords whose schemas are about the value itself. */
const IN_PLACE: ReadonlySet<string> = new Set([
  '$defs', 'definitions', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies',
]);
