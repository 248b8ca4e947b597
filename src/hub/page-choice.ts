import * as ERROR_CODES from '../protocol/error-codes.js';
import type { OUIError } from '../protocol/events.js';
import type { HubPage, PageDirectory } from './page-directory.js';
import { pageLabel } from './tool-catalog.js';

/**
 * The page that a call means: the one it names, else the newest that suits, else the newest there is. One that has
 * just gone and may come back suits as well: a page that reloads must not have its calls done on another.
 */
export function choosePage(
  directory: PageDirectory,
  asked: unknown,
  suits: (page: HubPage) => boolean,
): { readonly page: HubPage } | { readonly error: OUIError } {
  const known = directory.known();
  if (asked !== undefined) {
    const named = known.find(({ id }) => id === asked);
    return named ? { page: named } : { error: noSuchPage(asked, known) };
  }
  const page = [...known].reverse().find(suits) ?? directory.pages().at(-1);
  return page ? { page } : { error: noPage() };
}

function noSuchPage(asked: unknown, known: readonly HubPage[]): OUIError {
  if (known.length === 0) return noPage();
  const list = known.map((page) => `${page.id} (${pageLabel(page)})`).join(', ');
  const message = `No page ${JSON.stringify(asked)} is connected. Leave the page out, or choose one of: ${list}.`;
  return { code: ERROR_CODES.SURFACE_UNAVAILABLE, message };
}

function noPage(): OUIError {
  return {
    code: ERROR_CODES.SURFACE_UNAVAILABLE,
    message: 'No page is connected. Ask the user to open the page; its tools appear when it connects.',
  };
}
