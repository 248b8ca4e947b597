import { vi } from 'vitest';
import { compatWiring } from '../../../src/entries/compat-wiring.js';
import { defineSurface } from '../../../src/compat/define-surface.js';
import type { SurfaceRuntimeOptions } from '../../../src/compat/runtime-types.js';
import { createCompatRuntime } from '../../../src/compat/surface-runtime.js';
import type { ActionDefinition, DefinedSurface, ObservationDefinition } from '../../../src/compat/surface-types.js';
import type { OUIActionRequest, OUIActionResult } from '../../../src/compat/wire-types.js';
import { createSocketPair } from '../transports/socket-pair.js';

/** Lets `ms` pass on vitest's clock, with everything that falls due and what follows from it. */
export const pass = async (ms: number): Promise<void> => void (await vi.advanceTimersByTimeAsync(ms));

type ActionParts = Partial<ActionDefinition<never>> & Pick<ActionDefinition<never>, 'id'>;

/** A surface with these actions and observations; the rest is filled in. */
export function surfaceOf(
  actions: readonly ActionParts[],
  observations: readonly (Partial<ObservationDefinition> & Pick<ObservationDefinition, 'id'>)[] = [],
  id = 'todo-app',
): DefinedSurface<never> {
  return defineSurface<never>({
    id,
    name: 'Todos',
    description: 'Create and complete tasks.',
    actions: actions.map((action) => ({
      description: 'Does it.',
      input: {},
      handler: () => ({ success: true }),
      ...action,
    })),
    observations: observations.map((each) => ({ description: 'Shows it.', schema: {}, ...each })),
  });
}

export interface CompatPageOptions extends SurfaceRuntimeOptions {
  /** What the server answers a result with; `silent` for one that acknowledges nothing. Default `{ok: true}`. */
  readonly says?: (result: OUIActionResult) => unknown;
  readonly silent?: boolean;
  readonly context?: () => unknown;
}

/** A page of the drop-in on a socket, and a v1 server on the other end that knows nothing else. */
export async function compatPage(surface: DefinedSurface<never>, options: CompatPageOptions = {}) {
  const { says = () => ({ ok: true }), silent = false, context = () => undefined, ...rest } = options;
  const pair = createSocketPair();
  const runtime = createCompatRuntime({ ...rest, socket: pair.client }, compatWiring);
  const mounted = runtime.mount(surface, context as never);
  const heard: { readonly event: string; readonly payload: unknown }[] = [];
  const ns = rest.transport?.namespace ?? 'oui';
  const connect = () => {
    const server = pair.connect();
    for (const event of ['action:result', 'observation', 'surface:register', 'surface:deregister', 'x-oui:hello']) {
      server.on(`${ns}:${event}`, (payload: unknown, acknowledge?: (said: unknown) => void) => {
        heard.push({ event, payload });
        if (event === 'action:result' && !silent) acknowledge?.(says(payload as OUIActionResult));
      });
    }
    return server;
  };
  let server = connect();
  await pass(0);
  const frames = (event: string): unknown[] => heard.filter((each) => each.event === event).map(({ payload }) => payload);
  return {
    runtime,
    mounted,
    frames,
    names: () => heard.map(({ event }) => event),
    results: (requestId: string) =>
      (frames('action:result') as OUIActionResult[]).filter((result) => result.requestId === requestId),
    /** @returns what the receipt said, if one was asked for. */
    async dispatch(requestId: string, actionId: string, more: Partial<OUIActionRequest> & { receipt?: true } = {}) {
      const { receipt, ...members } = more;
      const request = { requestId, surfaceId: surface.id, actionId, params: {}, timestamp: Date.now(), ...members };
      const said: unknown[] = [];
      if (receipt) server.emit(`${ns}:dispatch`, request, (answer: unknown) => said.push(answer));
      else server.emit(`${ns}:dispatch`, request);
      await pass(0);
      return said[0];
    },
    emit: async (event: string, ...args: unknown[]) => {
      server.emit(event, ...args);
      await pass(0);
    },
    async reconnect() {
      pair.disconnect();
      await pass(0);
      server = connect();
      await pass(0);
    },
    client: pair.client,
  };
}
