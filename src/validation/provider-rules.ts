import { appendPointer } from '../protocol/json-pointer.js';
import type { JsonObject } from '../protocol/json.js';
import { isJsonObject } from '../protocol/shape.js';

/**
 * What model providers are known to do with schemas of tools, from their documentation and from public reports of
 * requests that failed. A provider that refuses one tool refuses the whole request, with all its other tools.
 */

/** Told of each problem: where, which rule, and a sentence for the author. */
export type Report = (path: string, rule: string, message: string) => void;

/** OpenAI: levels of nesting, properties in all, values of enums in all, and UTF-16 units of all names and values. */
const MAX_LEVELS = 10;
const MAX_PROPERTIES = 5_000;
const MAX_ENUM_VALUES = 1_000;
const MAX_NAME_UNITS = 120_000;
/** OpenAI: a single enum of more than 250 texts may have this many UTF-16 units. */
const LONG_ENUM = 250;
const MAX_LONG_ENUM_UNITS = 15_000;
/** Anthropic: names of properties. */
const PROPERTY_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

const REFUSED_AT_ROOT = ['anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not', 'if'];

/** Keywords that OpenAI's strict mode and Gemini refuse, with what to write in their place. */
const REFUSED: { readonly [keyword: string]: string } = {
  patternProperties: 'a list of objects with a name and a value says the same',
  propertyNames: 'say in the description which names are allowed',
  dependentRequired: 'say it in the description, or make the cases members of anyOf',
  dependentSchemas: 'say it in the description, or make the cases members of anyOf',
  dependencies: 'say it in the description, or make the cases members of anyOf',
  unevaluatedProperties: 'list the properties in one place and use additionalProperties',
  unevaluatedItems: 'describe the list in one place, with items',
  contains: 'say it in the description',
  prefixItems: 'an object with a named property for each place says more',
  not: 'say in the description what is not allowed',
  if: 'make the cases members of anyOf, each with a constant that tells it',
  allOf: 'write the members as one schema',
};

/** Keywords that Gemini refuses, so that its models are not told of them. */
const UNTOLD: { readonly [keyword: string]: string } = {
  exclusiveMinimum: 'use minimum',
  exclusiveMaximum: 'use maximum',
  multipleOf: 'say it in the description',
  uniqueItems: 'say it in the description',
};

/** What all of a schema comes to. */
export class ProviderTotals {
  #properties = 0;
  #enumValues = 0;
  #units = 0;
  #tooDeep: string | undefined;

  add(schema: JsonObject, at: string, level: number): void {
    if (level > MAX_LEVELS) this.#tooDeep ??= at;
    const names = isJsonObject(schema['properties']) ? Object.keys(schema['properties']) : [];
    const values = Array.isArray(schema['enum']) ? (schema['enum'] as readonly unknown[]) : [];
    this.#properties += names.length;
    this.#enumValues += values.length;
    this.#units += units(names) + units(values);
  }

