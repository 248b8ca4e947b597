import { messageOf } from '../protocol/error-message.js';
import type { Validator } from '../protocol/ports.js';
import { isJsonObject } from '../protocol/shape.js';
import { warnOnce } from '../protocol/warn-once.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import type { compileTest, QuickTest, TextTests } from './compile-test.js';
import { guardedPatterns } from './guarded-patterns.js';
import { compileSchema } from './interpreter.js';
import { NamedProperties } from './named-properties.js';
import { formatTests } from './patterns.js';
import type { SchemaCopy, SchemaNode } from './schema-copy.js';
import { isRecursive } from './schema-references.js';
import type { SchemaTable } from './schema-references.js';

/** The compiler's module (`compile-test.ts`), which is large and loaded for itself. */
export interface SchemaCompiler {
  readonly compileTest: typeof compileTest;
}

export interface CompiledValidatorOptions {
  /** Loads the compiler. Called at once. */
  load(): Promise<SchemaCompiler>;
  /** Told once when schemas are interpreted after all. Default: a warning on the console. */
  warn?(code: string, message: string): void;
}

/** A schema this large makes a function that takes longer to write than it saves. */
const MAX_NODES = 5_000;

/** Of these the compiler lets some values pass that do not fit (seen on the official suite). */
const NOT_COMPILED: readonly string[] = ['unevaluatedItems', 'unevaluatedProperties'];
/** Keywords that apply further schemas to a value: with recursion they may double the work with each level of it. */
const APPLIES_SEVERAL: readonly string[] =
  'allOf anyOf oneOf not if dependentSchemas dependencies patternProperties contains'.split(' ');
/** What may stand beside a `$ref` without applying anything. */
const BESIDE_REFERENCE: readonly string[] = ['$ref', '$defs', 'definitions', '$id', '$anchor'];

/**
 * A validator of JSON Schema draft 2020-12 that compiles, for pages and processes whose policies allow `eval`.
 *
 * It says what `createInterpretedValidator` says, word for word. The compiled function is asked first, whether a value
 * fits; what it says no to is interpreted, which finds the reasons. Interpreted as well is everything until the
 * compiler has been loaded, when a policy forbids it (with one warning), and the rare schema that is not for it: one
 * that is very large, says `unevaluated…`, has parts with an `$id` of their own, or is recursive in more than one way.
 */
export function createCompiledValidator({ load, warn = warnOnce }: CompiledValidatorOptions): Validator {
  let compiler: SchemaCompiler | undefined;
  const giveUp = (error: unknown): void => {
    compiler = undefined;
    const reason = error instanceof EvalError ? 'a content security policy forbids eval' : messageOf(error);
    warn(WARNINGS.COMPILER_UNAVAILABLE, `Schemas are interpreted instead of compiled: ${reason}.`);
  };
  load().then((loaded) => {
    compiler = loaded;
  }, giveUp);

  const quickTest = (copy: SchemaCopy, table: SchemaTable): QuickTest => {
    if (!isForCompiler(copy, table)) return () => false;
    let test: QuickTest | undefined;
    const compares = [...copy.places.keys()].some(comparesObjects);
    return (value) => {
      if (compiler === undefined || (compares && hasBareObjects(value))) return false;
      try {
        test ??= compiler.compileTest(copy.root as object, textTests(copy));
        return test(value);
      } catch (error) {
        if (error instanceof EvalError) giveUp(error);
        // A schema that it does not take, a text that is not to be tried, a value too deep for the stack.
        else if (test === undefined) test = () => false;
        return false;
      }
    };
  };
  return {
    compile: (schema) => {
      const names = new NamedProperties(guardedPatterns);
      return compileSchema(schema, { compilePattern: guardedPatterns, names, quickTest });
    },
  };
}

function textTests({ slots }: SchemaCopy): TextTests {
  return { formats: formatTests(slots), compilePattern: (pattern) => guardedPatterns(pattern, '')! };
}

function isForCompiler({ root, places }: SchemaCopy, table: SchemaTable): boolean {
  if (root === true || places.size > MAX_NODES) return false;
  const nodes = [...places.keys()];
  if (nodes.some((node) => NOT_COMPILED.some((keyword) => node[keyword] !== undefined))) return false;
  // The compiler leaves members of this name out.
  if (nodes.some((node) => hasMaps(node, '__proto__'))) return false;
  if (nodes.some((node) => node !== root && node['$id'] !== undefined)) return false;
  return !nodes.some(appliesSeveral) || !isRecursive(root, table);
}

/** To the compiler an object without a prototype equals no other: values with such objects are interpreted. */
function hasBareObjects(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.getPrototypeOf(value) === null || Object.values(value).some(hasBareObjects);
}

/** Whether an object may have to be equal to another. */
function comparesObjects(node: SchemaNode): boolean {
  const { enum: listed, const: only, uniqueItems } = node;
  const values: readonly unknown[] = Array.isArray(listed) ? listed : [];
  return uniqueItems === true || [only, ...values].some((value) => typeof value === 'object' && value !== null);
}

function appliesSeveral(node: SchemaNode): boolean {
  const keywords = Object.keys(node);
  if (keywords.some((keyword) => APPLIES_SEVERAL.includes(keyword))) return true;
  return node['$ref'] !== undefined && !keywords.every((keyword) => BESIDE_REFERENCE.includes(keyword));
}

function hasMaps(node: SchemaNode, name: string): boolean {
  return Object.values(node).some((value) => isJsonObject(value) && Object.hasOwn(value, name));
}
