import type { Validator } from '../protocol/ports.js';
import { guardedPatterns } from './guarded-patterns.js';
import { compileSchema } from './interpreter.js';
import { NamedProperties } from './named-properties.js';

/**
 * A validator of JSON Schema draft 2020-12 that interprets: it needs no `eval`, which most strict pages forbid.
 *
 * Every error is reported, each with the JSON Pointer of the value it is about: for a missing or an unknown property
 * that property itself. Own members alone count. Formats are asserted, unknown ones are not. References stay within
 * the schema. Patterns are the language's own regular expressions; those that might backtrack without end are matched
 * in linear time, or not tried on long texts (`guarded-patterns.ts`). For the schemas of strangers there is
 * `createLinearValidator`.
 *
 * `compile` throws `broken schema at /place: …`. What it returns never throws; a value that is too deep to be checked
 * is reported, and does not pass.
 */
export function createInterpretedValidator(): Validator {
  return {
    compile: (schema) => {
      return compileSchema(schema, { compilePattern: guardedPatterns, names: new NamedProperties(guardedPatterns) });
    },
  };
}
