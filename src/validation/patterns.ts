import { format } from '@cfworker/json-schema';

/**
 * Regular expressions of schemas, outside the interpreter.
 *
 * The interpreter makes a new backtracking `RegExp` for each `pattern` it meets, and has no place for another engine.
 * What it does have is a table of formats, functions from a text to a boolean. So a copied schema says
 * `format: "oui-pattern-3"` where the original says `pattern`, and the table sends that name to the third pattern of
 * the schema that is being checked. Checking is synchronous, so one such schema at a time is enough, and the table
 * grows with the largest schema only, not with every schema ever seen.
 */

/** Makes a test of a pattern, or returns undefined when it cannot: such a pattern is not checked. */
export type PatternCompiler = (pattern: string, at: string) => ((text: string) => boolean) | undefined;

/** Matches the names of `patternProperties` outside the interpreter. */
export interface NamePatterns {
  /** Takes over the keyword of a node of the copy. */
  adopt(node: { [keyword: string]: unknown }, at: string): void;
  /** Runs the interpreter over a value that has these names, at any depth. */
  over<T>(names: ReadonlySet<string>, run: () => T): T;
}

/** The hidden member of a node whose `properties` is not what its schema declares, but what is: for messages. */
export const DECLARED = '__declared__';

/** One `pattern` of a schema. */
export interface PatternSlot {
  readonly pattern: string;
  readonly test: (text: string) => boolean;
  /** The `maxLength` beside it, in code points: a longer text is refused for that, without running the pattern. */
  readonly maxLength: number | undefined;
}

const PREFIX = 'oui-pattern-';

/** The formats that are asserted: the interpreter's own. `url` is not among JSON Schema's and its test backtracks. */
export const FORMATS: ReadonlySet<string> = new Set(Object.keys(format).filter((name) => name !== 'url'));

let active: readonly PatternSlot[] = [];

/** The name under which the interpreter finds the pattern at `index`. */
export function slotFormat(index: number): string {
  const name = `${PREFIX}${index}`;
  if (!Object.hasOwn(format, name)) format[name] = (text) => matches(active[index], text);
  return name;
}

function matches(slot: PatternSlot | undefined, text: string): boolean {
  if (slot === undefined) return true;
  // UTF-16 units are at least as many as code points, and at most twice as many.
  if (slot.maxLength !== undefined && text.length > slot.maxLength * 2) return true;
  return slot.test(text);
}

/** The tests behind the names that `format` says in a schema with these slots. */
export function formatTests(slots: readonly PatternSlot[]): { readonly [name: string]: (text: string) => boolean } {
  const tests = Object.fromEntries([...FORMATS].map((name) => [name, format[name]!]));
  for (const [index, slot] of slots.entries()) tests[`${PREFIX}${index}`] = (text) => matches(slot, text);
  return tests;
}

/** The slot that a `format` of a copied schema stands for, if it does. */
export function slotOf(slots: readonly PatternSlot[], formatName: unknown): PatternSlot | undefined {
  if (typeof formatName !== 'string' || !formatName.startsWith(PREFIX)) return undefined;
  return slots[Number(formatName.slice(PREFIX.length))];
}

/** Runs the interpreter with these patterns behind the formats' names. */
export function withSlots<T>(slots: readonly PatternSlot[], run: () => T): T {
  const before = active;
  active = slots;
  try {
    return run();
  } finally {
    active = before;
  }
}
