import * as LIMITS from '../protocol/limits.js';
import { clipText } from './clip-text.js';

/** A quoted title opens a description when it starts within this many UTF-16 units: `The action "Add": adds …`. */
const OPENING_LENGTH = 32;

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * Without an opening that repeats the title, which stands beside the description anyway. Both with their white space
 * collapsed.
 */
export function withoutTitle(description: string, title: string): string {
  if (title === '') return description;
  const plain = `${title}: `;
  if (description.startsWith(plain)) return description.slice(plain.length);
  const quoted = `"${title}": `;
  // Only an opening is looked for: the rest of a long description is not.
  const at = description.slice(0, OPENING_LENGTH - 1 + quoted.length).indexOf(quoted);
  if (at === -1 || /[.:!?"]/.test(description.slice(0, at))) return description;
  return description.slice(at + quoted.length);
}

/**
 * What an index says of an action (PROTOCOL.md §4): the first sentence of its description, on one line, less an
 * opening that repeats the title, at most 160 UTF-16 units.
 *
 * A sentence ends at the first `.`, `!` or `?` that is followed by a space and one of `A–Z 0–9 " ' ( [`.
 */
export function indexDescription(description: string, title = ''): string {
  // White space at the ends is gone, and what is dropped ends with a space: something always remains.
  const text = withoutTitle(collapse(description), collapse(title));
  const end = text.search(/[.!?] [A-Z0-9"'([]/);
  return clipText(end === -1 ? text : text.slice(0, end + 1), LIMITS.indexDescriptionLength);
}
