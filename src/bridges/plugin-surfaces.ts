import type { AgentRuntime } from '../agent/agent-types.js';
import { indexEntryOf } from '../agent/indexed-surface.js';
import { messageOf } from '../protocol/error-message.js';
import * as LIMITS from '../protocol/limits.js';
import type { OUISurface } from '../protocol/manifest.js';
import { describeValue } from '../protocol/shape.js';
import { warnOnce } from '../protocol/warn-once.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import { clipText } from '../rules/clip-text.js';
import { valueUnits } from '../rules/value-units.js';
import type { MountedSurface, SurfaceRuntime } from '../surface/runtime.js';
import { forwardCall } from './forwarded-call.js';
import { pluginSurfaceId } from './plugin-ids.js';
import { PluginObservations } from './plugin-observations.js';
import { pluginSurface } from './plugin-surface.js';

interface Held {
  readonly source: OUISurface;
  readonly settles: boolean;
  readonly mounted: MountedSurface<never>;
}

/** How a plugin is called. */
export interface PluginNames {
  readonly prefix: string;
  readonly name: string;
  /** In messages. */
  readonly label: string;
}

/** What of a plugin is mounted in the page's runtime. */
export class PluginSurfaces {
  readonly #runtime: SurfaceRuntime;
  readonly #agent: AgentRuntime;
  readonly #names: PluginNames;
  readonly #observations: PluginObservations;
  readonly #held = new Map<string, Held>();
  /** In index form, and asked about already; or refused, and no other since. */
  readonly #done = new WeakSet<OUISurface>();
  #ended = false;

  constructor(runtime: SurfaceRuntime, agent: AgentRuntime, names: PluginNames) {
    this.#runtime = runtime;
    this.#agent = agent;
    this.#names = names;
    this.#observations = new PluginObservations(agent, names.label);
  }

  /** Their ids in the page. */
  get ids(): readonly string[] {
    return [...this.#held.values()].map(({ mounted }) => mounted.surfaceId);
  }

  /** Makes what is mounted these. `settles`: the plugin's page waits by itself until it is quiet. */
  sync(surfaces: readonly OUISurface[], settles: boolean): void {
    const ids = new Set(surfaces.map(({ id }) => id));
    for (const id of this.#held.keys()) if (!ids.has(id)) this.#drop(id);
    for (const surface of surfaces) this.#take(surface, settles);
  }

  /** An observation has a new value. */
  show(surfaceId: string, observationId: string): void {
    const held = this.#held.get(surfaceId);
    if (held) this.#observations.show(held.source, observationId, held.mounted);
  }

  /** Takes all away, for good. */
  end(): void {
    this.#ended = true;
    for (const { mounted } of this.#held.values()) mounted.unmount();
    this.#held.clear();
  }

  #take(surface: OUISurface, settles: boolean): void {
    // The page may have ended it when it heard of the surface before.
    if (this.#ended) return;
    const held = this.#held.get(surface.id);
    if (this.#done.has(surface) || (held?.source === surface && held.settles === settles)) return;
    if (surface.actions.some((action) => indexEntryOf(action))) return this.#ask(surface);
    const { prefix, name: pluginName, label } = this.#names;
    const id = pluginSurfaceId(prefix, surface.id);
    let mounted: MountedSurface<never>;
    try {
      if (!held && this.#isTaken(id)) throw new Error(`this page has a surface "${id}" already`);
      const defined = pluginSurface(surface, {
        id,
        pluginName,
        settles,
        forward: (action, params, call) => forwardCall(this.#agent, { surfaceId: surface.id, action }, params, call),
      });
      held?.mounted.update(defined);
      mounted = held?.mounted ?? this.#runtime.mount(defined, (() => undefined) as () => never);
      if (this.#ended) return mounted.unmount();
      this.#held.set(surface.id, { source: surface, settles, mounted });
    } catch (error) {
      this.#done.add(surface);
      this.#drop(surface.id);
      const why = clipText(messageOf(error), LIMITS.errorMessageLength);
      const message = `${label}: its surface ${describeValue(surface.id)} was not taken. ${why}`;
      return warnOnce(WARNINGS.PLUGIN_SURFACE_REFUSED, message, prefix);
    }
    this.#observations.showAll(surface, mounted);
  }

  /** Only its index is known: once the definitions are there, this is called again with another object. */
  #ask(surface: OUISurface): void {
    this.#done.add(surface);
    void this.#agent.describe(surface.actions.map(({ id }) => ({ surfaceId: surface.id, actionId: id })));
  }

  /** A surface that is mounted over another one serves in its place. */
  #isTaken(id: string): boolean {
    const inspection = this.#runtime.inspect(() => undefined);
    try {
      return inspection.surfaces().some(({ manifest }) => manifest.id === id);
    } finally {
      inspection.release();
    }
  }

  #drop(surfaceId: string): void {
    this.#held.get(surfaceId)?.mounted.unmount();
    this.#held.delete(surfaceId);
    this.#observations.drop(surfaceId);
  }
}

/** What makes a plugin's surfaces too much for a page, if anything. */
export function excessOf(surfaces: readonly OUISurface[]): string | undefined {
  if (surfaces.length > LIMITS.pluginSurfaces) return `it has more than ${LIMITS.pluginSurfaces} surfaces`;
  const most = LIMITS.pluginManifestUnits;
  return valueUnits(surfaces, most) > most ? `its surfaces are more than ${most} characters` : undefined;
}
