import type { OutputUnit } from '@cfworker/json-schema';
import type { OUIValidationIssue } from '../protocol/events.js';
import { buildPointer } from '../protocol/json-pointer.js';
import { describeValue } from '../protocol/shape.js';
import { locate } from './failure.js';
import type { Failure } from './failure.js';
import { issue, issuesOf, received } from './issue-texts.js';
import { didYouMean } from './near-miss.js';
import type { SchemaCopy, SchemaNode } from './schema-copy.js';
import type { SchemaTable } from './schema-references.js';

/** Enough to mend any call. A list of a hundred thousand wrong items would not fit into a frame. */
const MAX_ISSUES = 100;
const MAX_SHAPES = 5;

/** Keywords whose failure only says that a schema below them failed. */
const WRAPPERS: ReadonlySet<string> = new Set([
  '$ref',
  'allOf',
  'if',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'dependentSchemas',
  'prefixItems',
  'items',
  'additionalItems',
  'unevaluatedItems',
]);

/**
 * Turns what the interpreter says into what somebody can act on: each reason once, with its own place. The first
 * hundred, and whether there are more.
 */
export function explain(
  units: readonly OutputUnit[],
  { root, slots }: SchemaCopy,
  table: SchemaTable,
  value: unknown,
): readonly OUIValidationIssue[] {
  const located = (unit: OutputUnit): Failure => locate(unit, root as SchemaNode, table, value);
  const issues = leaves(units, { located, slots });
  if (issues.length <= MAX_ISSUES) return issues;
  const all = units.filter(({ keyword }) => !WRAPPERS.has(keyword)).length;
  const reason = `more problems than the ${MAX_ISSUES} listed, about ${Math.max(all, issues.length) - MAX_ISSUES} more`;
  return [...issues.slice(0, MAX_ISSUES), issue('', 'more', reason, {})];
}

interface Reader {
  located(unit: OutputUnit): Failure;
  readonly slots: SchemaCopy['slots'];
}

/** The issues of failures that have none below them; stops soon after there are enough. */
function leaves(units: readonly OutputUnit[], reader: Reader): OUIValidationIssue[] {
  const issues = new Map<string, OUIValidationIssue>();
  for (let index = 0; index < units.length && issues.size <= MAX_ISSUES; index++) {
    const unit = units[index] as OutputUnit;
    if (WRAPPERS.has(unit.keyword) || isSchemaDependency(unit)) continue;
    const failure = reader.located(unit);
    let found: readonly OUIValidationIssue[] = [];
    if (unit.keyword === 'anyOf' || unit.keyword === 'oneOf') {
      // The failures of its members follow at once.
      const start = index + 1;
      while (index + 1 < units.length && isBelow(units[index + 1] as OutputUnit, unit)) index++;
      if (!failure.ofCandidate) found = ofUnion(failure, units.slice(start, index + 1), reader);
    } else if (!failure.ofCandidate) {
      found = issuesOf(failure, reader.slots);
    }
    for (const one of found) issues.set(`${one.keyword} ${one.message}`, one);
  }
  return [...issues.values()];
}

/** `dependencies` is a list of names, as in `dependentRequired`, or a schema. Only the text tells which one failed. */
function isSchemaDependency({ keyword, error }: OutputUnit): boolean {
  return keyword === 'dependencies' && error.includes('does not match');
}

function isBelow(inner: OutputUnit, outer: OutputUnit): boolean {
  const { keywordLocation, instanceLocation } = outer;
  return inner.keywordLocation.startsWith(`${keywordLocation}/`) && inner.instanceLocation.startsWith(instanceLocation);
}

/** `anyOf` and `oneOf`: of all members, the reasons of the one that was meant, when it can be told. */
function ofUnion(union: Failure, below: readonly OutputUnit[], reader: Reader): readonly OUIValidationIssue[] {
  const path = buildPointer(union.steps);
  const members = union.node[union.keyword] as readonly unknown[];
  const shapes = members.map((_, index) => {
    const start = `${union.schemaPath}/${index}/`;
    return leaves(below.filter(({ keywordLocation }) => keywordLocation.startsWith(start)), reader);
  });
  const matching = shapes.filter((shape) => shape.length === 0).length;
  if (matching > 1) {
    const reason = `fits ${matching} of the ${members.length} shapes allowed here, must fit exactly one`;
    return [issue(path, union.keyword, reason, { received: received(union.value) })];
  }

  const meant = shapes.filter((shape) => !shape.some((one) => isOtherShape(one, path)));
  if (meant.length === 1) return meant[0] as OUIValidationIssue[];
  const close = closest(meant.length > 0 ? meant : shapes);
  if (close !== undefined) return close;
  const shared = sharedIssues(shapes);
  if (shared.length > 0) return shared;
  const told = toldApart(shapes, union);
  if (told !== undefined) return [told];
  const reasons = (meant.length > 0 ? meant : shapes).slice(0, MAX_SHAPES).map((shape, index) => {
    return `(${index + 1}) ${shape.map(({ message }) => message).join(', ').slice(0, 200)}`;
  });
  const reason = `fits none of the ${members.length} shapes allowed here: ${reasons.join('; ')}`;
  return [issue(path, union.keyword, reason, { received: received(union.value) })];
}

/** The value is of another type, or one of its own members has a constant that is another shape's. */
function isOtherShape({ path, keyword }: OUIValidationIssue, root: string): boolean {
  if (path === root) return keyword === 'type' || keyword === 'const' || keyword === 'enum';
  return (keyword === 'const' || keyword === 'enum') && path.lastIndexOf('/') === root.length;
}

/** The one shape that has far fewer problems than all others: it is what was meant. */
function closest(shapes: readonly (readonly OUIValidationIssue[])[]): readonly OUIValidationIssue[] | undefined {
  const [first, second] = [...shapes].sort((a, b) => a.length - b.length);
  return first !== undefined && second !== undefined && first.length * 2 < second.length ? first : undefined;
}

/** What every shape complains about. */
function sharedIssues(shapes: readonly (readonly OUIValidationIssue[])[]): OUIValidationIssue[] {
  const [first = [], ...rest] = shapes;
  return first.filter(({ message }) => rest.every((shape) => shape.some((one) => one.message === message)));
}

/** All shapes refuse the same value for its type or constant: one issue that lists what they want. */
function toldApart(shapes: readonly (readonly OUIValidationIssue[])[], union: Failure): OUIValidationIssue | undefined {
  const root = buildPointer(union.steps);
  const reasons = shapes.map((shape) => shape.find((one) => isOtherShape(one, root)));
  const path = reasons[0]?.path;
  if (path === undefined || reasons.some((reason) => reason?.path !== path)) return undefined;
  const wanted = [...new Set(reasons.flatMap((reason) => describeWanted(reason as OUIValidationIssue)))];
  const value = path === root ? union.value : (union.value as { readonly [key: string]: unknown })[lastStep(path)];
  const expected = wanted.join(' or ');
  const constants = reasons.flatMap((reason) => (reason?.keyword === 'type' ? [] : [reason?.expected].flat()));
  const meant = didYouMean(value, constants);
  return issue(path, union.keyword, `expected ${expected}, got ${describeValue(value)}${meant}`, {
    expected,
    received: received(value),
  });
}

function describeWanted({ keyword, expected }: OUIValidationIssue): string[] {
  if (keyword === 'type') return String(expected).split(' or ');
  return (keyword === 'enum' ? (expected as readonly unknown[]) : [expected]).map((value) => JSON.stringify(value));
}

function lastStep(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/~1/g, '/').replace(/~0/g, '~');
}
