import * as LIMITS from '../protocol/limits.js';

/** Steps that cut lists: to so many rows each. */
export const LIST_STEPS: readonly number[] = LIMITS.cutRows;
/** The step after them cuts texts; no list has a row by then. */
export const TEXT_STEP = LIST_STEPS.length;

/** The list step whose cuts a step has: the text step has the last one's. */
export function listStepOf(step: number): number {
  return Math.min(step, TEXT_STEP - 1);
}

/**
 * How long a JSON text would be after each step, with the report of its cuts: in UTF-16 units and without the digits
 * of a report's numbers, which is never more than the bytes.
 */
export class StepEstimates {
  readonly #room: number;
  readonly #cutUnits: number;
  readonly #removed: number[] = new Array<number>(TEXT_STEP + 1).fill(0);
  readonly #reported: number[] = new Array<number>(TEXT_STEP + 1).fill(0);

  /**
   * @param room bytes there are for the text and its report
   * @param cutUnits what the report of one cut takes at least, less its path
   */
  constructor(room: number, cutUnits: number) {
    this.#room = room;
    this.#cutUnits = cutUnits;
  }

  /**
   * Counts a list that loses rows in the steps from `first` on, as far as they leave the list itself in place.
   * @returns whether it matters: false when the reports of all these steps are too long already.
   */
  addList(first: number, reach: number, cuts: readonly number[], end: number): boolean {
    let matters = false;
    const after = reach === TEXT_STEP ? TEXT_STEP + 1 : reach;
    for (let step = first; step < after; step++) {
      this.#removed[step] = this.removedBy(step) + end - (cuts[listStepOf(step)] ?? end);
      this.#reported[step] = this.#reportedBy(step) + this.#cutUnits;
      if (this.#reportedBy(step) <= this.#room) matters = true;
    }
    return matters;
  }

  /** Counts the path in the report of a list that was added before. */
  addPath(first: number, reach: number, length: number): void {
    const after = reach === TEXT_STEP ? TEXT_STEP + 1 : reach;
    for (let step = first; step < after; step++) this.#reported[step] = this.#reportedBy(step) + length;
  }

  addText(units: number, pathLength: number): void {
    this.#removed[TEXT_STEP] = this.removedBy(TEXT_STEP) + units;
    this.#reported[TEXT_STEP] = this.#reportedBy(TEXT_STEP) + this.#cutUnits + pathLength;
  }

  removedBy(step: number): number {
    return this.#removed[step] ?? 0;
  }

  /** Lower bounds for a text of so many units, by step. */
  after(units: number): readonly number[] {
    return this.#removed.map((removed, step) => units - removed + this.#reportedBy(step));
  }

  #reportedBy(step: number): number {
    return this.#reported[step] ?? 0;
  }
}
