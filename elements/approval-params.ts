import { visibleJson } from '../src/rules/visible-text.js';

/** One line of what an action is about to be given. */
export interface ApprovalParam {
  readonly name: string;
  /** The value as JSON, with everything visible. */
  readonly text: string;
  /** The agent did not send it: the schema's default will be used. */
  readonly isDefault: boolean;
  /** Names of the files that the value stands for. */
  readonly files: readonly string[];
}

/** Names an attachment by its id, where the page knows it. */
export type AttachmentName = (id: string) => string | null | undefined;

/** PROTOCOL.md §6. */
const ATTACHMENT_ID = /^[A-Za-z0-9_-]{8,64}$/;

/** What the dialog lists: each parameter as sent, then the defaults that are added. */
export function approvalParams(
  params: unknown,
  defaults: { readonly [property: string]: unknown },
  attachmentName: AttachmentName | null = null,
): ApprovalParam[] {
  const line = (name: string, value: unknown, isDefault: boolean): ApprovalParam => ({
    name: visibleJson(name).slice(1, -1),
    text: visibleJson(value),
    isDefault,
    files: attachmentName ? fileNames(value, attachmentName) : [],
  });
  const added = Object.entries(defaults).map(([name, value]) => line(name, value, true));
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    return params === undefined ? added : [line('value', params, false), ...added];
  }
  return [...Object.entries(params).map(([name, value]) => line(name, value, false)), ...added];
}

/** An attachment is a parameter's value, or one of its list. */
function fileNames(value: unknown, attachmentName: AttachmentName): string[] {
  const ids = (Array.isArray(value) ? value : [value]) as readonly unknown[];
  return ids.flatMap((id) => {
    const name = typeof id === 'string' && ATTACHMENT_ID.test(id) ? attachmentName(id) : undefined;
    return typeof name === 'string' ? [visibleJson(name).slice(1, -1)] : [];
  });
}
