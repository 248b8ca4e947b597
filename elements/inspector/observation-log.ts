import * as LIMITS from '../../src/protocol/limits.js';

/** How one observation changes. */
export interface ObservationActivity {
  /** Unix epoch, ms. */
  readonly lastChange: number;
  readonly changes: number;
  /** Changes a second, over the last seconds. */
  readonly perSecond: number;
}

interface Changes {
  count: number;
  last: number;
  /** Times of the last changes, oldest first. */
  recent: number[];
}

/** A change every frame is 60 a second: times beyond that are not told apart. */
const RECENT = (LIMITS.inspectedRateMs / 1000) * 60;

/** Counts changes of observations. */
export class ObservationLog {
  readonly #changes = new Map<string, Changes>();

  changed(surfaceId: string, observationId: string, at: number): void {
    const key = `${surfaceId} ${observationId}`;
    const changes = this.#changes.get(key) ?? { count: 0, last: at, recent: [] };
    changes.count += 1;
    changes.last = at;
    changes.recent.push(at);
    if (changes.recent.length > RECENT) changes.recent.shift();
    this.#changes.set(key, changes);
  }

  activity(surfaceId: string, observationId: string, now: number): ObservationActivity | undefined {
    const changes = this.#changes.get(`${surfaceId} ${observationId}`);
    if (!changes) return undefined;
    changes.recent = changes.recent.filter((at) => at > now - LIMITS.inspectedRateMs);
    const perSecond = changes.recent.length / (LIMITS.inspectedRateMs / 1000);
    return { lastChange: changes.last, changes: changes.count, perSecond };
  }

  /** Forgets those that are not among these. */
  keepOnly(surfaceIds: ReadonlySet<string>): void {
    for (const key of this.#changes.keys()) if (!surfaceIds.has(key.split(' ')[0]!)) this.#changes.delete(key);
  }

  clear(): void {
    this.#changes.clear();
  }
}
