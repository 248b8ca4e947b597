import type { EarlierDocument } from './earlier-document.js';
import type { Listeners } from './listeners.js';
import type { Mounts } from './mounts/mounts.js';
import type { ChangedObservation } from './mounts/observations.js';
import type { Snapshots } from './mounts/snapshot.js';
import type { RequestRunner } from './requests/request-runner.js';
import type { Settler } from './settle/settle.js';

/** The parts of a runtime that something follows for when the page changes. */
export interface ChangeParts {
  readonly mounts: Mounts;
  readonly snapshots: Snapshots;
  readonly settler: Settler;
  readonly runner: RequestRunner;
  readonly earlier: EarlierDocument;
  readonly listeners: Listeners;
}

/** Who hears that what a runtime offers, or a value, is another now: its own parts, then its listeners. */
export class Changes {
  readonly #parts: ChangeParts;

  constructor(parts: ChangeParts) {
    this.#parts = parts;
  }

  /** Something is offered otherwise, as `surfaces` will tell. */
  found(): void {
    this.#parts.mounts.changed();
    this.#parts.snapshots.stale();
  }

  /** Something was mounted, unmounted, updated or switched on or off, or a function of a definition says otherwise. */
  surfaces(): void {
    const { settler, runner, earlier, listeners } = this.#parts;
    this.found();
    settler.touched();
    runner.surfacesChanged();
    earlier.mounted();
    listeners.emit({ type: 'surfaces' });
  }

  /** `at`: when the page's code delivered the value. */
  observation(observation: ChangedObservation, at: number): void {
    const { snapshots, settler } = this.#parts;
    snapshots.stale();
    // Others change all the time, or because the agent asks.
    const { updateFrequency = 'on-change' } = observation.declaration;
    if (updateFrequency === 'on-change') settler.changed(observation, at);
    this.shown(observation);
  }

  /** Agents get another text of it. */
  shown({ surfaceId, declaration }: ChangedObservation): void {
    const { snapshots, listeners } = this.#parts;
    snapshots.stale();
    listeners.emit({ type: 'observation', surfaceId, observationId: declaration.id });
  }
}
