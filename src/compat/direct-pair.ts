import { createListenerSet } from '../protocol/listener-set.js';
import type { OUITransport } from './transport-types.js';
import type { OUIActionResult, OUIObservationUpdate, OUISurface } from './wire-types.js';

/**
 * Both ends in one process, for tests. Everything arrives at once, within the call that sent it, as with `oui-spec`; a
 * listener that throws does not keep it from the others.
 */
export function createDirectTransportPair(): { server: OUITransport; client: OUITransport } {
  const actions = createListenerSet<Parameters<Parameters<OUITransport['onAction']>[0]>>('A listener of onAction');
  const results = createListenerSet<[result: OUIActionResult]>('A listener of onResult');
  const observations = createListenerSet<[update: OUIObservationUpdate]>('A listener of onObservation');
  const registrations = createListenerSet<[surface: OUISurface]>('A listener of onSurfaceRegister');
  const deregistrations = createListenerSet<[surfaceId: string]>('A listener of onSurfaceDeregister');

  /** What only the other end does. */
  const nothing = (): void => {};
  const never = () => nothing;
  const idle: OUITransport = {
    dispatch: nothing,
    onAction: never,
    sendResult: nothing,
    onResult: never,
    pushObservation: nothing,
    onObservation: never,
    registerSurface: nothing,
    deregisterSurface: nothing,
    onSurfaceRegister: never,
    onSurfaceDeregister: never,
    connected: true,
    connect: () => Promise.resolve(),
    disconnect: nothing,
    onConnectionChange: never,
    dispose: nothing,
  };
  return {
    server: {
      ...idle,
      dispatch: (request) => actions.emit(request),
      onResult: (handler) => results.add(handler),
      onObservation: (handler) => observations.add(handler),
      onSurfaceRegister: (handler) => registrations.add(handler),
      onSurfaceDeregister: (handler) => deregistrations.add(handler),
    },
    client: {
      ...idle,
      onAction: (handler) => actions.add(handler),
      sendResult: (result) => results.emit(result),
      pushObservation: (update) => observations.emit(update),
      registerSurface: (surface) => registrations.emit(surface),
      deregisterSurface: (surfaceId) => deregistrations.emit(surfaceId),
    },
  };
}
