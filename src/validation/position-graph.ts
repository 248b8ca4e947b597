/** Positions of a pattern and what may be read after each: which of them come again, and what comes after them. */
export class PositionGraph {
  readonly next: readonly (readonly number[])[];
  readonly #step: () => void;
  readonly #reached = new Map<number, ReadonlySet<number>>();

  /** @param step called for each edge that is looked at; may throw to give up */
  constructor(next: readonly (readonly number[])[], step: () => void) {
    this.next = next;
    this.#step = step;
  }

  /** The sets of positions that reach one another: what can be read again and again. */
  loops(): ReadonlySet<number>[] {
    return this.next.flatMap((_, position) => {
      const forward = this.reach(position);
      if (!forward.has(position)) return [];
      const loop = new Set([...forward].filter((other) => other === position || this.reach(other).has(position)));
      return Math.min(...loop) === position ? [loop] : [];
    });
  }

  /** What comes after a position, itself only when it is in a loop. */
  reach(position: number): ReadonlySet<number> {
    let reached = this.#reached.get(position) as Set<number> | undefined;
    if (reached === undefined) {
      reached = new Set<number>();
      const pending = [position];
      while (pending.length > 0) {
        for (const to of this.next[pending.pop()!]!) {
          this.#step();
          if (reached.has(to)) continue;
          reached.add(to);
          pending.push(to);
        }
      }
      this.#reached.set(position, reached);
    }
    return reached;
  }
}
