import type { AttachmentUse } from '../protocol/engine-messages.js';
import type { JSONSchema, JsonObject } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';
import { describeValue, isJsonObject } from '../protocol/shape.js';
import { declaresAttachment } from './attachment-schema.js';

/** A property of an action's input that takes the id of an attachment, or a list of them. */
export interface DeclaredAttachment {
  readonly property: string;
  /** The property is a list, and its items are the ids. */
  readonly list: boolean;
  /** What the handler takes in place of the id. */
  readonly as: 'file' | 'text';
  /** What it takes, such as `image/*`. Absent: anything. An empty list, which a broken declaration comes to, nothing. */
  readonly mediaTypes?: readonly string[];
  /** `null` stands for no attachment. */
  readonly nullable: boolean;
}

const ID = /^[A-Za-z0-9_-]{8,64}$/;

/** Whether a text has the form of an attachment's id (PROTOCOL.md §6). */
export function isAttachmentId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}

/** The properties of an input that take attachments, in the order of the schema (PROTOCOL.md §6). */
export function declaredAttachments(input: JSONSchema): DeclaredAttachment[] {
  const properties = isJsonObject(input) ? input['properties'] : undefined;
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([property, schema]) => {
    if (declaresAttachment(schema)) return [declared(property, schema, false)];
    const items = isJsonObject(schema) ? schema['items'] : undefined;
    return declaresAttachment(items) ? [declared(property, items, true)] : [];
  });
}

function declared(property: string, schema: JsonObject, list: boolean): DeclaredAttachment {
  const { type, 'x-oui-attachment': details } = schema;
  const { as, mediaTypes } = isJsonObject(details) ? details : {};
  return {
    property,
    list,
    as: as === 'text' ? 'text' : 'file',
    nullable: Array.isArray(type) && type.includes('null'),
    ...typesOf(mediaTypes),
  };
}

/** Types that cannot be read fit no file: a broken declaration must not let everything in. */
function typesOf(mediaTypes: unknown): Pick<DeclaredAttachment, 'mediaTypes'> {
  if (mediaTypes === undefined || (Array.isArray(mediaTypes) && mediaTypes.length === 0)) return {};
  const list: readonly unknown[] = Array.isArray(mediaTypes) ? mediaTypes : [];
  return { mediaTypes: list.filter((type): type is string => typeof type === 'string') };
}

/**
 * The ids that parameters name, in order; or a text `<property>: <reason>` for what is no id, which must not reach a
 * handler as an attachment (PROTOCOL.md §6).
 *
 * @param params with defaults filled in: those of attachments are ids as well.
 */
export function attachmentUses(input: JSONSchema, params: unknown): readonly AttachmentUse[] | string {
  const uses: AttachmentUse[] = [];
  if (!isJsonObject(params)) return uses;
  for (const { property, list, nullable, ...what } of declaredAttachments(input)) {
    if (!Object.hasOwn(params, property) || params[property] === undefined) continue;
    const value = params[property];
    if (list && Array.isArray(value) && value.length > LIMITS.attachmentsInList) {
      return `${property}: takes at most ${LIMITS.attachmentsInList} attachments, not ${value.length}`;
    }
    const items: readonly unknown[] | undefined = !list ? [value] : Array.isArray(value) ? value : undefined;
    if (!items) return `${property}: must be a list of attachments' ids, not ${describeValue(value)}`;
    for (const [index, id] of items.entries()) {
      if (id === null && nullable) continue;
      if (!isAttachmentId(id)) return `${property}: ${notAnId(id)}`;
      uses.push({ property, id, ...what, ...(list && { index }) });
    }
  }
  return uses;
}

function notAnId(value: unknown): string {
  const form = 'must be the id of an attachment, 8 to 64 of A-Z, a-z, 0-9, "_" and "-"';
  return `${form}, not ${describeValue(value)}`;
}

/**
 * Whether a file's media type is one of those an input takes: parameters dropped, in any case, `image/*` is the family
 * (PROTOCOL.md §6). A file that does not say its type fits only where none are named.
 */
export function fitsMediaTypes(mediaType: string, taken: readonly string[] | undefined): boolean {
  if (taken === undefined) return true;
  const type = essence(mediaType);
  if (!/^[^/]+\/[^/]+$/.test(type)) return false;
  return taken.map(essence).some((wanted) => {
    if (wanted === '*/*') return true;
    return wanted.endsWith('/*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
  });
}

const essence = (mediaType: string): string => mediaType.split(';', 1)[0]!.trim().toLowerCase();
