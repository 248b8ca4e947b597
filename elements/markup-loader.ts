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

/**
 * Loads the module, once: most pages declare their actions in script. Never rejects; without it one warning says so.
 * @returns `null` when there is nothing to wait for: it is there, or has failed to come.
 */
export function markupPreparation(): Promise<void> | null {
  return loaded || failed ? null : loadMarkup();
}

function loadMarkup(): Promise<void> {
  return loading ??= import('./page/markup-alone.js').then(
    (module) => void (loaded = module),
    (error: unknown) => {
      failed = true;
      warnOnce(WARNINGS.MARKUP_UNAVAILABLE, 'The code for actions with for, forms with toolname and observations with '
        + `from could not be loaded (${messageOf(error)}): these are left out. Put oui.markup.js beside oui.js.`);
    },
  );
}
