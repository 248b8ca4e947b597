import { appendPointer } from '../protocol/json-pointer.js';
import type { JsonObject } from '../protocol/json.js';
import { isJsonObject } from '../protocol/shape.js';
import { lintSchema } from './schema-lint.js';
import type { ManifestProblem } from './schema-problems.js';
import { own } from './member-rules.js';

/** Rules of the lint that are problems of a manifest, and told as such. */
const PROBLEMS: ReadonlySet<string> = new Set([
  'broken', 'broken-pattern', 'external-reference', 'reference-to-nothing',
]);
/** A description with fewer words is a name. */
const MIN_WORDS = 3;
/** Specification §3.1. */
const MAX_SENTENCES = 3;
const SEMVER = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;
/** Deeper, and what is above it has been said often enough. */
const MAX_DEPTH = 16;

const MEMBERS: { readonly [kind: string]: ReadonlySet<string> } = {
  surface: new Set('id name description version actions observations activation metadata concurrent'.split(' ')),
  action: new Set((
    'id title description input output confirm async effect usage preconditions estimatedDuration tags polling enabled '
    + 'disabledReason').split(' ')),
  observation: new Set('id description schema updateFrequency'.split(' ')),
};

/**
 * What an author should know of a manifest, though it is one: what the specification advises (its SHOULDs of §3.1, §4.1,
 * §4.3, §9.3.2), schemas that model providers are known to refuse, patterns that may take a page's time away, members
 * that nobody reads. Never throws; parts that are of another type are left to `manifestProblems`.
 */
export function manifestAdvice(manifest: unknown): ManifestProblem[] {
  const found: ManifestProblem[] = [];
  const advise = (path: string, rule: string, message: string): void => void found.push({ path, rule, message });
  if (!isJsonObject(manifest)) return found;
  adviseSurface(manifest, advise);
  for (const [action, at] of entries(manifest, 'actions')) adviseAction(action, at, advise);
  for (const [observation, at] of entries(manifest, 'observations')) {
    unknownMembers('observation', observation, at, advise);
    lint(own(observation, 'schema'), appendPointer(at, 'schema'), false, advise);
  }
  return found;
}

type Advise = (path: string, rule: string, message: string) => void;

function entries(manifest: JsonObject, name: string): (readonly [entry: JsonObject, at: string])[] {
  const list = own(manifest, name);
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown, index) => {
    return isJsonObject(entry) ? [[entry, appendPointer(`/${name}`, index)] as const] : [];
  });
}

function adviseSurface(surface: JsonObject, advise: Advise): void {
  unknownMembers('surface', surface, '', advise);
  const description = own(surface, 'description');
  if (typeof description === 'string') {
    const sentences = description.split(/[.!?]+(?:\s+|$)/).filter((sentence) => sentence.trim() !== '').length;
    if (sentences > MAX_SENTENCES) {
      const way = 'leave to the actions what is theirs';
      advise('/description', 'long-description', `has ${sentences} sentences; one to three are enough: ${way}`);
    }
    if (words(description) < MIN_WORDS) advise('/description', 'short-description', TOO_SHORT_SURFACE);
  }
  const version = own(surface, 'version');
  if (typeof version === 'string' && !SEMVER.test(version)) {
    advise('/version', 'version', `is ${JSON.stringify(version)}; a semantic version such as "1.0.0" can be compared`);
  }
}

const TOO_SHORT_SURFACE = 'says too little: say what the agent can do here, and with what kind of things';
const TOO_SHORT_ACTION = 'says too little: say what the action does, and when to use it';

function adviseAction(action: JsonObject, at: string, advise: Advise): void {
  unknownMembers('action', action, at, advise);
  const description = own(action, 'description');
  if (typeof description === 'string' && words(description) < MIN_WORDS) {
    advise(appendPointer(at, 'description'), 'short-description', TOO_SHORT_ACTION);
  }
  const input = own(action, 'input');
  const place = appendPointer(at, 'input');
  if (input !== undefined) adviseInput(input, place, advise);
  lint(input, place, true, advise);
  lint(own(action, 'output'), appendPointer(at, 'output'), false, advise);
}

function words(text: string): number {
  return text.split(/[\s_]+/).filter(Boolean).length;
}

function adviseInput(input: unknown, at: string, advise: Advise): void {
  if (!isJsonObject(input) || input['type'] !== 'object' || !isJsonObject(input['properties'])) {
    const way = '{ type: "object", properties: { … } }, with no properties when it takes nothing';
    advise(at, 'input-object', `should be the schema of an object with properties: ${way}`);
  }
  adviseValue(input, at, 0, advise);
}

/** Of each property: its description, and the bounds of texts and lists (specification §4.3, §9.3.2). */
function adviseValue(schema: unknown, at: string, depth: number, advise: Advise): void {
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return;
  const { type, properties, items } = schema;
  if (type === 'string' && schema['maxLength'] === undefined && !isBounded(schema)) {
    advise(at, 'max-length', 'is a text without a maxLength: a page should say how much it takes');
  }
  if (type === 'array' && schema['maxItems'] === undefined && !isBounded(schema)) {
    advise(at, 'max-items', 'is a list without a maxItems: a page should say how many it takes');
  }
  if (isJsonObject(properties)) {
    for (const [name, property] of Object.entries(properties)) {
      const place = appendPointer(appendPointer(at, 'properties'), name);
      if (isJsonObject(property) && !isDescribed(property)) {
        advise(place, 'property-description', 'has no description: the model must guess what is meant');
      }
      adviseValue(property, place, depth + 1, advise);
    }
  }
  if (isJsonObject(items)) adviseValue(items, appendPointer(at, 'items'), depth + 1, advise);
}

/** A constant has no length to bound; a date, a URL's kin and a pattern that is anchored have their own. */
function isBounded(schema: JsonObject): boolean {
  return ['enum', 'const', 'format', 'prefixItems'].some((keyword) => schema[keyword] !== undefined);
}

function isDescribed(property: JsonObject): boolean {
  const { description, $ref } = property;
  return typeof $ref === 'string' || (typeof description === 'string' && description.trim() !== '');
}

function unknownMembers(kind: keyof typeof MEMBERS & string, value: JsonObject, at: string, advise: Advise): void {
  for (const name of Object.keys(value)) {
    if (MEMBERS[kind]!.has(name)) continue;
    advise(appendPointer(at, name), 'unknown-member', `is not read: ${kind}s have no member of this name`);
  }
}

function lint(schema: unknown, at: string, forModels: boolean, advise: Advise): void {
  if (typeof schema !== 'boolean' && !isJsonObject(schema)) return;
  for (const { path, rule, message } of lintSchema(schema, { forModels })) {
    if (!PROBLEMS.has(rule)) advise(at + path, rule, message);
  }
}
