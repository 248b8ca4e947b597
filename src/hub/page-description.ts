import { printable } from './hub-log.js';
import type { HubPage } from './page-directory.js';

/** What the hub tells about a page. */
export interface PageDescription {
  readonly id: string;
  readonly title?: string;
  readonly url?: string;
  readonly software?: string;
  readonly mayBeFrozen: boolean;
  readonly surfaces: readonly { readonly id: string; readonly name: string; readonly description: string }[];
}

export function describePage(page: HubPage): PageDescription {
  const { title, url, software, mayBeFrozen } = page.page;
  return {
    id: page.id,
    ...(title === undefined ? {} : { title }),
    ...(url === undefined ? {} : { url }),
    ...(software === undefined ? {} : { software }),
    mayBeFrozen,
    surfaces: page.surfaces().map(({ id, name, description }) => ({ id, name, description })),
  };
}

/** A page in a few words, for a model or a person: its title, else its address, else what is known. */
export function pageLabel(page: HubPage): string {
  const { title, url, software } = page.page;
  const words = [title === undefined || title === '' ? undefined : `"${printable(title)}"`, url && printable(url)];
  return words.filter(Boolean).join(' at ') || `a page without a title${software ? ` (${printable(software)})` : ''}`;
}
