import * as LIMITS from '../../src/protocol/limits.js';
import { cutEnd } from '../../src/rules/clip-text.js';
import { visibleJson, visibleText } from '../../src/rules/visible-text.js';

/** JSON on several lines, as far as it is shown. `more`: UTF-16 units that are left out. */
export interface ShownText {
  readonly text: string;
  readonly more: number;
}

/** A value as it is shown. */
export function shownValue(value: unknown): ShownText {
  return clipped(visibleJson(value));
}

/** JSON text as it is shown: on several lines where it is whole. */
export function shownJson(text: string): ShownText {
  try {
    return shownValue(JSON.parse(text));
  } catch {
    return clipped(visibleText(text));
  }
}

/** A value in one line of at most so many UTF-16 units. */
export function inOneLine(value: unknown, length = 120): string {
  const text = value === undefined ? '' : visibleText(JSON.stringify(value) ?? '');
  return text.length <= length ? text : `${text.slice(0, cutEnd(text, length - 1))}…`;
}

function clipped(text: string): ShownText {
  const end = cutEnd(text, LIMITS.inspectedShownLength);
  return { text: text.slice(0, end), more: text.length - end };
}
