import { createOUI, createSurfaceRuntime, defineSurface } from '../../src/entries/core.js';
import type { OwnedTransport, SocketLike } from '../../src/entries/core.js';
import { createSocketTransport } from '../../src/entries/transport.js';

/** Compiled, never run: what `createOUI` refuses, each line with its reason. */

declare const socket: SocketLike;
const handler = (): void => {};
const input = { type: 'object' };
const actions = [{ id: 'do_it', description: 'Does it.', input, handler }] as const;

const alpha = defineSurface({ id: 'alpha', name: 'Alpha', description: 'The first.', actions });
const beta = defineSurface({
  id: 'beta',
  name: 'Beta',
  description: 'The second.',
  actions: [{ id: 'do_it', description: 'Does it.', input, handler: (_params, page: { readonly title: string }) => page.title }],
  observations: [{ id: 'open_count', description: 'How many are open.', schema: { type: 'integer' } }],
});

export const one = createOUI({ socket, surfaces: [alpha], transport: { namespace: 'app' }, timeoutMs: 1_000 });
export const two = createOUI({ socket, surfaces: [alpha, beta], contexts: { beta: () => ({ title: 'x' }) } });

two.surfaces.alpha.unmount();
two.surfaces.beta.pushObservation('open_count', 1);
two.surfaces.beta.pushObservation('open_count', null);

// @ts-expect-error two surfaces of one id
createOUI({ socket, surfaces: [alpha, alpha] });

// @ts-expect-error no surface at all
createOUI({ socket, surfaces: [] });

// @ts-expect-error no socket
createOUI({ surfaces: [alpha] });

// @ts-expect-error a socket that cannot be listened to
createOUI({ socket: { emit: () => {} }, surfaces: [alpha] });

// @ts-expect-error a surface that defineSurface did not return
createOUI({ socket, surfaces: [{ id: 'x', name: 'X', description: 'Made by hand.', actions }] });

// @ts-expect-error handlers of beta need their context
createOUI({ socket, surfaces: [alpha, beta] });

// @ts-expect-error and the right one
createOUI({ socket, surfaces: [beta], contexts: { beta: () => ({ title: 1 }) } });

// @ts-expect-error an observation that beta does not declare
two.surfaces.beta.pushObservation('closed_count', 1);

// @ts-expect-error a value of another type
two.surfaces.beta.pushObservation('open_count', 'three');

// @ts-expect-error a surface that is not there
void two.surfaces.gamma;

export const owned: OwnedTransport = one.transport;

// @ts-expect-error a transport made by hand does not stand in for the instance's own
export const mine: OwnedTransport = createSocketTransport(socket);

const runtime = createSurfaceRuntime({ socket });
const mounted = runtime.mount(beta, () => ({ title: 'x' }));
mounted.pushObservation('open_count', 2);
// @ts-expect-error the same for a runtime's own mounts
mounted.pushObservation('open_counts', 2);
// @ts-expect-error and for sources
mounted.observe('open_counts', () => 2);
