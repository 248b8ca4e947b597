/**
 * The part of the engine that some surfaces need: patterns in schemas, and the runtime's own actions. `oui.extras.js`;
 * the worker loads it before the first input that needs it (`late-extras.ts`).
 */
export { OwnActions } from '../src/engine/own-actions.js';
export { guardedPatterns } from '../src/validation/guarded-patterns.js';
