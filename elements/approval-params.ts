/** One line of what an action is about to be given. */
export interface ApprovalParam {
  readonly name: string;
  /** The value as JSON, with everything visible. */
  readonly text: string;
  /** The agent did not send it: the schema's default will be used. */
  readonly isDefault: boolean;
}

/**
 * Characters that a text can hide in, or that turn the order of what follows around: control, zero-width, bidirectional
 * and line separators. Shown as escapes, because the user must see exactly what runs.
 */
const HIDDEN = new RegExp('[\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff'
  + '\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]', 'gu');

/** JSON on several lines, in which every character can be seen. */
export function visibleJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? 'nothing';
  return text.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** What the dialog lists: each parameter as sent, then the defaults that are added. */
export function approvalParams(params: unknown, defaults: { readonly [property: string]: unknown }): ApprovalParam[] {
  const line = (name: string, value: unknown, isDefault: boolean): ApprovalParam => (
    { name: visibleJson(name).slice(1, -1), text: visibleJson(value), isDefault });
  const added = Object.entries(defaults).map(([name, value]) => line(name, value, true));
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    return params === undefined ? added : [line('value', params, false), ...added];
  }
  return [...Object.entries(params).map(([name, value]) => line(name, value, false)), ...added];
}
