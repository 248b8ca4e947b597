import { createAgentRuntime } from '../agent/agent-runtime.js';
import type { AgentRuntime } from '../agent/agent-types.js';
import { indexEntryOf } from '../agent/indexed-surface.js';
import * as ERROR_CODES from '../protocol/error-codes.js';
import { messageOf } from '../protocol/error-message.js';
import * as LIMITS from '../protocol/limits.js';
import { callSafely } from '../protocol/listener-set.js';
import type { OUISurface } from '../protocol/manifest.js';
import type { Release, Transport, Validator } from '../protocol/ports.js';
import { describeValue } from '../protocol/shape.js';
import { warnOnce } from '../protocol/warn-once.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import { clipText } from '../rules/clip-text.js';
import { valueUnits } from '../rules/value-units.js';
import type { MountedSurface, SurfaceRuntime } from '../surface/runtime.js';
import { forwardCall } from './forwarded-call.js';
import { meteredTransport } from './metered-transport.js';
import { checkPrefix, pluginSurfaceId, takePrefix } from './plugin-ids.js';
import { pluginSurface } from './plugin-surface.js';
import type { MountedPlugin, PluginOptions } from './mount-plugin.js';
import { PluginValues } from './plugin-values.js';

interface Held {
  readonly source: OUISurface;
  readonly settles: boolean;
  readonly mounted: MountedSurface<never>;
}

/** The page's own runtime validates what agents send, against the same schema, before its handler is called. */
const VALIDATED: Validator = { compile: () => () => [] };

/** Params of a request that any runtime answers, whatever it makes of it. */
const SIGN_OF_LIFE = { surfaceId: 'oui', actionId: 'describe' };

/** One plugin: the agent's side of it, and what of it is mounted. */
export class Plugin implements MountedPlugin {
  readonly prefix: string;
  readonly #runtime: SurfaceRuntime;
  readonly #name: string;
  readonly #onConnection: PluginOptions['onConnection'];
  readonly #agent: AgentRuntime;
  readonly #held = new Map<string, Held>();
  readonly #values: PluginValues;
  /** In index form, and asked about already; or refused, and no other since. */
  readonly #done = new WeakSet<OUISurface>();
  readonly #releasePrefix: Release;
  #connections = 0;
  /** The connection that stood when the last document was there. */
  #checked = 0;
  #release: Release = () => {};
  /** The transport is connected. */
  #linked = false;
  /** What it was connected with may be gone. */
  #silent = false;
  #connected = false;
  #ended = false;

