import { InspectorView } from './inspector-view.js';
import type { InspectorHost } from './inspector-view.js';

export type { InspectorHost } from './inspector-view.js';
export type { InspectorTexts } from './inspector-texts.js';

/** Draws an inspector into its element, until it is closed. */
export function openInspector(host: InspectorHost): InspectorView {
  return new InspectorView(host);
}
