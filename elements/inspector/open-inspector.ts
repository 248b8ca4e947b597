import { INSPECTOR_STYLES } from './inspector-styles.js';
import { InspectorView } from './inspector-view.js';
import type { InspectorHost } from './inspector-view.js';

export type { InspectorHost } from './inspector-view.js';
export type { InspectorTexts } from './inspector-texts.js';

/** Draws an inspector into its element, until it is closed. */
export function openInspector(host: InspectorHost): InspectorView {
  const view = new InspectorView(host);
  const root = host.renderRoot as ShadowRoot;
  root.adoptedStyleSheets = [...INSPECTOR_STYLES.map(({ styleSheet }) => styleSheet!), view.sheet];
  return view;
}
