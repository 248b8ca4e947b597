import type { OUIValidationIssue } from '../protocol/events.js';
import { appendPointer, buildPointer } from '../protocol/json-pointer.js';
import { describeValue } from '../protocol/shape.js';
import type { Failure } from './failure.js';
import { didYouMean, nearest } from './near-miss.js';
import { DECLARED, slotOf } from './patterns.js';
import type { PatternSlot } from './patterns.js';
import type { SchemaNode } from './schema-copy.js';

/** A list in a message ends here: a model has the schema, too. */
const MAX_LISTED = 20;

function json(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function listed(values: readonly unknown[], separator = ', '): string {
  const shown = values.slice(0, MAX_LISTED).map((value) => (typeof value === 'string' ? value : json(value)));
  if (values.length > MAX_LISTED) shown.push(`… (${values.length} in all)`);
  return shown.join(separator);
}

function counted(count: unknown, [one, many]: readonly [one: string, many: string]): string {
  return `${String(count)} ${count === 1 ? one : many}`;
}

const CHARACTERS = ['character', 'characters'] as const;
const ITEMS = ['item', 'items'] as const;
const PROPERTIES = ['property', 'properties'] as const;

/** What came, in the short form of an issue: its type, or the value when it is short. */
export function received(value: unknown): unknown {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object' && value !== null) return 'object';
  if (typeof value === 'string' && value.length > 40) return `a text of ${value.length} characters`;
  return value;
}

function size(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'string' ? Array.from(value).length : Object.keys(value as object).length;
}

/** Models write a list or an object as the text of one. */
function asText(wanted: unknown, value: unknown): string {
  const types: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
  const meant = types.find((type) => type === 'array' || type === 'object');
  if (meant === undefined || typeof value !== 'string' || !/^\s*[[{]/.test(value)) return '';
  return `; send the ${String(meant)} itself, not the text of it`;
}

type Wording = (wanted: unknown, value: unknown) => string;

const got: (value: unknown) => string = (value) => `, got ${describeValue(value)}`;
const has = (things: readonly [string, string], bound: string): Wording => {
  return (wanted, value) => `must have at ${bound} ${counted(wanted, things)}, has ${size(value)}`;
};
const compared = (words: string): Wording => {
  return (wanted, value) => `must be ${words} ${String(wanted)}${got(value)}`;
};

const WORDINGS: { readonly [keyword: string]: Wording } = {
  type: (wanted, value) => {
    const types = Array.isArray(wanted) ? listed(wanted, ' or ') : String(wanted);
    return `expected ${types}${got(value)}${asText(wanted, value)}`;
  },
  const: (wanted, value) => `expected ${json(wanted)}${got(value)}`,
  enum: (wanted, value) => {
    const values = wanted as readonly unknown[];
    return `expected one of ${listed(values.map(json))}${got(value)}${didYouMean(value, values)}`;
  },
  minimum: compared('at least'),
  maximum: compared('at most'),
  exclusiveMinimum: compared('more than'),
  exclusiveMaximum: compared('less than'),
  multipleOf: compared('a multiple of'),
  minLength: has(CHARACTERS, 'least'),
  maxLength: has(CHARACTERS, 'most'),
  minItems: has(ITEMS, 'least'),
  maxItems: has(ITEMS, 'most'),
  minProperties: has(PROPERTIES, 'least'),
  maxProperties: has(PROPERTIES, 'most'),
  pattern: (wanted, value) => `must match the pattern ${String(wanted)}${got(value)}`,
  format: (wanted, value) => `must be in the format ${String(wanted)}${got(value)}`,
  uniqueItems: () => 'must not have the same item twice',
  contains: () => 'must contain an item that fits the schema under "contains"',
  minContains: (wanted) => `must contain at least ${counted(wanted, ITEMS)} that fit the schema under "contains"`,
  maxContains: (wanted) => `must contain at most ${counted(wanted, ITEMS)} that fit the schema under "contains"`,
  not: () => 'must not fit the schema under "not"',
};

export function issue(
  path: string,
  keyword: string,
  reason: string,
  more: { readonly expected?: unknown; readonly received?: unknown },
): OUIValidationIssue {
  return { path, keyword, message: `${path || 'the value'}: ${reason}`, ...more };
}

/** The issues of one failure that has no others below it. */
export function issuesOf(failure: Failure, slots: readonly PatternSlot[]): OUIValidationIssue[] {
  const { keyword, node, value } = failure;
  const path = buildPointer(failure.steps);
  if (keyword === 'required') {
    return missing(failure, path, node['required'], (name) => `is required, but missing${meantBy(name, failure)}`);
  }
  if (keyword === 'dependentRequired' || keyword === 'dependencies') {
    return Object.entries(node[keyword] as object).flatMap(([given, names]: [string, unknown]) => {
      if (!Array.isArray(names) || !Object.hasOwn(value as object, given)) return [];
      return missing(failure, path, names, () => `is required where ${JSON.stringify(given)} is given, but missing`);
    });
  }
  if (keyword === 'not' && node['not'] === true) return [refused(failure, path)];

  const pattern = keyword === 'format' ? slotOf(slots, node['format'])?.pattern : undefined;
  const known = pattern === undefined ? keyword : 'pattern';
  const wanted = pattern ?? node[keyword];
  const wording = WORDINGS[known];
  const reason = wording === undefined ? failure.text : wording(wanted, value);
  const more = { ...expectation(known, wanted), received: received(value) };
  if (failure.ofName) return [issue(path, 'propertyNames', `the name is not allowed: ${reason}`, more)];
  return [issue(path, known, reason, more)];
}

/** What was wanted, unless it is a whole schema. */
function expectation(keyword: string, wanted: unknown): { readonly expected?: unknown } {
  if (keyword === 'contains' || keyword === 'not') return {};
  return { expected: keyword === 'type' && Array.isArray(wanted) ? listed(wanted, ' or ') : wanted };
}

function missing(
  { keyword, value }: Failure,
  path: string,
  names: unknown,
  reason: (name: string) => string,
): OUIValidationIssue[] {
  return (names as readonly string[])
    .filter((name) => !Object.hasOwn(value as object, name))
    .map((name) => issue(appendPointer(path, name), keyword, reason(name), { received: 'nothing' }));
}

function declared(node: SchemaNode | undefined): string[] {
  return Object.keys(node?.[DECLARED] ?? node?.['properties'] ?? {});
}

/** A property that was given, is not declared, and has almost this name. */
function meantBy(name: string, { node, value }: Failure): string {
  const known = declared(node);
  const given = nearest(name, Object.keys(value as object).filter((each) => !known.includes(each)));
  return given === undefined ? '' : `; is it meant by ${JSON.stringify(given)}?`;
}

/** A schema that is `false`: nothing may stand here. The keyword that says so is the one to name. */
function refused({ appliedBy, applier, ofName, steps, value }: Failure, path: string): OUIValidationIssue {
  const more = { received: received(value) };
  if (ofName) return issue(path, 'propertyNames', 'no property is allowed', more);
  switch (appliedBy) {
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const known = declared(applier);
      const meant = didYouMean(steps.at(-1), known);
      const those = known.length > 0 ? `${meant || ';'} known are ${listed(known)}` : '';
      return issue(path, appliedBy, `is not a known property${those}`, more);
    }
    case 'items':
    case 'additionalItems':
    case 'unevaluatedItems':
      return issue(path, appliedBy, 'is one item too many', more);
    default:
      return issue(path, appliedBy ?? 'false', 'is not allowed', more);
  }
}
