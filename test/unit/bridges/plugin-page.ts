import { createAgentRuntime } from '../../../src/entries/agent.js';
import type { AgentRuntime } from '../../../src/entries/agent.js';
import { createSurfaceRuntime, defineSurface } from '../../../src/entries/core.js';
import { mountPlugin } from '../../../src/entries/plugins.js';
import type { MountedPlugin, PluginOptions } from '../../../src/entries/plugins.js';
import { createDirectTransportPair } from '../../../src/entries/transport.js';
import type { SurfaceRuntime } from '../../../src/surface/runtime.js';
import type { SurfaceDefinition } from '../../../src/surface/definition/definition.js';
import type { SurfaceRuntimeOptions } from '../../../src/surface/runtime-options.js';
import type { Transport } from '../../../src/protocol/ports.js';

const ended: (() => void)[] = [];

/** Ends everything that was opened, newest first. */
export function endAll(): void {
  for (const end of ended.splice(0).reverse()) end();
}

export const define = (definition: SurfaceDefinition<never>) =>
  (defineSurface as unknown as (definition: SurfaceDefinition<never>) => ReturnType<typeof defineSurface>)(definition);

/** A page, and an agent at its end. */
export function openPage(options: SurfaceRuntimeOptions = {}): { runtime: SurfaceRuntime; agent: AgentRuntime } {
  const { page, agent: agentEnd } = createDirectTransportPair();
  const runtime = createSurfaceRuntime({ worker: false, ...options });
  runtime.attach(page);
  const agent = createAgentRuntime({ transport: agentEnd });
  ended.push(() => agent.dispose(), () => runtime.dispose());
  return { runtime, agent };
}

/** A plugin with a runtime of ours, in this page. */
export function openPlugin(
  host: SurfaceRuntime,
  surfaces: readonly SurfaceDefinition<never>[],
  options: SurfaceRuntimeOptions = {},
  place: PluginOptions = { prefix: 'maps', name: 'City maps' },
) {
  const { page, agent } = createDirectTransportPair();
  const runtime = createSurfaceRuntime({ worker: false, approve: () => true, ...options });
  const mounts = surfaces.map((surface) => runtime.mount(define(surface) as never));
  runtime.attach(page);
  const plugin = mountPlugin(host, agent, place);
  ended.push(() => plugin.unmount(), () => runtime.dispose());
  return { runtime, plugin, mounts };
}

export interface RawPlugin {
  readonly plugin: MountedPlugin;
  readonly transport: Transport;
  /** What the host sent it. */
  readonly heard: { readonly type: string; readonly payload: Record<string, unknown> }[];
  send(type: string, payload: unknown): void;
  register(surface: unknown): void;
}

const FEATURES = ['cancel', 'approval', 'attachment'];

/** A plugin's end that the test plays, introduced by a hello unless it `speaks` v1. */
export async function openRaw(
  host: SurfaceRuntime,
  place: PluginOptions = { prefix: 'maps' },
  speaks: 'ours' | 'v1' = 'ours',
): Promise<RawPlugin> {
  const { page: transport, agent } = createDirectTransportPair();
  const heard: RawPlugin['heard'] = [];
  transport.onEvent((event) => void heard.push(event as never));
  const plugin = mountPlugin(host, agent, place);
  ended.push(() => plugin.unmount());
  await transport.connect();
  const send = (type: string, payload: unknown): void => transport.send({ type, payload } as never);
  if (speaks === 'ours') send('x-oui:hello', { protocol: '0.1', software: 'raw/1', features: FEATURES, now: Date.now() });
  const register = (surface: unknown): void => send('surface:register', { surface, timestamp: Date.now() });
  return { plugin, transport, heard, send, register };
}

export function until(agent: AgentRuntime, satisfied: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const release = agent.subscribe(() => satisfied() && resolve());
    ended.push(release);
    if (satisfied()) resolve();
  });
}

export const hasTool = (agent: AgentRuntime, name: string): Promise<void> =>
  until(agent, () => agent.tools().some((tool) => tool.name === name));
