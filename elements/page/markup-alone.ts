/**
 * What markup alone needs to work on the page itself: forms and buttons as actions, parts of the page as observations.
 * Loaded with the first element that asks for it.
 */
export { createTargetAction, createToolAction } from './page-action.js';
export type { PageAction } from './page-action.js';
export { createPageSource } from './page-source.js';
export type { PageSource, PageType } from './page-source.js';
