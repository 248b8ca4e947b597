import { RESERVED_SURFACE_ID } from '../protocol/author-ids.js';
import { utf8Length } from '../protocol/byte-length.js';
import * as LIMITS from '../protocol/limits.js';
import { indexEntry as entryOf, surfaceIndex as indexOf } from '../rules/index-entry.js';
import { indexDescription, withoutTitle } from '../rules/index-description.js';
import { summarizeInput as summaryOf } from '../rules/input-summary.js';
import type { JSONSchema, OUIAction, OUIActionIndexEntry, OUISurface, OUISurfaceIndex } from './wire-types.js';

/** The index form and the runtime's own surface by `oui-spec`'s names. */

export const INDEX_DESCRIPTION_CHARS = LIMITS.indexDescriptionLength;
export const INDEX_INPUT_CHARS = LIMITS.indexInputLength;
/** So many properties of an input are named before "+N more". */
export const INDEX_INPUT_PROPERTIES = 6;
/** Hex digits of a definition's hash. */
export const DEFINITION_HASH_HEX = 8;

export const OUI_RUNTIME_SURFACE = RESERVED_SURFACE_ID;
export const OUI_DESCRIBE_ACTION = 'describe';
export const OUI_READ_ACTION = 'read';

/** UTF-8 bytes of a value's JSON; 0 for what JSON drops. */
export function jsonBytes(value: unknown): number {
  const json = JSON.stringify(value) as string | undefined;
  return json === undefined ? 0 : utf8Length(json);
}

/** A description's first sentence, on one line, at most 160 UTF-16 units. */
export function firstSentence(text: string): string {
  return indexDescription(text);
}

/** A description less an opening that repeats the title. */
export function withoutTitleLeadIn(description: string, title: string | undefined): string {
  return withoutTitle(description, title ?? '');
}

/** What an action takes, in one line. */
export function summarizeInput(schema: JSONSchema | undefined): string {
  return summaryOf(schema ?? {});
}

export function indexEntry(action: OUIAction): OUIActionIndexEntry {
  return entryOf(action);
}

export function surfaceIndex(surface: OUISurface): OUISurfaceIndex {
  return indexOf(surface) as OUISurfaceIndex;
}

/** The one value that a schema allows, when it is a text, a number or a boolean. */
export function constantOf(schema: JSONSchema | undefined): string | number | boolean | undefined {
  const { const: constant, enum: values } = schema ?? {};
  if (typeof constant === 'string' || typeof constant === 'number' || typeof constant === 'boolean') return constant;
  return values?.length === 1 ? values[0] : undefined;
}

/** The property that has another constant in every member of a union; null when there is none. */
export function discriminatorOf(members: readonly JSONSchema[]): string | null {
  const constants = (name: string): unknown[] => members.map(({ properties }) => constantOf(properties?.[name]));
  const differs = (values: readonly unknown[]): boolean =>
    values.every((value) => value !== undefined) && new Set(values).size === members.length;
  return Object.keys(members[0]?.properties ?? {}).find((name) => differs(constants(name))) ?? null;
}
