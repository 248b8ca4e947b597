import { dereference, validate } from '@cfworker/json-schema';
import type { Schema, ValidationResult } from '@cfworker/json-schema';
import type { OUIValidationIssue } from '../protocol/events.js';
import { appendPointer } from '../protocol/json-pointer.js';
import type { JSONSchema } from '../protocol/json.js';
import type { CompiledSchema } from '../protocol/ports.js';
import type { QuickTest } from './compile-test.js';
import { issue } from './issue-texts.js';
import { explain } from './issues.js';
import { JsonValue } from './json-value.js';
import { withSlots } from './patterns.js';
import type { NamePatterns, PatternCompiler } from './patterns.js';
import { failAt, SchemaCopy } from './schema-copy.js';
import type { SchemaNode } from './schema-copy.js';
import { checkReferences } from './schema-references.js';
import type { SchemaTable } from './schema-references.js';
import { isUncheckedText } from './unchecked-text.js';

/**
 * References followed for one value: so many, and so many more for each value in it. A recursive schema with two
 * branches doubles with each level of the value, and would not end in a lifetime.
 */
const REFERENCES_AT_LEAST = 10_000;
const REFERENCES_PER_VALUE = 20;

const NOTHING: readonly OUIValidationIssue[] = [];

/** A schema table that counts look-ups: every recursion goes through one. */
class CountedTable {
  readonly table: SchemaTable;
  #left = 0;

  constructor(entries: SchemaTable) {
    this.table = new Proxy(entries, {
      get: (target, uri) => {
        if (--this.#left < 0) throw new RangeError('too many references');
        return target[uri as string];
      },
    });
  }

  restart(size: number): void {
    this.#left = REFERENCES_AT_LEAST + REFERENCES_PER_VALUE * size;
  }
}

function refuseBrokenUri(node: SchemaNode, place: string): void {
  for (const keyword of ['$id', '$ref']) {
    const uri = node[keyword];
    if (uri === undefined) continue;
    try {
      dereference({ [keyword]: uri });
    } catch {
      failAt(appendPointer(place, keyword), `${JSON.stringify(uri)} is no URI reference`);
    }
  }
}

function tableOf(copy: SchemaCopy): SchemaTable {
  try {
    return dereference(copy.root as Schema | boolean);
  } catch (error) {
    for (const [node, place] of copy.places) refuseBrokenUri(node, place);
    throw new Error(`broken schema: ${(error as Error).message}`);
  }
}

/** How a schema is compiled for the interpreter. */
export interface SchemaCompilation {
  /** The engine for its patterns. */
  readonly compilePattern: PatternCompiler;
  /** Takes care of patterns of property names. */
  readonly names: NamePatterns;
  /** Makes a test that is asked first: what it says yes to is not interpreted. */
  quickTest?(copy: SchemaCopy, table: SchemaTable): QuickTest;
}

/** Compiles a schema of draft 2020-12 for the interpreter. */
export function compileSchema(schema: JSONSchema, compilation: SchemaCompilation): CompiledSchema {
  const { compilePattern, names } = compilation;
  const copy = new SchemaCopy(schema, compilePattern, names);
  const entries = tableOf(copy);
  checkReferences(copy.places, entries);
  const fits = compilation.quickTest?.(copy, entries);
  const counted = new CountedTable(entries);
  const options = { collectNames: copy.namePatterns, boundLists: copy.uniqueItems };
  const acceptsAll = copy.root === true || Object.keys(copy.root).length === 0;

  const run = ({ value, size }: JsonValue, firstOnly: boolean): ValidationResult => {
    counted.restart(size);
    const table = counted.table as ReturnType<typeof dereference>;
    return validate(value, copy.root as Schema | boolean, '2020-12', table, firstOnly);
  };

  const check = (json: JsonValue): readonly OUIValidationIssue[] => {
    let result: ValidationResult;
    let cut = NOTHING;
    try {
      result = run(json, false);
    } catch {
      // So many errors that the interpreter cannot hand them over, perhaps: then the first will have to do.
      result = run(json, true);
      cut = [issue('', 'more', 'more problems than can be listed', {})];
    }
    return result.valid ? NOTHING : [...explain(result.errors, copy, entries, json.value), ...cut];
  };

  return (value) => {
    if (acceptsAll && value === undefined) return NOTHING;
    const json = new JsonValue(value, options);
    if (json.issues.length > 0) return json.issues;
    const inSlots = (): readonly OUIValidationIssue[] => withSlots(copy.slots, () => check(json));
    try {
      if (fits?.(json.value) === true) return NOTHING;
      return names.over(json.names, inSlots);
    } catch (error) {
      // Too deep, too many references or too many errors for the stack. What cannot be checked does not pass.
      if (isUncheckedText(error)) {
        return [issue('', 'pattern', `could not be checked: ${error.message}`, {})];
      }
      const reason = error instanceof RangeError ? 'too large or too deep' : (error as Error).message;
      return [issue('', 'type', `could not be checked against its schema: ${reason}`, {})];
    }
  };
}
