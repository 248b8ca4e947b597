import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';

/** A WebSocket server on this machine that hands out its connections one by one. */
export interface LoopbackServer {
  readonly url: string;
  readonly port: number;
  /** The next connection that has not been handed out yet. */
  accept(): Promise<WebSocket>;
  /** How many have connected so far. */
  readonly accepted: number;
  /** What each of them offered as subprotocols. */
  readonly protocols: readonly (string | undefined)[];
  /** Connections that stand. */
  readonly clients: ReadonlySet<WebSocket>;
  close(): Promise<void>;
}

export async function startLoopbackServer(port = 0): Promise<LoopbackServer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port, perMessageDeflate: false });
  await once(server, 'listening');
  const arrived: WebSocket[] = [];
  const waiting: ((socket: WebSocket) => void)[] = [];
  const protocols: (string | undefined)[] = [];
  let accepted = 0;
  server.on('connection', (socket, request) => {
    protocols.push(request.headers['sec-websocket-protocol']);
    accepted += 1;
    socket.on('error', () => undefined);
    const next = waiting.shift();
    if (next) next(socket);
    else arrived.push(socket);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `ws://127.0.0.1:${bound}/oui/v1`,
    port: bound,
    accept() {
      const socket = arrived.shift();
      return socket ? Promise.resolve(socket) : new Promise((resolve) => waiting.push(resolve));
    },
    protocols,
    clients: server.clients,
    get accepted() {
      return accepted;
    },
    async close() {
      for (const client of server.clients) client.terminate();
      server.close();
      await once(server, 'close');
    },
  };
}
