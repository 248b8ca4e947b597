import { appendPointer } from '../protocol/json-pointer.js';
import { DECLARED } from './patterns.js';
import type { NamePatterns, PatternCompiler } from './patterns.js';
import type { SchemaNode } from './schema-copy.js';

interface NamePattern {
  /** Undefined when the pattern cannot be compiled: then any name may be one of its, and nothing is known of it. */
  readonly test: ((text: string) => boolean) | undefined;
  readonly schema: unknown;
}

/**
 * `patternProperties` without the interpreter's own regular expressions. It makes them from the keys of that object,
 * and takes nothing else. But for one value there is a finite set of names, and over that set
 * `patternProperties: { "^a": S }` says the same as `properties: { a1: S, a2: S }`: so both keywords become accessors
 * that show the interpreter the second form, for the names in the value that is being checked.
 */
export class NamedProperties implements NamePatterns {
  readonly #compile: PatternCompiler;
  #names: ReadonlySet<string> | undefined;

  constructor(compile: PatternCompiler) {
    this.#compile = compile;
  }

  over<T>(names: ReadonlySet<string>, run: () => T): T {
    this.#names = names;
    try {
      return run();
    } finally {
      this.#names = undefined;
    }
  }

  /** Replaces the two keywords by accessors, which outside `over` show what the schema says. */
  adopt(node: SchemaNode, at: string): void {
    const byPattern = node['patternProperties'] as { readonly [pattern: string]: unknown } | undefined;
    if (byPattern === undefined) return;
    const declared = node['properties'] as { readonly [name: string]: unknown } | undefined;
    const place = appendPointer(at, 'patternProperties');
    const patterns = Object.entries(byPattern).map(([pattern, schema]): NamePattern => {
      const test = this.#compile(pattern, appendPointer(place, pattern));
      return { test, schema: test === undefined ? true : schema };
    });
    let names: ReadonlySet<string> | undefined;
    let expanded: { readonly [name: string]: unknown } | undefined;
    Object.defineProperties(node, {
      [DECLARED]: { value: declared ?? {} },
      patternProperties: { enumerable: true, get: () => (this.#names === undefined ? byPattern : undefined) },
      properties: {
        enumerable: true,
        get: () => {
          if (this.#names === undefined) return declared;
          if (names !== this.#names) {
            names = this.#names;
            expanded = expand(declared, patterns, names);
          }
          return expanded;
        },
      },
    });
  }
}

function expand(
  declared: { readonly [name: string]: unknown } | undefined,
  patterns: readonly NamePattern[],
  names: ReadonlySet<string>,
): { readonly [name: string]: unknown } {
  const all = Object.assign(Object.create(null), declared) as { [name: string]: unknown };
  for (const name of names) {
    const schemas = patterns.filter(({ test }) => test === undefined || test(name)).map(({ schema }) => schema);
    if (schemas.length === 0) continue;
    if (name in all) schemas.unshift(all[name]);
    all[name] = schemas.length === 1 ? schemas[0] : Object.assign(Object.create(null), { allOf: schemas });
  }
  return all;
}
