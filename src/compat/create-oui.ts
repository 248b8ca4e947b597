import type { RuntimeWiring } from '../surface/runtime.js';
import type { SocketLike } from '../transports/socket-like.js';
import type { ValidateSurfaceIds } from './config-checks.js';
import { createWebSocketTransport } from './socket-transport.js';
import { createCompatRuntime } from './surface-runtime.js';
import type { DefinedSurface, OUIBranded } from './surface-types.js';
import type { OUITransport, OUITransportConfig } from './transport-types.js';
import type { OUISurface } from './wire-types.js';

/** A transport that `createOUI` made. */
export type OwnedTransport = OUITransport & OUIBranded<'transport'>;

export type AnySurface = DefinedSurface<never>;

type SurfaceIds<Surfaces extends readonly AnySurface[]> = { [Key in keyof Surfaces]: Surfaces[Key]['id'] };

/** Checked where it is written: no surface at all, or one id twice, does not compile. */
export type CheckedConfig<Surfaces extends readonly AnySurface[]> =
  OUIConfig<Surfaces> & ValidateSurfaceIds<SurfaceIds<Surfaces>>;

export interface OUIConfig<Surfaces extends readonly AnySurface[]> {
  socket: SocketLike;
  /** Of `defineSurface`. */
  surfaces: Surfaces;
  transport?: OUITransportConfig;
  /** What handlers get as their second argument, asked for each request. Default: nothing. Not in `oui-spec`. */
  getContext?: () => unknown;
}

export interface OUIInstance {
  /** The wire by hand. Whoever listens with `onAction` answers requests; while nobody does, the instance does. */
  readonly transport: OwnedTransport;
  readonly manifests: readonly OUISurface[];
  /** Waits for the socket, registers the surfaces and answers requests. */
  start(): Promise<void>;
  /** Deregisters them and lets go of the socket, which stays connected. An instance starts once. */
  stop(): void;
  getSurface(id: string): AnySurface | undefined;
}

/** @throws {Error} for a configuration that only a program without types can have: see `CheckedConfig`. */
export function createInstance<const Surfaces extends readonly AnySurface[]>(
  config: CheckedConfig<Surfaces>,
  wiring: RuntimeWiring,
): OUIInstance {
  const { socket, surfaces, transport: settings = {}, getContext = () => undefined } = config as OUIConfig<Surfaces>;
  assertComplete(socket, surfaces);
  const byHand = new Set<object>();
  const transport = listening(createWebSocketTransport(socket, settings), byHand) as OwnedTransport;
  const runtime = createCompatRuntime({ transport: settings }, wiring);
  let state: 'new' | 'started' | 'stopped' = 'new';
  return {
    transport,
    manifests: surfaces.map((surface) => surface.toManifest()),
    async start() {
      await transport.connect();
      if (state !== 'new') return;
      state = 'started';
      runtime.attach(withoutRequests(socket, `${settings.namespace ?? 'oui'}:dispatch`, () => byHand.size > 0));
      for (const surface of surfaces) runtime.mount(surface, getContext as () => never);
    },
    stop() {
      state = 'stopped';
      runtime.dispose();
      transport.dispose();
    },
    getSurface: (id) => surfaces.find((surface) => surface.id === id),
  };
}

function assertComplete(socket: SocketLike, surfaces: readonly AnySurface[]): void {
  if (!socket) throw new Error('createOUI needs a socket: the connection is yours, what goes over it is done here.');
  if (!Array.isArray(surfaces) || surfaces.length === 0) throw new Error('createOUI needs at least one surface.');
  const ids = surfaces.map(({ id }) => id as string);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice === undefined) return;
  throw new Error(`Duplicate surface id: "${twice}". Surfaces are registered by id: the second would take its place.`);
}

/** Notes who listens for requests. */
function listening(transport: OUITransport, listeners: Set<object>): OUITransport {
  const { onAction } = transport;
  transport.onAction = (handler) => {
    const listener = {};
    listeners.add(listener);
    const off = onAction(handler);
    return () => {
      listeners.delete(listener);
      off();
    };
  };
  return transport;
}

/** The socket as the instance's own runtime sees it: a request that is answered by hand must not run twice. */
function withoutRequests(socket: SocketLike, event: string, isByHand: () => boolean): SocketLike {
  const guarded = new Map<unknown, (...args: unknown[]) => void>();
  return {
    get connected() {
      return socket.connected ?? true;
    },
    emit: (name, ...args) => socket.emit(name, ...args),
    on(name, listener) {
      const own = name !== event ? listener : (...args: unknown[]): void => {
        if (!isByHand()) listener(...args);
      };
      guarded.set(listener, own);
      socket.on(name, own);
    },
    off(name, listener) {
      socket.off(name, guarded.get(listener) ?? listener);
      guarded.delete(listener);
    },
    ...(socket.connect && { connect: () => socket.connect!() }),
  };
}

