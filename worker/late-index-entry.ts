import type { surfaceIndex as indexWhole } from '../src/rules/index-entry.js';
import { extras } from './late-extras.js';

/** In the worker's script in the place of `index-entry.ts`, which comes with the extras. */
export const surfaceIndex: typeof indexWhole = (surface) => extras().surfaceIndex(surface);
