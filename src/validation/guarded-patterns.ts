import * as LIMITS from '../protocol/limits.js';
import { describeValue } from '../protocol/shape.js';
import { linearTest } from './pattern-match.js';
import { patternRisk } from './pattern-risk.js';
import type { PatternCompiler } from './patterns.js';
import { UncheckedTextError } from './unchecked-text.js';

/**
 * The language's own regular expressions, as JSON Schema wants them: Unicode, not anchored. Nothing can stop one that
 * backtracks, so those that might are matched in linear time instead (`pattern-match.ts`). What has no such form,
 * because of look-around or back-references, meets short texts only; with a longer one it throws an
 * `UncheckedTextError`.
 */
export const guardedPatterns: PatternCompiler = (pattern, at) => {
  let regex: RegExp;
  try {
    regex = new RegExp(pattern, 'u');
  } catch (error) {
    throw new Error(`broken schema at ${at}: ${(error as Error).message} (the "u" flag applies)`);
  }
  const native = (text: string): boolean => regex.test(text);
  const { growth } = patternRisk(pattern);
  if (growth === 'linear') return native;
  const linear = linearTest(pattern);
  if (linear !== undefined) return linear;
  const most = growth === 'polynomial' ? LIMITS.polynomialPatternLength : LIMITS.exponentialPatternLength;
  return (text) => {
    if (text.length <= most) return native(text);
    const reason = `the pattern ${pattern} might take for ever, so it is tried on texts of up to ${most} characters`;
    throw new UncheckedTextError(`${reason}, got ${describeValue(text)}`);
  };
};
