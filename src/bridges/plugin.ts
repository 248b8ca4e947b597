import { createAgentRuntime } from '../agent/agent-runtime.js';
import type { AgentRuntime } from '../agent/agent-types.js';
import * as LIMITS from '../protocol/limits.js';
import type { Release, Transport, Validator } from '../protocol/ports.js';
import { warnOnce } from '../protocol/warn-once.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import { clipText } from '../rules/clip-text.js';
import type { SurfaceRuntime } from '../surface/runtime.js';
import { checkPrefix, takePrefix } from './plugin-ids.js';
import type { MountedPlugin, PluginOptions } from './mount-plugin.js';
import { PluginLink } from './plugin-link.js';
import { excessOf, PluginSurfaces } from './plugin-surfaces.js';

/** The page's own runtime validates what agents send, against the same schema, before its handler is called. */
const VALIDATED: Validator = { compile: () => () => [] };

/** One plugin: the agent's side of it, its connection, and what of it is mounted. */
export class Plugin implements MountedPlugin {
  readonly prefix: string;
  readonly #agent: AgentRuntime;
  readonly #link: PluginLink;
  readonly #surfaces: PluginSurfaces;
  readonly #label: string;
  readonly #releasePrefix: Release;
  #ended = false;

  /** @throws {TypeError} for what is no prefix. */
  constructor(runtime: SurfaceRuntime, { prefix: wanted, name: given, onConnection }: PluginOptions) {
    checkPrefix(wanted);
    const { prefix, release } = takePrefix(runtime, wanted);
    this.prefix = prefix;
    this.#releasePrefix = release;
    const name = clipText(given?.trim() || prefix, LIMITS.pluginNameLength);
    const label = this.#label = `Plugin ${JSON.stringify(name)} (${prefix})`;
    // An observation that is asked for is waited for as long as a getter of the page's own.
    const timeouts = { pullMs: LIMITS.readMs, givenUpMs: LIMITS.pluginGivenUpMs };
    this.#agent = createAgentRuntime({ validator: VALIDATED, timeouts });
    this.#surfaces = new PluginSurfaces(runtime, this.#agent, { prefix, name, label });
    this.#link = new PluginLink(this.#agent, {
      silenceChanged: () => this.#sync(),
      flooded: () => this.#cutOff('it sent more than a page can bear'),
      onConnection,
    });
    this.#agent.subscribe((event) => {
      if (event.type === 'tools' || event.type === 'page') this.#sync();
      if (event.type === 'observation') this.#surfaces.show(event.surfaceId, event.observationId);
    });
  }

  get connected(): boolean {
    return this.#link.connected;
  }

  get surfaceIds(): readonly string[] {
    return this.#surfaces.ids;
  }

  attach(given: Transport): void {
    this.#link.attach(given);
  }

  /** See `PluginLink.detach`. */
  detach(reason: string): void {
    this.#link.detach(reason);
  }

  /** See `PluginLink.documentLoaded`. */
  documentLoaded(): void {
    this.#link.documentLoaded();
  }

  unmount(): void {
    this.#end();
  }

  #end(reason?: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#surfaces.end();
    this.#releasePrefix();
    this.#link.end(reason);
  }

  #cutOff(reason: string): void {
    if (this.#ended) return;
    warnOnce(WARNINGS.PLUGIN_CUT_OFF, `${this.#label} was cut off: ${reason}.`, this.prefix);
    this.#end(reason);
  }

  /** Makes what is mounted what the plugin has now. */
  #sync(): void {
    if (this.#ended) return;
    const surfaces = this.#link.silent ? [] : this.#agent.surfaces();
    const excess = excessOf(surfaces);
    if (excess !== undefined) return this.#cutOff(excess);
    // A runtime that says hello is one that settles.
    this.#surfaces.sync(surfaces, this.#agent.page.software !== undefined);
  }
}
