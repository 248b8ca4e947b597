/**
 * The part of the engine that some surfaces need: patterns in schemas, attachments, the runtime's own actions, the
 * index form, and cutting what is too large for a frame. `oui.extras.js`; the worker loads it before the first input
 * that needs it (`late-extras.ts`).
 */
export { OwnActions } from '../src/engine/own-actions.js';
export { misplacedAttachments } from '../src/rules/attachment-schema.js';
export { attachmentUses } from '../src/rules/declared-attachments.js';
export { cutValues, outlineValue } from '../src/rules/fit-steps.js';
export { surfaceIndex } from '../src/rules/index-entry.js';
export { guardedPatterns } from '../src/validation/guarded-patterns.js';
