import type { PatternCompiler } from '../src/validation/patterns.js';
import { extras } from './late-extras.js';

/** In the worker's script in the place of `guarded-patterns.ts`, which comes with the extras. */
export const guardedPatterns: PatternCompiler = (pattern, at) => extras().guardedPatterns(pattern, at);
