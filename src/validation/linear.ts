import type { Validator } from '../protocol/ports.js';
import { warnOnce } from '../protocol/warn-once.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import { compileSchema } from './interpreter.js';
import { compileLinear } from './linear-pattern.js';
import { NamedProperties } from './named-properties.js';
import type { PatternCompiler } from './patterns.js';

export interface LinearValidatorOptions {
  /**
   * Told of each pattern that has no linear-time form (look-around, back-references) or is broken; it is not checked.
   * `at` is its place in the schema, a JSON Pointer. Default: a warning, once per pattern.
   */
  readonly onUnsupported?: (pattern: string, at: string, reason: string) => void;
}

function warn(pattern: string, at: string, reason: string): void {
  warnOnce(WARNINGS.PATTERN_SKIPPED, `The pattern ${pattern} at ${at} is not checked: ${reason}.`, pattern);
}

/**
 * The same as `createInterpretedValidator`, for the schemas of strangers: `pattern` and `patternProperties` take time
 * in proportion to the text, whatever they say. A name that might be meant by a skipped pattern counts as known.
 */
export function createLinearValidator({ onUnsupported = warn }: LinearValidatorOptions = {}): Validator {
  const compilePattern: PatternCompiler = (pattern, at) => {
    const compiled = compileLinear(pattern);
    if (typeof compiled === 'function') return compiled;
    onUnsupported(pattern, at, compiled.reason);
    return undefined;
  };
  return {
    compile: (schema) => compileSchema(schema, { compilePattern, names: new NamedProperties(compilePattern) }),
  };
}
