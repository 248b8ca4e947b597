import type { JSONSchema } from '../src/protocol/json.js';
import { warnMarkup } from './markup-warning.js';

const SCHEMA_TYPE = 'application/schema+json';
const SCHEMA_SCRIPT = `:scope > script[type="${SCHEMA_TYPE}"]`;
/** Scripts that look as if they were meant. */
const OTHER_SCRIPT = `:scope > script[type*="json"]:not([type="${SCHEMA_TYPE}"],[type="application/ld+json"])`;

/** Where an element's schema may stand, in the order in which it is looked for. */
export interface SchemaPlaces {
  /** The attribute (JSON text) or property, and the attribute's name. */
  readonly value: JSONSchema | string | null;
  readonly attribute: string;
  /** Selector of an element of the same tree whose text is the schema, and the attribute's name; `''` without a script too. */
  readonly from: string;
  readonly fromAttribute: string;
}

/** A schema that was found; `null` when it is broken, which has been warned about; `undefined` when there is none. */
export type FoundSchema = JSONSchema | null | undefined;

/** The JSON Schema that an element declares: by attribute or property, by reference, or in a child script. */
export function declaredSchema(element: Element, places: SchemaPlaces): FoundSchema {
  const { value, attribute, from, fromAttribute } = places;
  const script = fromAttribute ? schemaScript(element, value ? attribute : from && fromAttribute) : null;
  if (value !== null && value !== '') {
    return typeof value === 'string'
      ? parseSchema(element, value, `attribute ${attribute}`)
      : checked(element, value, `property ${attribute}`);
  }
  if (from) {
    const source = findInTree(element, from);
    if (source) return parseSchema(element, source.textContent ?? '', `the element ${from}`);
    warnMarkup(element, `has ${fromAttribute}="${from}", but no element of its document matches that selector. `
      + 'It needs the # of an id, and the element must be in the page.');
    return null;
  }
  return script ? parseSchema(element, script.textContent ?? '', `its <script type="${SCHEMA_TYPE}">`) : undefined;
}

/**
 * The child script that is the element's schema. One that is ignored is warned about: for its type, or for what counts
 * `instead`.
 */
export function schemaScript(element: Element, instead: string): Element | null {
  const other = element.querySelector(OTHER_SCRIPT)?.getAttribute('type');
  if (other) {
    warnMarkup(element, `has a <script type="${other}"> inside, which is ignored: a schema's type is another. Write `
      + `<script type="${SCHEMA_TYPE}">.`);
  }
  const script = element.querySelector(SCHEMA_SCRIPT);
  if (script && instead) {
    warnMarkup(element, `has ${instead} and a <script type="${SCHEMA_TYPE}">, which is ignored. Keep one of the two.`);
  }
  return script;
}

/** JSON of an attribute or script; `undefined` and a warning when it is none. */
export function parseJson(element: Element, text: string, place: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const start = text.trim().slice(0, 120);
    warnMarkup(element, `has broken JSON in ${place}: ${(error as Error).message}. It reads: ${start}`);
    return undefined;
  }
}

function parseSchema(element: Element, text: string, place: string): FoundSchema {
  const value = parseJson(element, text, place);
  return value === undefined ? null : checked(element, value, place);
}

function checked(element: Element, value: unknown, place: string): FoundSchema {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JSONSchema;
  warnMarkup(element, `has no JSON Schema in ${place} but ${JSON.stringify(value)}; a schema is an object, `
    + 'such as { "type": "object", "properties": { … } }.');
  return null;
}

function findInTree(element: Element, selector: string): Element | null {
  try {
    const root = element.getRootNode() as ParentNode;
    return root.querySelector(selector) ?? element.ownerDocument.querySelector(selector);
  } catch {
    return null;
  }
}
