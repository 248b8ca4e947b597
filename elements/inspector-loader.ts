import { messageOf } from '../src/protocol/error-message.js';
import { warnOnce } from '../src/protocol/warn-once.js';
import * as WARNINGS from '../src/protocol/warning-codes.js';

/** What draws inspectors. */
export type InspectorModule = typeof import('./inspector/open-inspector.js');
/** One inspector that is drawn. */
export type InspectorView = ReturnType<InspectorModule['openInspector']>;
export type { InspectorTexts } from './inspector/inspector-texts.js';

let loading: Promise<InspectorModule | null> | undefined;

/** Loads the module, once: most pages never show an inspector. Never rejects; `null`, and one warning, without it. */
export function loadInspector(): Promise<InspectorModule | null> {
  return loading ??= import('./inspector/open-inspector.js').catch((error: unknown) => {
    warnOnce(WARNINGS.INSPECTOR_UNAVAILABLE, `The code of <oui-inspector> could not be loaded (${messageOf(error)}), so it `
      + 'shows nothing. Put oui.inspector.js and oui.lit.js beside oui.js, and let a trusted-types policy of the page name '
      + 'oui (lit-html in a bundle of your own).');
    return null;
  });
}
