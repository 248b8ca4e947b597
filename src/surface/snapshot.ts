import type { Mounts } from './mounts.js';
import type { ObservationPublisher } from './observations.js';
import type { Snapshot } from './runtime.js';

/** The page as an agent would see it, synchronously: put together from cached parts, when something changed. */
export class Snapshots {
  readonly #mounts: Mounts;
  readonly #publisher: ObservationPublisher;
  #last: Snapshot | undefined;

  constructor(mounts: Mounts, publisher: ObservationPublisher) {
    this.#mounts = mounts;
    this.#publisher = publisher;
  }

  /** A surface or an observation changed. */
  stale(): void {
    this.#last = undefined;
  }

  take(): Snapshot {
    // Finds changes that are not published yet, and says so through `stale`.
    this.#publisher.refresh();
    if (this.#last) return this.#last;
    const offered = this.#mounts.offered();
    const observations = offered.flatMap(({ mountId, surface }) => {
      const values = this.#publisher.values(mountId);
      return values ? [[surface.id, values] as const] : [];
    });
    return (this.#last = {
      surfaces: offered.map(({ manifest }) => manifest),
      observations: Object.fromEntries(observations),
      surfacesHash: this.#mounts.hash(),
    });
  }
}
