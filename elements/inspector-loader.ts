import * as WARNINGS from '../src/protocol/warning-codes.js';
import { loadOnce } from './load-once.js';

/** One inspector that is drawn. */
export type InspectorView = ReturnType<typeof import('./inspector/open-inspector.js').openInspector>;
export type { InspectorTexts } from './inspector/inspector-texts.js';

/** Loads what draws inspectors. */
export const loadInspector = loadOnce(
  () => import('./inspector/open-inspector.js'),
  WARNINGS.INSPECTOR_UNAVAILABLE,
  (why) => `The code of <oui-inspector> could not be loaded (${why}), so it shows nothing. Put oui.inspector.js and `
    + 'oui.lit.js beside oui.js, and let a trusted-types policy of the page name oui (lit-html in a bundle of your own).',
);
