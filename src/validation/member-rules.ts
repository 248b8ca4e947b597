import { appendPointer } from '../protocol/json-pointer.js';
import type { JsonObject } from '../protocol/json.js';
import { describeValue, isJsonObject } from '../protocol/shape.js';
import type { ManifestProblem } from './schema-problems.js';

/** Takes what is wrong with a value. */
export type Report = (path: string, rule: string, message: string) => void;

/** Reports everything that is wrong with one value, which is there. */
export interface MemberRule {
  (value: unknown, at: string, report: Report): void;
  /** Said when a member that must be there is not. */
  readonly missing?: string;
}

/** A rule that says why its member must be there, and what to write. */
export function needed(rule: MemberRule, why: string): MemberRule {
  const check: MemberRule = (value, at, report) => rule(value, at, report);
  return Object.assign(check, { missing: `is missing: ${why}` });
}

export function collect(check: (report: Report) => void): ManifestProblem[] {
  const problems: ManifestProblem[] = [];
  check((path, rule, message) => problems.push({ path, rule, message }));
  return problems;
}

export function mustBe(wanted: string, test: (value: unknown) => boolean, rule = 'type'): MemberRule {
  return (value, at, report) => {
    if (!test(value)) report(at, rule, `must be ${wanted}, got ${describeValue(value)}`);
  };
}

export const text = mustBe('a text', (value) => typeof value === 'string');
export const flag = mustBe('true or false', (value) => typeof value === 'boolean');
export const object = mustBe('an object', isJsonObject);

/** A text that says something. */
export function saying(why: string): MemberRule {
  return needed((value, at, report) => {
    text(value, at, report);
    if (typeof value === 'string' && value.trim() === '') report(at, 'empty', `is empty: ${why}`);
  }, why);
}

export function oneOf(values: readonly string[]): MemberRule {
  return mustBe(`one of ${values.join(', ')}`, (value) => values.includes(value as string), 'value');
}

export function listOf(item: MemberRule): MemberRule {
  return (value, at, report) => {
    if (!Array.isArray(value)) return report(at, 'type', `must be a list, got ${describeValue(value)}`);
    value.forEach((each, index) => item(each, appendPointer(at, index), report));
  };
}

/** An object with these own members; those whose name ends in `?` may be absent. Others are let through. */
export function members(rules: { readonly [name: string]: MemberRule }): MemberRule {
  const rows = Object.entries(rules).map(([name, rule]) => {
    const optional = name.endsWith('?');
    return { name: optional ? name.slice(0, -1) : name, optional, rule };
  });
  return (value, at, report) => {
    if (!isJsonObject(value)) return report(at, 'type', `must be an object, got ${describeValue(value)}`);
    for (const { name, optional, rule } of rows) {
      const member = own(value, name);
      const place = appendPointer(at, name);
      if (member !== undefined) rule(member, place, report);
      else if (!optional) report(place, 'required', rule.missing ?? 'is missing');
    }
  };
}

/** A member of an object itself, never of its prototype. */
export function own(value: JsonObject, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
