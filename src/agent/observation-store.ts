import type { Cut, OUIObservationValues } from '../protocol/events.js';
import { AGENT_LIMITS } from './agent-limits.js';
import { isShortened } from './cut-values.js';

interface Held {
  value: unknown;
  /** JSON text, to tell a change from a repetition. */
  text: string;
  /** The page's clock, Unix epoch ms. */
  timestamp: number;
  /** Where the value was cut to fit its frame. */
  cuts: readonly Cut[];
  /** The store's revision at the last change of the value. */
  changedAt: number;
}

/** Values that changed, and where they were cut. */
export interface ChangedObservations {
  readonly values: OUIObservationValues;
  readonly cuts: readonly Cut[];
}

const whole: readonly Cut[] = [];

/** What came of a value: taken and different, taken and the same, older than what is held, or too much. */
export type ObservationVerdict = 'changed' | 'same' | 'old' | 'full';

/** The newest value of each observation of one page (specification §5.3.2, §7.4). */
export class ObservationStore {
  readonly #surfaces = new Map<string, Map<string, Held>>();
  #units = 0;
  #revision = 0;

  /** Grows with every change: what changed since a moment is asked for with the revision of that moment. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * The newest by the page's clock wins; of two with the same time, the one that came last. `repeats`: it comes with a
   * result, which repeats what its updates brought; a value that was cut for that does not replace its whole.
   */
  put(
    surfaceId: string,
    observationId: string,
    value: unknown,
    timestamp: number,
    cuts: readonly Cut[] = whole,
    repeats = false,
  ): ObservationVerdict {
    const ofSurface = this.#surfaces.get(surfaceId) ?? new Map<string, Held>();
    const held = ofSurface.get(observationId);
    if (held && held.timestamp > timestamp) return 'old';
    if (repeats && cuts.length > 0 && held?.cuts.length === 0 && isShortened(held.value, value, cuts)) {
      held.timestamp = timestamp;
      return 'same';
    }
    const text = JSON.stringify(value) ?? 'null';
    if (held?.text === text) {
      held.timestamp = timestamp;
      held.cuts = cuts;
      return 'same';
    }
    const units = this.#units + text.length - (held?.text.length ?? 0);
    if (units > AGENT_LIMITS.observationUnits) return 'full';
    if (!held && ofSurface.size >= AGENT_LIMITS.observationsPerSurface) return 'full';
    this.#units = units;
    this.#revision += 1;
    ofSurface.set(observationId, { value, text, timestamp, cuts, changedAt: this.#revision });
    this.#surfaces.set(surfaceId, ofSurface);
    return 'changed';
  }

  get(surfaceId: string, observationId: string): Readonly<Pick<Held, 'value' | 'timestamp' | 'cuts'>> | undefined {
    return this.#surfaces.get(surfaceId)?.get(observationId);
  }

  /** Ids of a surface's observations that have a value. */
  ids(surfaceId: string): readonly string[] {
    return [...(this.#surfaces.get(surfaceId)?.keys() ?? [])];
  }

  /** Values that changed after the revision, less those that `counts` leaves out. */
  changedSince(
    revision: number,
    counts: (surfaceId: string, observationId: string) => boolean,
  ): ChangedObservations {
    const cuts: Cut[] = [];
    const surfaces: [string, { [observationId: string]: unknown }][] = [];
    for (const [surfaceId, ofSurface] of this.#surfaces) {
      const values = [...ofSurface]
        .filter(([observationId, held]) => held.changedAt > revision && counts(surfaceId, observationId))
        .map(([observationId, held]): [string, unknown] => {
          cuts.push(...held.cuts);
          return [observationId, held.value];
        });
      if (values.length > 0) surfaces.push([surfaceId, Object.fromEntries(values)]);
    }
    // `fromEntries` defines its members, so that an id such as `__proto__` stays a plain key.
    return { values: Object.fromEntries(surfaces), cuts };
  }

  drop(surfaceId: string, observationId: string): void {
    const ofSurface = this.#surfaces.get(surfaceId);
    const held = ofSurface?.get(observationId);
    if (!ofSurface || !held) return;
    this.#units -= held.text.length;
    ofSurface.delete(observationId);
  }

  dropSurface(surfaceId: string): void {
    for (const observationId of this.ids(surfaceId)) this.drop(surfaceId, observationId);
    this.#surfaces.delete(surfaceId);
  }

  clear(): void {
    this.#surfaces.clear();
    this.#units = 0;
  }
}
