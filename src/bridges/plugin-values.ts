import * as LIMITS from '../protocol/limits.js';
import { warnOnce } from '../protocol/warn-once.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import { valueUnits } from '../rules/value-units.js';

/** How much of a plugin's state the page holds, so that its own has room in the same frames. */
export class PluginValues {
  readonly #label: string;
  readonly #units = new Map<string, Map<string, number>>();
  #total = 0;

  /** `label`: the plugin in a message. */
  constructor(label: string) {
    this.#label = label;
  }

  /** A new value of an observation. @returns whether there is room for it; if not, none is held of it. */
  take(surfaceId: string, observationId: string, value: unknown): boolean {
    const ofSurface = this.#units.get(surfaceId) ?? new Map<string, number>();
    this.#units.set(surfaceId, ofSurface);
    const left = LIMITS.pluginValueUnits - this.#total + (ofSurface.get(observationId) ?? 0);
    const units = valueUnits(value, left);
    const fits = units <= left;
    this.#total += (fits ? units : 0) - (ofSurface.get(observationId) ?? 0);
    ofSurface.set(observationId, fits ? units : 0);
    return fits;
  }

  drop(surfaceId: string): void {
    for (const units of this.#units.get(surfaceId)?.values() ?? []) this.#total -= units;
    this.#units.delete(surfaceId);
  }

  warn(): void {
    const most = `${LIMITS.pluginValueUnits} characters`;
    const message = `${this.#label}: the values of its observations are more than ${most} together, so that null is `
      + 'told for what has no room. Let it show less, or give it a polling observation.';
    warnOnce(WARNINGS.PLUGIN_VALUE_REFUSED, message, this.#label);
  }
}
