import { visibleJson } from '../src/rules/visible-text.js';

/** One line of what an action is about to be given. */
export interface ApprovalParam {
  readonly name: string;
  /** The value as JSON, with everything visible. */
  readonly text: string;
  /** The agent did not send it: the schema's default will be used. */
  readonly isDefault: boolean;
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
