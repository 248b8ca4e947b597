import type { Amounts } from './amounts.js';
import type { InspectorState } from './inspector-state.js';
import type { InspectorTexts } from './inspector-texts.js';

/** What every part of the inspector draws with. */
export interface Drawing {
  readonly state: InspectorState;
  readonly texts: InspectorTexts;
  readonly amounts: Amounts;
  /** The page's document. */
  readonly document: Document;
  /** Saves a file with the user's browser. */
  save(name: string, text: string): void;
  /** Puts the focus on an element of the inspector once it has been drawn. */
  focus(selector: string): void;
}