  report(report: Report): void {
    const over = (what: string, count: number, most: number): void => {
      if (count <= most) return;
      report('', 'too-large', `The schema has ${count} ${what}; OpenAI refuses more than ${most}. Split the action.`);
    };
    over('properties', this.#properties, MAX_PROPERTIES);
    over('values in enums', this.#enumValues, MAX_ENUM_VALUES);
    over('characters in names and values of enums', this.#units, MAX_NAME_UNITS);
    if (this.#tooDeep === undefined) return;
    const message = `More than ${MAX_LEVELS} levels of objects and lists; OpenAI refuses that. Make it flatter.`;
    report(this.#tooDeep, 'too-deep', message);
  }
}

/** The rules for the input as a whole. `{}` and `true` are inputs that take anything, and are no problem. */
export function checkRoot(schema: JsonObject, report: Report): void {
  if (Object.keys(schema).length === 0) return;
  const { type } = schema;
  if (typeof schema['$ref'] === 'string') {
    const message = 'The input is a $ref; OpenAI and Gemini want an object there. Write it in place.';
    report('/$ref', 'root-reference', message);
  } else if (type !== 'object') {
    const path = type === undefined ? '' : '/type';
    const is = type === undefined ? 'has no type' : `has the type ${JSON.stringify(type)}`;
    report(path, 'root-type', `The input ${is}; every provider wants "object", and refuses the request otherwise.`);
  }
  for (const keyword of REFUSED_AT_ROOT) {
    if (schema[keyword] === undefined) continue;
    const message =
      `${keyword} at the top of an input: OpenAI and Anthropic refuse the request. ` +
      'Put it into a property, or say the rule in the description.';
    report(`/${keyword}`, 'root-combinator', message);
  }
}

/** The rules for each schema object, the input itself too. */
export function checkForProviders(schema: JsonObject, at: string, report: Report): void {
  checkKeywords(schema, at, report);
  checkType(schema, at, report);
  checkNames(schema, at, report);
  checkValues(schema, at, report);
}

function checkKeywords(schema: JsonObject, at: string, report: Report): void {
  for (const keyword of Object.keys(schema)) {
    const place = appendPointer(at, keyword);
    const instead = REFUSED[keyword];
    const told = UNTOLD[keyword];
    if (at === '' && REFUSED_AT_ROOT.includes(keyword)) continue;
    if (instead !== undefined) {
      report(place, 'refused-keyword', `${keyword} is refused by Gemini and by OpenAI's strict mode; ${instead}.`);
    } else if (told !== undefined) {
      report(place, 'untold-keyword', `${keyword} is refused by Gemini, its models will not know of it; ${told}.`);
    }
  }
  if (!Array.isArray(schema['items'])) return;
  const message = 'A list under items is from an earlier draft and refused by Anthropic and OpenAI; use one schema.';
  report(appendPointer(at, 'items'), 'tuple', message);
}

function checkType(schema: JsonObject, at: string, report: Report): void {
  const { type } = schema;
  const place = appendPointer(at, 'type');
  const types = (Array.isArray(type) ? type : [type]) as readonly unknown[];
  const real = types.filter((each) => each !== 'null');
  if (real.length > 1) {
    const message = `${real.length} types at once; Gemini refuses that. Make each a member of anyOf.`;
    report(place, 'several-types', message);
  }
  if (types.includes('array') && schema['items'] === undefined && schema['prefixItems'] === undefined) {
    report(at, 'list-without-items', 'A list without items; OpenAI and Gemini refuse the request. Say what is in it.');
  }
  if (type === undefined && at !== '' && !saysWhat(schema)) {
    const message = 'No type; Gemini refuses that, and a model has to guess. Say which one, or list them in anyOf.';
    report(at, 'no-type', message);
  }
}

/** Something else than a type says what the value is. */
function saysWhat(schema: JsonObject): boolean {
  return ['$ref', '$dynamicRef', 'anyOf', 'oneOf', 'allOf', 'not', 'if', 'const', 'required', 'then', 'else'].some(
    (keyword) => schema[keyword] !== undefined,
  );
}

function checkNames(schema: JsonObject, at: string, report: Report): void {
  const { properties, required } = schema;
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  const place = appendPointer(at, 'properties');
  for (const name of names) {
    if (PROPERTY_NAME.test(name)) continue;
    const message =
      `The name ${JSON.stringify(name.slice(0, 80))} is refused by Anthropic: ` +
      'names have 1 to 64 of the characters A–Z, a–z, 0–9, "_", "." and "-".';
    report(appendPointer(place, name), 'property-name', message);
  }
  if (!Array.isArray(required) || (properties === undefined && at !== '')) return;
  for (const [index, name] of (required as readonly unknown[]).entries()) {
    if (typeof name !== 'string' || names.includes(name)) continue;
    const said = JSON.stringify(name);
    const message = `${said} is required but not among the properties; Gemini refuses that. Declare it.`;
    report(appendPointer(appendPointer(at, 'required'), index), 'required-unknown', message);
  }
}

function checkValues(schema: JsonObject, at: string, report: Report): void {
  const { const: constant, enum: values } = schema;
  if (constant !== undefined && typeof constant === 'object' && constant !== null) {
    const message = 'A constant that is an object or a list; providers take texts, numbers and flags. Use properties.';
    report(appendPointer(at, 'const'), 'structured-constant', message);
  }
  if (!Array.isArray(values)) return;
  const place = appendPointer(at, 'enum');
  const kinds = new Set((values as readonly unknown[]).filter((value) => value !== null).map((value) => typeof value));
  if (values.length === 0) {
    const message = 'An enum without values: nothing fits, and providers refuse it. Leave the property out.';
    report(place, 'empty-enum', message);
  } else if (kinds.has('object')) {
    const message = 'Objects or lists in an enum; providers take texts and numbers. Use anyOf with properties.';
    report(place, 'structured-constant', message);
  } else if (kinds.size > 1) {
    report(place, 'mixed-enum', `An enum of ${[...kinds].join(' and ')} values; Gemini refuses it. Use one type.`);
  } else if (!kinds.has('string')) {
    report(place, 'enum-not-text', 'An enum of values that are no texts; Gemini takes texts only. Use texts.');
  } else if (values.includes('')) {
    report(place, 'empty-text-in-enum', 'An empty text in an enum; Gemini refuses it. Name the case, or leave it out.');
  }
  if (values.length > LONG_ENUM && units(values) > MAX_LONG_ENUM_UNITS) {
    const message = `An enum of ${values.length} values with ${units(values)} characters; OpenAI refuses more than `;
    report(place, 'long-enum', `${message}${MAX_LONG_ENUM_UNITS}. Take a text, and check it in the handler.`);
  }
}

function units(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
}
