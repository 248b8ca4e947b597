import type { AgentRuntime } from '../agent/agent-types.js';
import * as LIMITS from '../protocol/limits.js';
import type { OUISurface } from '../protocol/manifest.js';
import { valueUnits } from '../rules/value-units.js';
import type { MountedSurface } from '../surface/runtime.js';
import { PluginValues } from './plugin-values.js';

/** Shows in the page what a plugin's observations say. */
export class PluginObservations {
  readonly #agent: AgentRuntime;
  readonly #values: PluginValues;

  /** `label`: the plugin in a message. */
  constructor(agent: AgentRuntime, label: string) {
    this.#agent = agent;
    this.#values = new PluginValues(label);
  }

  /** All that a surface declares, as far as there is a value. */
  showAll(source: OUISurface, mounted: MountedSurface<never>): void {
    for (const { id, updateFrequency } of source.observations ?? []) {
      if (updateFrequency !== 'polling') this.show(source, id, mounted);
      else this.#pollOn(source.id, id, mounted);
    }
  }

  /** The newest value of one; `null` where there is no room for it, or it was cut on its way. */
  show(source: OUISurface, observationId: string, mounted: MountedSurface<never>): void {
    const declared = source.observations?.find(({ id }) => id === observationId);
    if (!declared || declared.updateFrequency === 'polling') return;
    const observation = this.#agent.observation(source.id, observationId);
    if (!observation?.hasValue) return;
    const fits = observation.cuts === undefined && this.#values.take(source.id, observationId, observation.value);
    mounted.pushObservation(observationId as never, (fits ? observation.value : null) as never);
    if (!fits) this.#values.warn();
  }

  /** The surface is gone. */
  drop(surfaceId: string): void {
    this.#values.drop(surfaceId);
  }

  #pollOn(surfaceId: string, observationId: string, mounted: MountedSurface<never>): void {
    mounted.observe(observationId as never, {
      get: async () => {
        const value = await this.#agent.read(surfaceId, observationId);
        if (valueUnits(value, LIMITS.pluginValueUnits) > LIMITS.pluginValueUnits) throw new Error('it is too large');
        return value;
      },
      subscribe: () => () => {},
    });
  }
}
