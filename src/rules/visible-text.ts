/** What a user is shown before they decide: they must see exactly what runs. */

/**
 * Characters that a text can hide in, or that turn the order of what follows around: control, zero-width, bidirectional
 * and line separators. Shown as escapes, because the user must see exactly what runs.
 */
const HIDDEN = new RegExp('[\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff'
  + '\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]', 'gu');

/** JSON on several lines, in which every character can be seen. */
export function visibleJson(value: unknown): string {
  return visibleText(JSON.stringify(value, null, 2) ?? 'nothing');
}

/** A text of somebody else's, with what could hide in it or turn it around as escapes. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

