import { utf8Length } from '../protocol/byte-length.js';
import type { Cut } from '../protocol/events.js';
import type { JsonText } from '../protocol/json.js';
import { fitObservationTexts, observationsText } from './fit.js';
import { OutlineMemory } from './outline-memory.js';
import type { ObservationTexts } from './fit.js';

/** The observations of one frame. */
export interface FittedMember {
  /** JSON text of the `observations` member. */
  readonly text: JsonText;
  readonly observations: ObservationTexts;
  /** Empty when nothing was cut. */
  readonly cuts: readonly Cut[];
  /** False when the budget is too small even for the shortest form, which this is then. */
  readonly fits: boolean;
  /** As in `FittedValues`. */
  readonly pending?: true;
}

interface Remembered extends FittedMember {
  /** The budget that it was made for, and what it takes of it. */
  readonly budget: number;
  readonly bytes: number;
}

/**
 * Fits the same observations into one frame after the other. Reading a large value costs milliseconds, and most frames
 * carry what the last one did: what was fitted last is right for every budget between what it takes and the one that
 * it was made for, since no step before it would fit there either.
 */
export class ObservationFitter {
  readonly #observations: ObservationTexts;
  readonly #outlines: OutlineMemory;
  #whole: FittedMember | undefined;
  #wholeBytes: number | undefined;
  #last: Remembered | undefined;

  /** `outlines`: shared by the fitters of one page, so that a change of one value costs no look at the others. */
  constructor(observations: ObservationTexts, outlines = new OutlineMemory()) {
    this.#observations = observations;
    this.#outlines = outlines;
  }

  /** As they are. */
  get whole(): FittedMember {
    this.#whole ??= {
      text: observationsText(this.#observations),
      observations: this.#observations,
      cuts: [],
      fits: true,
    };
    return this.#whole;
  }

  /** Whether they fit as they are. A UTF-16 unit is one to three bytes: most texts need no counting. */
  isWithin(budgetBytes: number): boolean {
    const { text } = this.whole;
    if (text.length > budgetBytes) return false;
    return text.length * 3 <= budgetBytes || (this.#wholeBytes ??= utf8Length(text)) <= budgetBytes;
  }

  /** @param budgetBytes UTF-8 bytes for the text of the observations together with the whole `fit` member */
  fit(budgetBytes: number): FittedMember {
    if (this.isWithin(budgetBytes)) return this.whole;
    const last = this.#last;
    if (last !== undefined && last.bytes <= budgetBytes && budgetBytes <= last.budget) return last;
    const { observations, cuts, fits, pending } = this.#outlines.during((outlineOf) => {
      return fitObservationTexts(this.#observations, budgetBytes, outlineOf);
    });
    const text = observationsText(observations);
    const report = cuts.length === 0 ? '' : `,"fit":${JSON.stringify({ observations: cuts })}`;
    const bytes = utf8Length(text) + utf8Length(report);
    const made = { text, observations, cuts, fits, budget: budgetBytes, bytes, ...(pending && { pending }) };
    if (fits) this.#last = made;
    return made;
  }
}
