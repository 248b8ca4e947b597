import { includes, WORD } from './character-set.js';
import { readPattern } from './pattern-syntax.js';
import type { PatternNode } from './pattern-syntax.js';

/** A program of so many steps takes that many times the length of a text, at most. */
const MAX_STEPS = 2_000;

type Step =
  /** Reads one code point, and goes on. */
  | { readonly read: (point: number) => boolean; readonly next: number }
  /** Goes on where the place is right. */
  | { readonly assert: (text: string, at: number) => boolean; readonly next: number }
  /** Goes on in several ways at once. */
  | { readonly ways: number[] };

const ASSERTIONS: { readonly [symbol: string]: (text: string, at: number) => boolean } = {
  '^': (_text, at) => at === 0,
  $: (text, at) => at === text.length,
  '\\b': (text, at) => isWord(text, at - 1) !== isWord(text, at),
  '\\B': (text, at) => isWord(text, at - 1) === isWord(text, at),
};

function isWord(text: string, at: number): boolean {
  return at >= 0 && at < text.length && includes(WORD, text.charCodeAt(at));
}

/**
 * A test for a pattern of a JSON Schema (ECMA-262, flag `u`, not anchored) whose time is in proportion to the text,
 * whatever the pattern is: all ways through it are followed side by side, and none is tried twice at one place.
 * Undefined for patterns with look-around or back-references, and for very large ones.
 *
 * @param pattern one that `new RegExp(pattern, 'u')` takes
 */
export function linearTest(pattern: string): ((text: string) => boolean) | undefined {
  const node = readPattern(pattern);
  if (node === undefined) return undefined;
  const steps: Step[] = [{ ways: [] }];
  const start = compile(node, 0, steps);
  return start === undefined ? undefined : (text) => run(steps, start, text);
}

/** Adds the steps of a part that goes on at `next`; step 0 is the end. Undefined when it cannot be done. */
function compile(node: PatternNode, next: number, steps: Step[]): number | undefined {
  if (steps.length > MAX_STEPS) return undefined;
  switch (node.kind) {
    case 'set':
      return steps.push({ read: reader(node), next }) - 1;
    case 'assertion':
      return steps.push({ assert: ASSERTIONS[node.symbol]!, next }) - 1;
    case 'sequence':
      return node.parts.reduceRight<number | undefined>(
        (after, part) => (after === undefined ? undefined : compile(part, after, steps)),
        next,
      );
    case 'choice': {
      const ways = node.options.map((option) => compile(option, next, steps));
      return ways.includes(undefined) ? undefined : steps.push({ ways: ways as number[] }) - 1;
    }
    case 'repeat':
      return compileRepeat(node, next, steps);
    default:
      return undefined;
  }
}

function compileRepeat(
  { body, min, max }: PatternNode & { readonly kind: 'repeat' },
  next: number,
  steps: Step[],
): number | undefined {
  let after: number | undefined = next;
  if (max === Infinity) {
    const again = { ways: [next] };
    after = steps.push(again) - 1;
    const start = compile(body, after, steps);
    if (start === undefined) return undefined;
    again.ways.push(start);
  } else {
    for (let count = min; count < max && after !== undefined; count++) {
      const start = compile(body, after, steps);
      after = start === undefined ? undefined : steps.push({ ways: [start, next] }) - 1;
    }
  }
  for (let count = 0; count < min && after !== undefined; count++) after = compile(body, after, steps);
  return after;
}

function reader({ set, exact, source }: PatternNode & { readonly kind: 'set' }): (point: number) => boolean {
  if (exact) return (point) => includes(set, point);
  const native = new RegExp(`^${source}$`, 'u');
  return (point) => native.test(String.fromCodePoint(point));
}

function run(steps: readonly Step[], start: number, text: string): boolean {
  let now = new Set<number>();
  let at = 0;
  for (;;) {
    // A match may begin at each place.
    if (reach(steps, start, text, at, now)) return true;
    if (at >= text.length) return false;
    const point = text.codePointAt(at)!;
    at += point > 0xffff ? 2 : 1;
    const after = new Set<number>();
    for (const index of now) {
      const step = steps[index]!;
      if ('read' in step && step.read(point) && reach(steps, step.next, text, at, after)) return true;
    }
    now = after;
  }
}

/** Adds what is come to without reading. @returns whether that is the end */
function reach(steps: readonly Step[], from: number, text: string, at: number, reached: Set<number>): boolean {
  const pending = [from];
  while (pending.length > 0) {
    const index = pending.pop()!;
    if (index === 0) return true;
    if (reached.has(index)) continue;
    reached.add(index);
    const step = steps[index]!;
    if ('ways' in step) pending.push(...step.ways);
    else if ('assert' in step && step.assert(text, at)) pending.push(step.next);
  }
  return false;
}
