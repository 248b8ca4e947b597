import type { Socket as ServerSocket } from 'socket.io';
import type { Socket } from 'socket.io-client';
import type { SurfaceRuntimeOptions } from '../../src/surface/runtime-options.js';
import { createPostMessageTransport } from '../../src/transports/post-message.js';
import { createSocketTransport } from '../../src/transports/socket-io.js';
import type { SocketLike } from '../../src/transports/socket-like.js';

interface FromServer {
  welcome: (name: string) => void;
}
interface FromClient {
  order: (id: number, done: (ok: boolean) => void) => void;
}

declare const plain: Socket;
declare const typed: Socket<FromServer, FromClient>;
declare const accepted: ServerSocket;
declare const typedAccepted: ServerSocket<FromClient, FromServer>;
declare const port: MessagePort;

// Official sockets are what is asked for, those with event maps of the application's own too.
export const sockets: readonly SocketLike[] = [plain, typed, accepted, typedAccepted];
createSocketTransport(typed, { namespace: 'studio' });
createSocketTransport(typedAccepted, { side: 'agent' });
export const options: SurfaceRuntimeOptions = { socket: plain, transport: { namespace: 'studio' } };

createPostMessageTransport(port);
// @ts-expect-error a page has no such end
createPostMessageTransport(port, { side: 'server' });
// @ts-expect-error nothing can be posted to it
createPostMessageTransport({});
// @ts-expect-error a socket must tell what it hears
createSocketTransport({ emit: () => undefined });
