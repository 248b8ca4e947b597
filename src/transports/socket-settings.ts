import type { SocketTransportOptions } from './socket-io.js';

/** How the protocol is spoken over a socket of the application's own. */
export type SocketSettings = Pick<SocketTransportOptions, 'namespace' | 'extensions'>;
