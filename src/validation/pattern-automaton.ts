import type { CharacterSet } from './character-set.js';
import { ALL } from './character-set.js';
import type { PatternNode } from './pattern-syntax.js';

/** How often something can happen: never, in one way, in more than one (2). */
type Ways = number;

/**
 * A pattern as a graph of its positions, for analysis: a position reads one code point, an edge leads to one that may
 * read the next. It has every way in which the pattern can read a text, and may have more.
 */
export interface PatternAutomaton {
  readonly positions: readonly Position[];
  /** For each position the next ones, and in how many ways it comes to them. */
  readonly edges: readonly ReadonlyMap<number, Ways>[];
  /** Look-around inside the pattern, to be analysed for itself. */
  readonly looks: readonly Look[];
}

export interface Position {
  readonly set: CharacterSet;
  /** The part of the pattern that reads here. */
  readonly source: string;
  /** Once it has read, the pattern may have matched, whatever follows: here nothing fails any more. */
  readonly done: boolean;
}

export interface Look {
  readonly body: PatternNode;
  readonly behind: boolean;
  /** Stands at the very start: it is tried once. Elsewhere it may be tried at each place of the text. */
  readonly once: boolean;
}

/** A counted part is written out when that comes to so few copies; else it counts as repeated without end. */
const MAX_COPIES = 12;
/** The same for parts that can be read in one way only. */
const MAX_FIXED = 64;
const MAX_POSITIONS = 4_000;
const MAX_EDGES = 40_000;

/** What is known of a part of the pattern. */
interface Part {
  /** In how many ways it reads nothing. */
  readonly empty: Ways;
  /** It may read nothing, and nothing is asked of the place for it. */
  readonly emptyFreely: boolean;
  readonly first: ReadonlyMap<number, Ways>;
  readonly last: ReadonlyMap<number, Ways>;
  /** Positions after which it may be over, with nothing asked of the place. */
  readonly freely: ReadonlySet<number>;
}

const NOTHING: ReadonlyMap<number, Ways> = new Map();
const EMPTY: Part = { empty: 1, emptyFreely: true, first: NOTHING, last: NOTHING, freely: new Set() };
const ASSERTION: Part = { ...EMPTY, emptyFreely: false };

/** @returns undefined when the pattern is too large. */
export function buildAutomaton(pattern: PatternNode): PatternAutomaton | undefined {
  try {
    return new Builder().build(pattern);
  } catch (error) {
    if (error instanceof TooLargeError) return undefined;
    throw error;
  }
}

class TooLargeError extends Error {}

class Builder {
  readonly #sets: { set: CharacterSet; source: string }[] = [];
  readonly #edges: Map<number, Ways>[] = [];
  readonly #looks: Look[] = [];
  #edgeCount = 0;

