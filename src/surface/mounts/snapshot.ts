import { ObservationFitter } from '../../rules/observation-fitter.js';
import { OutlineMemory } from '../../rules/outline-memory.js';
import type { Mounts } from './mounts.js';
import type { ObservationPublisher } from './observations.js';
import type { Redefinitions } from './redefinitions.js';
import type { Snapshot } from '../runtime.js';

/** Braces, keys and commas, and the hash. */
const AROUND_BYTES = 128;

/** The page as an agent would see it, synchronously: put together from cached parts, when something changed. */
export class Snapshots {
  readonly #mounts: Mounts;
  readonly #publisher: ObservationPublisher;
  readonly #redefinitions: Redefinitions;
  readonly #budgetBytes: number;
  readonly #outlines = new OutlineMemory();
  #last: Snapshot | undefined;

  /** `budgetBytes`: UTF-8 bytes of a snapshot's JSON. */
  constructor(
    mounts: Mounts,
    publisher: ObservationPublisher,
    redefinitions: Redefinitions,
    budgetBytes: number,
  ) {
    this.#mounts = mounts;
    this.#publisher = publisher;
    this.#redefinitions = redefinitions;
    this.#budgetBytes = budgetBytes;
  }

  /** A surface or an observation changed. */
  stale(): void {
    this.#last = undefined;
  }

  take(): Snapshot {
    // Finds changes that are not published yet, and says so through `stale`; or that nobody told.
    this.#redefinitions.look();
    if (this.#publisher.refresh(true)) this.#last = undefined;
    if (this.#last) return this.#last;
    const { made, final } = this.#make();
    if (final) this.#last = made;
    return made;
  }

  /** What is offered goes whole; the observations are fitted to what it leaves (PROTOCOL.md §4). */
  #make(): { readonly made: Snapshot; readonly final: boolean } {
    const { form } = this.#mounts;
    const offered = this.#mounts.offered();
    const used = offered.reduce((bytes, { texts }) => bytes + texts.bytes(form) + 1, AROUND_BYTES);
    const sources = new Map(offered.map(({ mountId, surface }) => [surface.id, this.#publisher.texts(mountId)]));
    const withValues = new Map([...sources].filter(([, texts]) => texts.size > 0));
    const { observations: fitted, cuts, pending = false } = new ObservationFitter(withValues, this.#outlines).fit(this.#budgetBytes - used);

    const observations = offered.flatMap(({ mountId, surface }) => {
      const texts = fitted.get(surface.id);
      if (!texts) return [];
      const whole = sources.get(surface.id)!;
      // What was not cut keeps its value, parsed once for all snapshots.
      const values = [...texts].map(([id, text]): [string, unknown] => {
        return [id, text === whole.get(id) ? this.#publisher.value(mountId, id) : JSON.parse(text)];
      });
      return [[surface.id, Object.fromEntries(values)] as const];
    });
    const made: Snapshot = {
      ...(form === 'index'
        ? { index: offered.map(({ texts }) => texts.index) }
        : { surfaces: offered.map(({ manifest }) => manifest) }),
      observations: Object.fromEntries(observations),
      surfacesHash: this.#mounts.hash(),
      ...(cuts.length > 0 && { fit: { observations: cuts } }),
    };
    return { made, final: !pending };
  }
}
