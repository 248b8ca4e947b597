import type { JSONSchema } from '../protocol/json.js';
import { randomId } from '../protocol/random-id.js';
import { isJsonObject } from '../protocol/shape.js';
import { declaredAttachments } from '../rules/declared-attachments.js';

/** Parameters as they go to a plugin, and the files that go with them. */
export interface SentParams {
  readonly params: unknown;
  readonly attachments: { readonly [id: string]: Blob };
}

/**
 * Where the page has opened attachments for an action, their ids again: new ones, of this call alone. The plugin fetches
 * these files while the call is open, and no others.
 */
export function withAttachmentIds(input: JSONSchema, params: unknown): SentParams {
  const files = new Map<string, Blob>();
  const idOf = (value: unknown): unknown => {
    const file = fileOf(value);
    if (!file) return value;
    const id = randomId();
    files.set(id, file);
    return id;
  };
  if (!isJsonObject(params)) return { params, attachments: {} };
  const changed = declaredAttachments(input).flatMap(({ property, list }) => {
    if (!Object.hasOwn(params, property)) return [];
    const value = params[property];
    return [[property, list && Array.isArray(value) ? value.map(idOf) : idOf(value)] as const];
  });
  return { params: { ...params, ...Object.fromEntries(changed) }, attachments: Object.fromEntries(files) };
}

/** A handler gets a File, or of a text `{name, mediaType, text}`. */
function fileOf(value: unknown): Blob | undefined {
  // Also one of another window's, which has a class of its own.
  if (/^\[object (Blob|File)\]$/.test(Object.prototype.toString.call(value))) return value as Blob;
  if (!isJsonObject(value) || typeof value['text'] !== 'string') return undefined;
  const { name, mediaType, text } = value;
  const type = typeof mediaType === 'string' ? mediaType : 'text/plain';
  return new File([text], typeof name === 'string' ? name : 'attachment', { type });
}