  build(pattern: PatternNode): PatternAutomaton {
    // A pattern matches anywhere: unless it is bound to the start, it is tried at each place of the text in turn, as if
    // there were a part before it that reads anything.
    const start = this.#position(ALL, 'the start of a match');
    this.#connect(new Map([[start, 1]]), new Map([[start, 1]]), 1);
    const options = pattern.kind === 'choice' ? pattern.options : [pattern];
    const freely = new Set<number>();
    for (const option of options) {
      const bound = isBoundToStart(option);
      const part = this.#part(option, 1, bound);
      if (!bound) this.#connect(new Map([[start, 1]]), part.first, 1);
      for (const position of part.freely) freely.add(position);
      if (part.emptyFreely && !bound) freely.add(start);
    }
    const positions = this.#sets.map((each, index): Position => ({ ...each, done: freely.has(index) }));
    return { positions, edges: this.#edges, looks: this.#looks };
  }

  #position(set: CharacterSet, source: string): number {
    if (this.#sets.length >= MAX_POSITIONS) throw new TooLargeError();
    this.#edges.push(new Map());
    return this.#sets.push({ set, source }) - 1;
  }

  #connect(last: ReadonlyMap<number, Ways>, first: ReadonlyMap<number, Ways>, ways: Ways): void {
    this.#edgeCount += last.size * first.size;
    if (this.#edgeCount > MAX_EDGES) throw new TooLargeError();
    for (const [from, out] of last) {
      const edges = this.#edges[from]!;
      for (const [to, into] of first) edges.set(to, atMostTwo((edges.get(to) ?? 0) + out * into * ways));
    }
  }

  /** @param copies how often a counted part around this one repeats it. @param once it stands at the very start */
  #part(node: PatternNode, copies: number, once: boolean): Part {
    switch (node.kind) {
      case 'assertion':
        return ASSERTION;
      case 'look':
        this.#looks.push({ body: node.body, behind: node.behind, once });
        return ASSERTION;
      case 'set':
        return single(this.#position(node.set, node.source));
      case 'back-reference': {
        // Reads what a group has read: nothing, or a text of any length.
        const position = this.#position(ALL, 'a back-reference');
        this.#connect(new Map([[position, 1]]), new Map([[position, 1]]), 1);
        return { ...single(position), empty: 1, emptyFreely: false };
      }
      case 'choice':
        return node.options.map((option) => this.#part(option, copies, once)).reduce(either);
      case 'sequence': {
        let still = once;
        return node.parts.reduce<Part>((before, part) => {
          const next = this.#join(before, this.#part(part, copies, still));
          still &&= part.kind === 'assertion' || part.kind === 'look';
          return next;
        }, EMPTY);
      }
      case 'repeat':
        return this.#repeat(node, copies);
    }
  }

  #join(a: Part, b: Part): Part {
    this.#connect(a.last, b.first, 1);
    return {
      empty: atMostTwo(a.empty * b.empty),
      emptyFreely: a.emptyFreely && b.emptyFreely,
      first: added(a.first, b.first, a.empty),
      last: added(b.last, a.last, b.empty),
      freely: new Set([...b.freely, ...(b.emptyFreely ? a.freely : [])]),
    };
  }

  #repeat({ body, min, max }: PatternNode & { readonly kind: 'repeat' }, copies: number): Part {
    if (max === 0) return EMPTY;
    if (max === 1) {
      const part = this.#part(body, copies, false);
      return min === 1 ? part : optional(part);
    }
    const fixed = min === max ? fixedLength(body) : false;
    if (fixed !== false && fixed * max <= MAX_FIXED) return this.#copies(body, max, max, copies);
    if (copies * max <= MAX_COPIES) return this.#copies(body, min, max, copies * max);
    const part = this.#part(body, copies, false);
    // Each round below the least doubles the ways of reading nothing.
    if (min > MAX_COPIES && part.empty > 1) throw new TooLargeError();
    // Rounds below the least may read nothing: which ones do is a choice of its own.
    this.#connect(part.last, part.first, min > 1 && part.empty > 0 ? 2 : 1);
    if (min === 0) return optional(part);
    // Here its positions stand for those of every round, and it is not over before the least number of rounds.
    return min > 1 && !part.emptyFreely ? { ...part, freely: new Set() } : part;
  }

  /** `x{2,4}` as `xx(x(x)?)?`. */
  #copies(body: PatternNode, min: number, max: number, copies: number): Part {
    const parts = Array.from({ length: max }, () => this.#part(body, copies, false));
    let rest: Part | undefined;
    for (let index = max - 1; index >= 0; index--) {
      const part = parts[index]!;
      rest = rest === undefined ? part : this.#join(part, rest);
      if (index >= min) rest = optional(rest);
    }
    return rest!;
  }
}

function atMostTwo(ways: Ways): Ways {
  return Math.min(ways, 2);
}

function single(position: number): Part {
  const only = new Map([[position, 1]]);
  return { empty: 0, emptyFreely: false, first: only, last: only, freely: new Set([position]) };
}

function optional(part: Part): Part {
  return { ...part, empty: atMostTwo(part.empty + 1), emptyFreely: true };
}

function either(a: Part, b: Part): Part {
  return {
    empty: atMostTwo(a.empty + b.empty),
    emptyFreely: a.emptyFreely || b.emptyFreely,
    first: added(a.first, b.first, 1),
    last: added(a.last, b.last, 1),
    freely: new Set([...a.freely, ...b.freely]),
  };
}

function added(a: ReadonlyMap<number, Ways>, b: ReadonlyMap<number, Ways>, ways: Ways): ReadonlyMap<number, Ways> {
  if (ways === 0 || b.size === 0) return a;
  const sum = new Map(a);
  for (const [position, more] of b) sum.set(position, atMostTwo((sum.get(position) ?? 0) + more * ways));
  return sum;
}

/** Every way through it begins with `^`. */
function isBoundToStart(node: PatternNode): boolean {
  switch (node.kind) {
    case 'assertion':
      return node.symbol === '^';
    case 'choice':
      return node.options.every(isBoundToStart);
    case 'repeat':
      return node.min > 0 && isBoundToStart(node.body);
    case 'sequence': {
      // Look-around before it would be tried everywhere all the same.
      const first = node.parts.find((part) => part.kind !== 'assertion' || part.symbol === '^');
      return first !== undefined && isBoundToStart(first);
    }
    default:
      return false;
  }
}

/** The length of a part that can be read in one way only; `false` for any other. */
function fixedLength(node: PatternNode): number | false {
  switch (node.kind) {
    case 'set':
      return 1;
    case 'assertion':
      return 0;
    case 'sequence':
      return node.parts.reduce<number | false>((sum, part) => {
        const length = fixedLength(part);
        return sum === false || length === false ? false : sum + length;
      }, 0);
    case 'repeat': {
      const length = node.min === node.max ? fixedLength(node.body) : false;
      return length === false ? false : length * node.max;
    }
    default:
      return false;
  }
}
