import { messageOf } from '../src/protocol/error-message.js';
import { warnOnce } from '../src/protocol/warn-once.js';
import * as WARNINGS from '../src/protocol/warning-codes.js';

/** What works on forms, buttons and other parts of the page. */
export type MarkupModule = typeof import('./page/markup-alone.js');

let loaded: MarkupModule | null = null;
let loading: Promise<void> | undefined;
let failed = false;

/** The module, once `loadMarkup` has loaded it. */
export function markupModule(): MarkupModule | null {
  return loaded;
}

/** Whether it is worth loading: it is not there, and has not failed to come. */
export function lacksMarkup(): boolean {
  return !loaded && !failed;
}

/** Loads the module, once: most pages declare their actions in script. Never rejects; without it one warning says so. */
export function loadMarkup(): Promise<void> {
  return loading ??= import('./page/markup-alone.js').then(
    (module) => void (loaded = module),
    (error: unknown) => {
      failed = true;
      warnOnce(WARNINGS.MARKUP_UNAVAILABLE, 'The code for actions with for, forms with toolname and observations with '
        + `from could not be loaded (${messageOf(error)}): these are left out. Put oui.markup.js beside oui.js.`);
    },
  );
}
