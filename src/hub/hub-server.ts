import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { hubUrl } from './hub-address.js';
import { portTakenError } from './port-owner.js';

/** What the hub answers on an HTTP server. */
export interface ServerHandlers {
  /** Answers what is the hub's; calls `next` for the rest. */
  request(request: IncomingMessage, response: ServerResponse, next: () => void): void;
  /** Answers what is nobody's. */
  notFound(response: ServerResponse): void;
  /** Takes an upgrade that is the hub's; false for another. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Something failed while the server was running. */
  failed(error: Error): void;
}

/** The HTTP side of a hub. */
export interface HubServer {
  /** @throws {Error} while a server of somebody's does not listen. */
  url(): string;
  /** Takes the hub's handlers away again: before the hub's parts close. */
  detach(): void;
  /** Ends the server, unless it is somebody's. */
  close(): Promise<void>;
}

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * A server of the hub's own.
 * @throws {PortTakenError} rejects when the port is in use.
 */
export async function openServer(port: number, host: string, handlers: ServerHandlers): Promise<HubServer> {
  const server = createServer((request, response) =>
    handlers.request(request, response, () => handlers.notFound(response)),
  );
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Nobody else will answer, and a socket without an answer would stay open.
    if (!handlers.upgrade(request, socket, head)) socket.destroy();
  });
  await listen(server, port, host);
  server.on('error', (error) => handlers.failed(error));
  return {
    url: () => urlOf(server, host),
    detach: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Somebody's server: the hub's paths first, everything else to whoever answered before. */
export function joinServer(server: Server, handlers: ServerHandlers): HubServer {
  const before = server.listeners('request') as RequestListener[];
  const onRequest: RequestListener = (request, response) =>
    handlers.request(request, response, () => {
      for (const listener of before) listener.call(server, request, response);
    });
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (handlers.upgrade(request, socket, head)) return;
    if (server.listenerCount('upgrade') === 1) socket.destroy();
  };
  server.removeAllListeners('request');
  server.on('request', onRequest);
  server.on('upgrade', onUpgrade);
  return {
    url: () => urlOf(server, undefined),
    detach() {
      server.off('request', onRequest);
      server.off('upgrade', onUpgrade);
      for (const listener of before) server.on('request', listener);
    },
    close: () => Promise.resolve(),
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      if (error.code !== 'EADDRINUSE') return reject(error);
      void portTakenError(port, host).then(reject);
    };
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      resolve();
    });
  });
}

/** A host that was given reads better than the address that it stands for. */
function urlOf(server: Server, host: string | undefined): string {
  const address = server.address() as AddressInfo | string | null;
  if (address === null || typeof address === 'string') {
    throw new Error('The hub\'s address is not known yet: call `listen` of the server that it is attached to first.');
  }
  return hubUrl(address.port, host ?? address.address);
}
