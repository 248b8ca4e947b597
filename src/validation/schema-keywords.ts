import { describeValue, isJsonObject } from '../protocol/shape.js';

/** What a keyword's value is, for checking and copying it. */
export type KeywordKind =
  | 'schema'
  | 'schema-or-list'
  | 'schemas'
  | 'some-schemas'
  | 'schema-map'
  | 'dependencies'
  | 'text'
  | 'texts'
  | 'texts-map'
  | 'type'
  | 'list'
  | 'any'
  | 'flag'
  | 'count'
  | 'number'
  | 'positive';

const BY_KIND: { readonly [kind in KeywordKind]: string } = {
  text: '$id $anchor $dynamicAnchor $ref $dynamicRef pattern format',
  'schema-map': '$defs definitions properties patternProperties dependentSchemas',
  schema:
    'not if then else additionalProperties unevaluatedProperties propertyNames ' +
    'additionalItems unevaluatedItems contains',
  schemas: 'allOf prefixItems',
  'some-schemas': 'anyOf oneOf',
  'schema-or-list': 'items',
  dependencies: 'dependencies',
  texts: 'required',
  'texts-map': 'dependentRequired',
  type: 'type',
  list: 'enum',
  any: 'const',
  flag: 'uniqueItems',
  count: 'minProperties maxProperties minContains maxContains minItems maxItems minLength maxLength',
  number: 'minimum maximum exclusiveMinimum exclusiveMaximum',
  positive: 'multipleOf',
};

/**
 * The keywords that are checked and kept: those of draft 2020-12 that assert or apply something, and `definitions`,
 * `dependencies`, `additionalItems` and lists under `items` of earlier drafts, which generators still write.
 * Annotations (`title`, `default`, `examples`, …) and keywords that nobody knows are dropped.
 */
export const KEYWORDS: ReadonlyMap<string, KeywordKind> = new Map(
  Object.entries(BY_KIND).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind as KeywordKind])),
);

const TYPES: readonly unknown[] = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

const isType = (value: unknown): boolean => TYPES.includes(value);
const isText = (value: unknown): boolean => typeof value === 'string';
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isJsonObject(value);
const areSchemas = (value: unknown): boolean => Array.isArray(value) && value.every(isSchema);

const RULES: { readonly [kind in KeywordKind]: readonly [wanted: string, test: (value: unknown) => boolean] } = {
  schema: ['a schema (an object or a boolean)', isSchema],
  'schema-or-list': ['a schema or a list of schemas', (value) => isSchema(value) || areSchemas(value)],
  schemas: ['a list of schemas', areSchemas],
  'some-schemas': [
    'a list of at least one schema',
    (value) => areSchemas(value) && (value as readonly unknown[]).length > 0,
  ],
  'schema-map': [
    'an object whose members are schemas',
    (value) => isJsonObject(value) && Object.values(value).every(isSchema),
  ],
  dependencies: [
    'an object whose members are schemas or lists of property names',
    (value) => isJsonObject(value) && Object.values(value).every((member) => isSchema(member) || areTexts(member)),
  ],
  text: ['a text', isText],
  texts: ['a list of property names', areTexts],
  'texts-map': [
    'an object whose members are lists of property names',
    (value) => isJsonObject(value) && Object.values(value).every(areTexts),
  ],
  type: [
    `one of ${TYPES.join(', ')}, or a list of them`,
    (value) => (Array.isArray(value) ? value.length > 0 && value.every(isType) : isType(value)),
  ],
  list: ['a list of values', Array.isArray],
  any: ['any value', () => true],
  flag: ['true or false', (value) => typeof value === 'boolean'],
  count: ['a whole number from 0', (value) => Number.isInteger(value) && (value as number) >= 0],
  number: ['a number', (value) => Number.isFinite(value)],
  positive: ['a number above 0', (value) => Number.isFinite(value) && (value as number) > 0],
};

/** What is wrong with a keyword's value, or undefined. Members of it that are schemas are not looked into. */
export function checkKeyword(kind: KeywordKind, value: unknown): string | undefined {
  const [wanted, test] = RULES[kind];
  return test(value) ? undefined : `must be ${wanted}, got ${describeValue(value)}`;
}