  /** @throws {TypeError} for what is no prefix. */
  constructor(runtime: SurfaceRuntime, { prefix, name, onConnection }: PluginOptions) {
    checkPrefix(prefix);
    const place = takePrefix(runtime, prefix);
    this.prefix = place.prefix;
    this.#releasePrefix = place.release;
    this.#runtime = runtime;
    this.#name = clipText(name?.trim() || this.prefix, LIMITS.pluginNameLength);
    this.#onConnection = onConnection;
    this.#values = new PluginValues(this.#label);
    // An observation that is asked for is waited for as long as a getter of the page's own.
    this.#agent = createAgentRuntime({ validator: VALIDATED, timeouts: { pullMs: LIMITS.readMs } });
    this.#agent.subscribe((event) => {
      if (event.type === 'tools' || event.type === 'page') this.#sync();
      if (event.type === 'observation') this.#show(event.surfaceId, event.observationId);
    });
  }

  get connected(): boolean {
    return this.#connected;
  }

  get surfaceIds(): readonly string[] {
    return [...this.#held.values()].map(({ mounted }) => mounted.surfaceId);
  }

  attach(given: Transport): void {
    if (this.#ended) return;
    this.#release();
    this.#agent.attach(meteredTransport(given, () => this.#cutOff('it sent more than a page can bear')));
    if (this.#ended) return;
    const releases = [
      given.onState((state, reason) => this.#onLink(state === 'connected', reason)),
      given.onEvent(() => this.#setSilent(false)),
    ];
    this.#release = () => releases.forEach((release) => release());
    this.#onLink(given.state === 'connected', 'it has another connection');
  }

  /**
   * A document has been loaded where the plugin is. The plugin may be gone with the one before it, without a word where
   * it speaks v1: it is asked for a sign of life, and while there is none its surfaces are away. They are away at once
   * when the connection is older than the last document. Whatever the plugin says brings them back.
   */
  documentLoaded(): void {
    if (this.#ended || !this.#linked) return;
    const asked = this.#connections;
    if (asked === this.#checked) this.#setSilent(true);
    this.#checked = asked;
    void this.#agent.call(SIGN_OF_LIFE, { actions: [] }, { timeoutMs: LIMITS.frameCheckMs }).then(({ result }) => {
      if (asked === this.#connections && result.error?.code === ERROR_CODES.TIMEOUT) this.#setSilent(true);
    });
  }

  unmount(): void {
    this.#end();
  }

  get #label(): string {
    return `Plugin ${JSON.stringify(this.#name)} (${this.prefix})`;
  }

  #end(reason?: string): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const { mounted } of this.#held.values()) mounted.unmount();
    this.#held.clear();
    this.#release();
    this.#agent.dispose();
    this.#releasePrefix();
    this.#linked = false;
    this.#tell(reason);
  }

  #cutOff(reason: string): void {
    if (this.#ended) return;
    warnOnce(WARNINGS.PLUGIN_CUT_OFF, `${this.#label} was cut off: ${reason}.`, this.prefix);
    this.#end(reason);
  }

  #onLink(linked: boolean, reason?: string): void {
    if (linked && !this.#linked) this.#connections += 1;
    this.#linked = linked;
    this.#silent = false;
    this.#tell(reason);
  }

  #setSilent(silent: boolean): void {
    if (this.#ended || silent === this.#silent) return;
    this.#silent = silent;
    this.#sync();
    this.#tell('it gives no sign of life');
  }

  #tell(reason?: string): void {
    const connected = this.#linked && !this.#silent;
    if (connected === this.#connected) return;
    this.#connected = connected;
    const why = connected ? undefined : reason;
    callSafely('The option onConnection of a plugin', () => this.#onConnection?.(connected, why));
  }

  /** Makes what is mounted what the plugin has now. */
  #sync(): void {
    if (this.#ended) return;
    const surfaces = this.#silent ? [] : this.#agent.surfaces();
    const excess = excessOf(surfaces);
    if (excess !== undefined) return this.#cutOff(excess);
    const ids = new Set(surfaces.map(({ id }) => id));
    for (const id of this.#held.keys()) if (!ids.has(id)) this.#drop(id);
    // A runtime that says hello is one that settles.
    const settles = this.#agent.page.software !== undefined;
    for (const surface of surfaces) this.#take(surface, settles);
  }

  #take(surface: OUISurface, settles: boolean): void {
    // The page may have ended it when it heard of the surface before.
    if (this.#ended) return;
    const held = this.#held.get(surface.id);
    if (this.#done.has(surface) || (held?.source === surface && held.settles === settles)) return;
    if (surface.actions.some((action) => indexEntryOf(action))) return this.#ask(surface);
    const id = pluginSurfaceId(this.prefix, surface.id);
    try {
      if (!held && this.#isTaken(id)) throw new Error(`this page has a surface "${id}" already`);
      const defined = pluginSurface(surface, {
        id,
        pluginName: this.#name,
        settles,
        forward: (action, params, call) => forwardCall(this.#agent, { surfaceId: surface.id, action }, params, call),
      });
      held?.mounted.update(defined);
      const mounted = held?.mounted ?? this.#runtime.mount(defined, (() => undefined) as () => never);
      if (this.#ended) return mounted.unmount();
      this.#held.set(surface.id, { source: surface, settles, mounted });
    } catch (error) {
      this.#done.add(surface);
      this.#drop(surface.id);
      const why = clipText(messageOf(error), LIMITS.errorMessageLength);
      const message = `${this.#label}: its surface ${describeValue(surface.id)} was not taken. ${why}`;
      return warnOnce(WARNINGS.PLUGIN_SURFACE_REFUSED, message, this.prefix);
    }
    for (const { id: observationId, updateFrequency } of surface.observations ?? []) {
      if (updateFrequency !== 'polling') this.#show(surface.id, observationId);
      else this.#pollOn(surface.id, observationId);
    }
  }

  /** Only its index is known: once the definitions are there, this is called again with another object. */
  #ask(surface: OUISurface): void {
    this.#done.add(surface);
    void this.#agent.describe(surface.actions.map(({ id }) => ({ surfaceId: surface.id, actionId: id })));
  }

  /** A surface that is mounted over another one serves in its place. */
  #isTaken(id: string): boolean {
    const { surfaces, index } = this.#runtime.snapshot();
    return (surfaces ?? index ?? []).some((surface) => surface.id === id);
  }

  #drop(surfaceId: string): void {
    this.#held.get(surfaceId)?.mounted.unmount();
    this.#held.delete(surfaceId);
    this.#values.drop(surfaceId);
  }

  #show(surfaceId: string, observationId: string): void {
    const held = this.#held.get(surfaceId);
    const declared = held?.source.observations?.find(({ id }) => id === observationId);
    if (!held || !declared || declared.updateFrequency === 'polling') return;
    const observation = this.#agent.observation(surfaceId, observationId);
    if (!observation?.hasValue) return;
    const fits = observation.cuts === undefined && this.#values.take(surfaceId, observationId, observation.value);
    held.mounted.pushObservation(observationId as never, (fits ? observation.value : null) as never);
    if (!fits) this.#values.warn();
  }

  #pollOn(surfaceId: string, observationId: string): void {
    this.#held.get(surfaceId)?.mounted.observe(observationId as never, {
      get: async () => {
        const value = await this.#agent.read(surfaceId, observationId);
        if (valueUnits(value, LIMITS.pluginValueUnits) > LIMITS.pluginValueUnits) throw new Error('it is too large');
        return value;
      },
      subscribe: () => () => {},
    });
  }
}

function excessOf(surfaces: readonly OUISurface[]): string | undefined {
  if (surfaces.length > LIMITS.pluginSurfaces) return `it has more than ${LIMITS.pluginSurfaces} surfaces`;
  const most = LIMITS.pluginManifestUnits;
  return valueUnits(surfaces, most) > most ? `its surfaces are more than ${most} characters` : undefined;
}
