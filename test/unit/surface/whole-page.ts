import { vi } from 'vitest';
import { createDriver } from '../../../src/engine/driver.js';
import type { OUIActionResult, OUIEvent } from '../../../src/protocol/events.js';
import { createRuntime } from '../../../src/surface/create-runtime.js';
import type { DefinedSurface } from '../../../src/surface/definition/definition.js';
import { createInProcessHostFactory } from '../../../src/surface/link/in-process-host.js';
import type { SurfaceRuntimeOptions } from '../../../src/surface/runtime-options.js';
import { createDirectTransportPair } from '../../../src/transports/direct.js';
import { createInterpretedValidator } from '../../../src/validation/interpreted.js';

const engine = { createDriver, createInterpretedValidator };

/** Lets `ms` pass on vitest's clock, with everything that falls due and what follows from it. */
export const pass = async (ms: number): Promise<void> => void (await vi.advanceTimersByTimeAsync(ms));

/** A page with its real engine in this thread. The agent's end is the test; vitest's timers must be faked. */
export async function wholePage<Ctx>(
  surface: DefinedSurface<Ctx>,
  context: () => Ctx,
  options: SurfaceRuntimeOptions = {},
  features: readonly string[] = ['receipt', 'ack', 'cancel', 'approval'],
) {
  const pair = createDirectTransportPair();
  const hosts = () => [createInProcessHostFactory({ engine })];
  const runtime = createRuntime({ ...options, transport: pair.page }, { hosts });
  const mounted = runtime.mount(surface, context as never);
  const heard: OUIEvent[] = [];
  pair.agent.onEvent((event) => void heard.push(event as OUIEvent));
  await pair.agent.connect();
  const send = async (type: string, payload: unknown): Promise<void> => {
    pair.agent.send({ type, payload } as OUIEvent);
    await pass(0);
  };
  await send('x-oui:hello', { protocol: '0.1', software: 'agent/1', features, now: Date.now() });
  return {
    runtime,
    mounted,
    /** Everything that came to the agent, of one type. */
    frames: (type: string) => heard.filter((event) => event.type === type).map(({ payload }) => payload as unknown),
    results: (requestId: string) =>
      heard.flatMap(({ type, payload }) =>
        type === 'action:result' && (payload as OUIActionResult).requestId === requestId
          ? [payload as OUIActionResult]
          : []),
    send,
    request: (requestId: string, actionId: string, more: object = {}) =>
      send('action:request', { requestId, surfaceId: surface.id, actionId, params: {}, timestamp: Date.now(), ...more }),
    acknowledge: (requestId: string, interim = false) => send('x-oui:ack', { requestId, interim, ok: true }),
  };
}
