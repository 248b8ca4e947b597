import { createOUI, createSurfaceRuntime, defineSurface } from '../../src/entries/compat-core.js';
import type { OwnedTransport } from '../../src/entries/compat-core.js';
import { createWebSocketTransport } from '../../src/entries/compat-transport.js';
import type { SocketLike } from '../../src/entries/compat-transport.js';
import type { OUIIndexSnapshot, OUISurface, OUISurfaceSnapshot } from '../../src/entries/compat-spec.js';

/** What compiles and what does not, as the README of `oui-spec` says it. `tsc` is the test. */

declare const socket: SocketLike;
const actions = [{ id: 'go_on', description: 'D', input: {}, handler: () => ({ success: true }) }];
const alpha = defineSurface({ id: 'alpha', name: 'A', description: 'A', actions });
const beta = defineSurface({ id: 'beta', name: 'B', description: 'B', actions });

createOUI({ socket, surfaces: [alpha, beta], transport: { namespace: 'studio' } });
// @ts-expect-error -- the second would take the place of the first
createOUI({ socket, surfaces: [alpha, alpha] });
// @ts-expect-error -- at least one surface
createOUI({ socket, surfaces: [] });
// @ts-expect-error -- the socket is missing
createOUI({ surfaces: [alpha] });
// @ts-expect-error -- surfaces come from defineSurface
createOUI({ socket, surfaces: [{ id: 'x', name: 'X', description: 'X', actions }] });
// @ts-expect-error -- a transport made by hand is not the one that createOUI owns
export const mine: OwnedTransport = createWebSocketTransport(socket);

export const full: OUISurfaceSnapshot = createSurfaceRuntime({ socket }).snapshot();
export const index: OUIIndexSnapshot = createSurfaceRuntime({ form: 'index' }).snapshot();
// @ts-expect-error -- a runtime in index form has no definitions in its snapshots
export const wrong: OUISurfaceSnapshot = createSurfaceRuntime({ form: 'index' }).snapshot();

interface Context {
  readonly count: number;
}
const counted = defineSurface<Context>({
  id: 'counted',
  name: 'C',
  description: 'C',
  actions: [
    {
      id: 'go_on',
      description: 'D',
      input: { type: 'object', properties: { amount: { type: 'number' } } },
      handler: async (params, ctx) => ({ success: true, data: (params['amount'] as number) + ctx.count }),
      polling: { intervalMs: 1, resolve: async (dispatchResult, ctx) => ({ done: dispatchResult.done === ctx.count }) },
    },
  ],
});
createSurfaceRuntime().mount(counted, () => ({ count: 1 }));
// @ts-expect-error -- the context is another one
createSurfaceRuntime().mount(counted, () => ({ count: 'one' }));
// Members are filled in one by one, as code that was written for oui-spec does.
const manifest: OUISurface = counted.toManifest();
manifest.actions.push({ id: 'more', description: 'D', input: {} });
// A context that nobody has typed is not checked.
defineSurface({
  id: 'loose',
  name: 'L',
  description: 'L',
  actions: [{ id: 'go_on', description: 'D', input: {}, handler: async (_params, ctx) => ({ success: ctx.anything() }) }],
});
