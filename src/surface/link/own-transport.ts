import type { Transport } from '../../protocol/ports.js';
import { createSocketTransport } from '../../transports/socket-io.js';
import type { SocketLike } from '../../transports/socket-like.js';
import type { SurfaceRuntimeOptions } from '../runtime-options.js';
import type { SocketSettings } from '../../transports/socket-settings.js';

type Connections = Pick<SurfaceRuntimeOptions, 'url' | 'socket' | 'transport'>;

export const ONE_CONNECTION =
  'A runtime speaks over one connection: give it a url, a socket, or a transport of your own.';

/**
 * The connection that the page brings itself, if it does.
 *
 * @throws {TypeError} when it has more than one, or what it gives as a socket is none.
 */
export function ownTransport({ url, socket, transport }: Connections): Transport | undefined {
  const own = transport !== undefined && isTransport(transport) ? transport : undefined;
  if ([url, socket, own].filter((each) => each !== undefined).length > 1) throw new TypeError(ONE_CONNECTION);
  return own ?? (socket === undefined ? undefined : asTransport(socket, transport));
}

/** Whether the page brings the connection itself, so that frames go through its thread. */
export function bringsConnection({ socket, transport }: Pick<Connections, 'socket' | 'transport'>): boolean {
  return socket !== undefined || (transport !== undefined && isTransport(transport));
}

/** What the page attaches: a transport, or a socket that one is put around. @throws {TypeError} for neither. */
export function asTransport(given: Transport | SocketLike, settings: SurfaceRuntimeOptions['transport']): Transport {
  if (isTransport(given)) return given;
  if (typeof given?.on !== 'function' || typeof given.emit !== 'function' || typeof given.off !== 'function') {
    throw new TypeError('The socket must be Socket.IO-shaped, with on, off and emit; or give a Transport, or a url.');
  }
  return createSocketTransport(given, settings === undefined || isTransport(settings) ? {} : settings);
}

function isTransport(given: Transport | SocketLike | SocketSettings): given is Transport {
  return typeof given === 'object' && given !== null && 'onEvent' in given && 'onState' in given;
}
