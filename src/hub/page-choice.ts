import * as ERROR_CODES from '../protocol/error-codes.js';
import type { OUIError } from '../protocol/events.js';
import type { HubPage, PageDirectory } from './page-directory.js';
import { pageLabel } from './page-description.js';

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

/**
 * The error of a call that never reached its page, since that did not come back: with the pages that have the same, and
 * the argument that chooses one. The hub chooses none itself: the wrong page is worse than none.
 *
 * @param argument the tool's own for a page
 */
export function withOtherPages(
  error: OUIError,
  directory: PageDirectory,
  argument: string,
  suits: (page: HubPage) => boolean,
): OUIError {
  const { ran } = (error.details ?? {}) as { readonly ran?: unknown };
  const others = error.code === ERROR_CODES.SURFACE_UNAVAILABLE && ran === false ? directory.pages().filter(suits) : [];
  if (others.length === 0) return error;
  const list = others.map((page) => `${JSON.stringify(page.id)} (${pageLabel(page)})`).join(', ');
  const wayOut = `If the user means another page that has it, call again with "${argument}": ${list}.`;
  const message = `${error.message} ${wayOut}`;
  return { ...error, message };
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
