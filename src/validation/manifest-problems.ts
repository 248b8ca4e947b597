import { MEMBER_ID_PATTERN, RESERVED_SURFACE_ID, SURFACE_ID_PATTERN } from '../protocol/author-ids.js';
import { appendPointer } from '../protocol/json-pointer.js';
import * as LIMITS from '../protocol/limits.js';
import { ACTION_EFFECTS, UPDATE_FREQUENCIES } from '../protocol/manifest.js';
import { describeValue, isJsonObject } from '../protocol/shape.js';
import { misplacedAttachments } from '../rules/attachment-schema.js';
import { collect, flag, listOf, members, mustBe, needed, object, oneOf, own, saying, text } from './member-rules.js';
import type { MemberRule, Report } from './member-rules.js';
import { schemaProblems } from './schema-problems.js';
import type { ManifestProblem } from './schema-problems.js';
import { checkWireLimits } from './wire-limits.js';

/** Says whether a text can be the id of a surface, an action or an observation (specification §3.2, §4.2, §5.2). */
function idOf(pattern: RegExp): MemberRule {
  return (value, at, report) => {
    const [least, most] = [LIMITS.authorIdMinLength, LIMITS.authorIdMaxLength];
    if (typeof value === 'string' && pattern.test(value) && value.length >= least && value.length <= most) return;
    const lengths = `${least} to ${most} characters`;
    report(at, 'id', `must match ${pattern.source} and have ${lengths}, got ${describeValue(value)}`);
  };
}

const surfaceId: MemberRule = (value, at, report) => {
  idOf(SURFACE_ID_PATTERN)(value, at, report);
  if (value === RESERVED_SURFACE_ID) report(at, 'reserved', `"${RESERVED_SURFACE_ID}" is the runtime's own surface`);
};

const schema: MemberRule = (value, at, report) => {
  for (const { path, rule, message } of schemaProblems(value, at)) report(path, rule, message);
};

/** Attachments are resolved from the input's own properties and their items only (PROTOCOL.md §6). */
const input: MemberRule = (value, at, report) => {
  schema(value, at, report);
  for (const path of isJsonObject(value) ? misplacedAttachments(value) : []) {
    const where = 'only a string property of the input, or the items of a list property, can be one';
    report(at, 'attachment', `declares an attachment at ${path}, where it would not be resolved: ${where}`);
  }
};

const description = saying('the agent chooses by it');
const wholeAboveZero = mustBe('a whole number above 0', (value) => Number.isInteger(value) && (value as number) > 0);
const msAboveZero = mustBe('ms above 0', (value) => Number.isFinite(value) && (value as number) > 0);

const action = members({
  id: idOf(MEMBER_ID_PATTERN),
  'title?': text,
  description,
  input: needed(input, 'a JSON Schema; { type: "object", properties: {} } when it takes nothing'),
  'output?': schema,
  'confirm?': flag,
  'async?': flag,
  'effect?': oneOf(ACTION_EFFECTS),
  'usage?': text,
  'preconditions?': text,
  'estimatedDuration?': text,
  'tags?': listOf(text),
  'polling?': members({
    intervalMs: mustBe('ms, at least 0', (value) => Number.isFinite(value) && (value as number) >= 0),
    'maxAttempts?': wholeAboveZero,
    'maxDurationMs?': msAboveZero,
    'subscribe?': members({ event: saying('a job ends with it'), 'filter?': object }),
  }),
  'enabled?': flag,
  'disabledReason?': text,
});

const observation = members({
  id: idOf(MEMBER_ID_PATTERN),
  description,
  schema: needed(schema, 'a JSON Schema; {} accepts every value'),
  'updateFrequency?': oneOf(UPDATE_FREQUENCIES),
});

const routes: MemberRule = (value, at, report) => {
  if (Array.isArray(value)) listOf(text)(value, at, report);
  else mustBe('a text or a list of texts', (each) => typeof each === 'string')(value, at, report);
};

const ONE_ACTION = 'a surface has at least one action';

const surface = members({
  id: surfaceId,
  name: saying('say in a few words what this part of the page is'),
  description,
  'version?': text,
  actions: needed((value, at, report) => {
    listOf(action)(value, at, report);
    if (Array.isArray(value) && value.length === 0) report(at, 'empty', `is empty: ${ONE_ACTION}`);
  }, ONE_ACTION),
  'observations?': listOf(observation),
  'activation?': members({
    'routes?': routes,
    'entity?': members({ type: saying('say what kind of thing must be there'), 'id?': text }),
    'condition?': text,
  }),
  'metadata?': object,
  'concurrent?': flag,
});

/** Ids are unique within a surface, over its actions and observations (specification §4.2, §5.2). */
function checkUnique(manifest: unknown, report: Report): void {
  if (!isJsonObject(manifest)) return;
  const kinds = new Map<unknown, string>();
  for (const [list, kind] of [['actions', 'action'], ['observations', 'observation']] as const) {
    const entries = own(manifest, list);
    if (!Array.isArray(entries)) continue;
    entries.forEach((entry: unknown, index) => {
      const id = isJsonObject(entry) ? own(entry, 'id') : undefined;
      if (typeof id !== 'string') return;
      const other = kinds.get(id);
      const at = appendPointer(appendPointer(appendPointer('', list), index), 'id');
      if (other === undefined) kinds.set(id, kind);
      else report(at, 'unique', `is taken by an ${other} of this surface; ids are unique within it`);
    });
  }
}

/**
 * Everything that keeps a value from being a surface's manifest (specification §3 to §6): members that are missing,
 * of another type or value, ids, schemas that cannot be used, attachments where none are resolved. Members that the
 * specification does not know are let through. Reads own members only.
 */
export function manifestProblems(manifest: unknown): ManifestProblem[] {
  return collect((report) => {
    surface(manifest, '', report);
    checkUnique(manifest, report);
    checkWireLimits(manifest, report);
  });
}
