import { overlap } from './character-set.js';
import { buildAutomaton } from './pattern-automaton.js';
import type { PatternAutomaton } from './pattern-automaton.js';
import { readPattern } from './pattern-syntax.js';
import type { PatternNode } from './pattern-syntax.js';
import { PositionGraph } from './position-graph.js';

/**
 * How the time of a backtracking matcher may grow with the text that a pattern is tried on: in proportion to it, with
 * a power of its length, doubling with each character. `unknown` is a pattern that is not understood.
 */
export type PatternGrowth = 'linear' | 'polynomial' | 'exponential' | 'unknown';

export interface PatternRisk {
  readonly growth: PatternGrowth;
  /** Why, in a sentence part; `""` for linear. */
  readonly reason: string;
}

const LINEAR: PatternRisk = { growth: 'linear', reason: '' };
const UNKNOWN: PatternRisk = { growth: 'unknown', reason: 'it is too large or too unusual to be judged' };

/** So many steps are a few ms; a pattern that takes more is not judged. */
const MAX_STEPS = 50_000;
/** Parts that may or may not read what the next one reads, too: each doubles the time at worst. */
const MAX_CHOICES = 16;

/**
 * Judges a pattern of a JSON Schema (ECMA-262, flag `u`, not anchored) before it meets a text. Errs on one side: a
 * pattern that is said to be linear is; one that is said to be more might be harmless.
 *
 * The pattern becomes a graph of its positions (`pattern-automaton.ts`). A matcher backtracks without bound when one
 * text leads through that graph in many ways, and in the end nowhere:
 * - exponentially when some position comes back to itself over one text in two ways;
 * - with a power of the length when a text leads from one loop into a later one, and around both.
 *
 * @param pattern one that `new RegExp(pattern, 'u')` takes
 */
export function patternRisk(pattern: string): PatternRisk {
  // Nothing is repeated, nothing is optional.
  if (!/[*+?{]/.test(pattern)) return LINEAR;
  const node = readPattern(pattern);
  return node === undefined ? UNKNOWN : riskOf(node);
}

function riskOf(node: PatternNode): PatternRisk {
  const automaton = buildAutomaton(node);
  if (automaton === undefined) return UNKNOWN;
  try {
    return new Analysis(automaton).risk();
  } catch (error) {
    if (error instanceof TooManyStepsError) return UNKNOWN;
    throw error;
  }
}

class TooManyStepsError extends Error {}

class Analysis {
  readonly #automaton: PatternAutomaton;
  readonly #all: PositionGraph;
  /** Edges between positions after which the match can still fail: nothing backtracks over the others. */
  readonly #failing: PositionGraph;
  readonly #next: readonly (readonly number[])[];
  #steps = 0;

  constructor(automaton: PatternAutomaton) {
    this.#automaton = automaton;
    const { positions, edges } = automaton;
    const count = (): void => this.#step();
    this.#all = new PositionGraph(edges.map((targets) => [...targets.keys()]), count);
    this.#next = edges.map((targets, from) => {
      return positions[from]!.done ? [] : [...targets.keys()].filter((to) => !positions[to]!.done);
    });
    this.#failing = new PositionGraph(this.#next, count);
  }

  risk(): PatternRisk {
    const loops = this.#failing.loops();
    const exponential = loops.map((loop) => this.#exponential(loop)).find((reason) => reason !== undefined);
    if (exponential !== undefined) return { growth: 'exponential', reason: exponential };
    // Look-behind reads backwards: of its end nothing is done, it is where it begins.
    const inside = this.#automaton.looks.map(({ body, behind }) => {
      return riskOf({ kind: 'sequence', parts: behind ? [START, body, END] : [START, body] });
    });
    const worst = inside.find(({ growth }) => growth === 'exponential' || growth === 'unknown');
    if (worst !== undefined) return worst;
    const reason = this.#polynomial(loops) ?? this.#ofLooks() ?? this.#manyChoices();
    if (reason !== undefined) return { growth: 'polynomial', reason };
    return inside.find(({ growth }) => growth === 'polynomial') ?? LINEAR;
  }

  #step(): void {
    if (++this.#steps > MAX_STEPS) throw new TooManyStepsError();
  }

  #source(position: number): string {
    return this.#automaton.positions[position]!.source;
  }

  #together(a: number, b: number): boolean {
    this.#step();
    const { positions } = this.#automaton;
    return a === b || overlap(positions[a]!.set, positions[b]!.set);
  }

  /** One text, two ways from a position of the loop back to it. */
  #exponential(loop: ReadonlySet<number>): string | undefined {
    for (const from of loop) {
      for (const [to, ways] of this.#automaton.edges[from]!) {
        if (ways > 1 && loop.has(to)) return `a repeated part repeats ${this.#source(to)} itself, in more than one way`;
      }
    }
    const inLoop = (position: number): number[] => this.#next[position]!.filter((to) => loop.has(to));
    // Pairs of positions that one text leads to, from one and the same position.
    const parted = this.#walk(
      [...loop].map((position) => [position, position]),
      ([a, b]) => inLoop(a!).flatMap((x) => inLoop(b!).flatMap((y) => (this.#together(x, y) ? [[x, y]] : []))),
    );
    for (const pair of parted) {
      const [a, b] = pair;
      if (a! >= b!) continue;
      const meets = this.#walk([pair], ([x, y]) => {
        return inLoop(x!).flatMap((p) => inLoop(y!).flatMap((q) => (this.#together(p, q) ? [[p, q]] : [])));
      }).some(([x, y]) => x === y);
      if (meets) return `inside a repeated part ${this.#source(a!)} and ${this.#source(b!)} can read the same text`;
    }
    return undefined;
  }

  /** Everything that steps lead to from these states, each once. */
  #walk(start: readonly (readonly number[])[], step: (state: readonly number[]) => readonly number[][]): number[][] {
    const seen = new Set<number>();
    const found: number[][] = [];
    const pending = [...start];
    while (pending.length > 0) {
      for (const state of step(pending.pop()!)) {
        this.#step();
        // Up to three positions, each below 4,096, in one number.
        const key = state.reduce((sum, position) => sum * 4_096 + position, 0);
        if (seen.has(key)) continue;
        seen.add(key);
        found.push(state);
        pending.push(state);
      }
    }
    return found;
  }

  /**
   * A text that leads around one loop, around a later one, and from the first into the second. The first may well be
   * over at any time: what is tried before it goes on fails each time anew.
   */
  #polynomial(loops: readonly ReadonlySet<number>[]): string | undefined {
    for (const early of this.#all.loops()) {
      const after = this.#all.reach([...early][0]!);
      for (const late of loops) {
        if (!after.has([...late][0]!)) continue;
        const found = this.#twoLoops(early, late);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  #twoLoops(early: ReadonlySet<number>, late: ReadonlySet<number>): string | undefined {
    const { next } = this.#all;
    const toLate = (position: number): boolean => late.has(position) || this.#all.reach(position).has([...late][0]!);
    for (const p of early) {
      // The later one may be a part of the first; around it alone is no second loop.
      if (late.has(p)) continue;
      for (const q of late) {
        const states = this.#walk([[p, p, q]], ([a, b, c]) => {
          const firsts = next[a!]!.filter((to) => early.has(to));
          const middles = next[b!]!.filter(toLate);
          const lasts = this.#next[c!]!.filter((to) => late.has(to));
          return firsts.flatMap((x) => {
            return lasts.flatMap((z) => {
              if (!this.#together(x, z)) return [];
              return middles.flatMap((y) => (this.#together(x, y) && this.#together(y, z) ? [[x, y, z]] : []));
            });
          });
        });
        if (states.some(([a, b, c]) => a === p && b === q && c === q)) return this.#twoLoopsReason(p, q);
      }
    }
    return undefined;
  }

  #twoLoopsReason(p: number, q: number): string {
    if (p !== 0) return `${this.#source(p)} and the later ${this.#source(q)} can read the same text, both repeatedly`;
    const source = this.#source(q);
    return `it is tried at each place of the text, and ${source} reads on from each (bind it to the start with ^)`;
  }

  /** Look-around that reads on and on is linear when it is tried once. */
  #ofLooks(): string | undefined {
    const often = this.#automaton.looks.some(({ body, behind, once }) => (behind || !once) && readsOn(body));
    return often ? 'look-around that reads on may be tried at each place of the text' : undefined;
  }

  /** Without a loop: many parts each of which may leave to the next what it could read. */
  #manyChoices(): string | undefined {
    const choices = this.#next.filter((targets) => {
      return targets.some((a, index) => targets.slice(index + 1).some((b) => this.#together(a, b)));
    });
    if (choices.length <= MAX_CHOICES) return undefined;
    return `${choices.length} parts can leave to the next what they could read`;
  }
}

const START: PatternNode = { kind: 'assertion', symbol: '^' };
const END: PatternNode = { kind: 'assertion', symbol: '$' };

/** Whether a part can read a text of any length. */
function readsOn(node: PatternNode): boolean {
  switch (node.kind) {
    case 'repeat':
      return node.max > 1;
    case 'sequence':
      return node.parts.some(readsOn);
    case 'choice':
      return node.options.some(readsOn);
    case 'look':
    case 'back-reference':
      return true;
    default:
      return false;
  }
}
