import { STATUS_CODES } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import * as LIMITS from '../protocol/limits.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import { createAcceptedWebSocketTransport } from '../transports/accepted-websocket.js';
import { UNAUTHENTICATED } from '../transports/socket-link.js';
import { selectProtocol } from '../transports/token-protocol.js';
import { isOriginAllowed } from './access-rules.js';
import type { AccessRules } from './access-rules.js';
import { originRefusal, reachRefusal } from './refusals.js';
import type { Refusal } from './refusals.js';
import { printable } from './hub-log.js';
import type { HubLog } from './hub-log.js';
import type { PageArrivals } from './page-arrivals.js';
import { refusalByToken } from './page-authentication.js';
import type { AuthenticatePage } from './page-authentication.js';

/** The WebSocket endpoint for pages. */
export interface PageEndpoint {
  /** Answers the upgrade of a connection. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

export interface PageEndpointOptions {
  /** Default 200. */
  readonly maxPages?: number | undefined;
  /** Default: pages need no token. */
  readonly authenticate?: AuthenticatePage | undefined;
}

/** How long a page has to answer that its connection is closed. */
const CUT_MS = 500;

export function createPageEndpoint(
  arrivals: PageArrivals,
  rules: AccessRules,
  { maxPages = 200, authenticate }: PageEndpointOptions,
  log: HubLog,
): PageEndpoint {
  /** Connections whose token is being checked. */
  const checking = new Set<Duplex>();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LIMITS.frameCloseBytes,
    perMessageDeflate: false,
    // Pages with a token offer `oui.v1` (PROTOCOL.md §1); others offer nothing, and get nothing.
    handleProtocols: selectProtocol,
  });

  const refusal = (request: IncomingMessage): Refusal | undefined => {
    const { origin } = request.headers;
    const unreachable = reachRefusal(request, rules);
    if (unreachable !== undefined) return unreachable;
    if (!isOriginAllowed(origin, rules)) return originRefusal(origin ?? '');
    if (sockets.clients.size + checking.size < maxPages) return undefined;
    const message = `The hub holds ${maxPages} connections of pages, which is its limit (maxPages).`;
    return { status: 503, code: WARNINGS.HUB_FULL, message };
  };

  const take = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    sockets.handleUpgrade(request, socket, head, (webSocket: WebSocket) => {
      const { origin } = request.headers;
      const peer = origin === undefined ? 'a page' : `the page at ${printable(origin)}`;
      arrivals.arrive(createAcceptedWebSocketTransport(webSocket, { peer }), origin);
    });
  };

  /** A page can read why a connection was closed, and nothing of one that was not opened. */
  const turnAway = (request: IncomingMessage, socket: Duplex, head: Buffer, reason: string): void => {
    sockets.handleUpgrade(request, socket, head, (webSocket: WebSocket) => {
      // Until it is closed it can still send what is no frame.
      webSocket.on('error', ignore);
      webSocket.close(UNAUTHENTICATED, reason);
      cutLater([webSocket]);
    });
  };

  const letIn = async (
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    check: AuthenticatePage,
  ): Promise<void> => {
    checking.add(socket);
    socket.on('error', ignore);
    const refused = await refusalByToken(check, request, log);
    socket.off('error', ignore);
    // Otherwise the hub has closed meanwhile.
    if (!checking.delete(socket)) return;
    if (refused === undefined) take(request, socket, head);
    else turnAway(request, socket, head, refused);
  };

  return {
    upgrade(request, socket, head) {
      const refused = refusal(request);
      if (refused !== undefined) {
        log({ level: 'warn', code: refused.code, message: refused.message });
        refuse(socket, refused);
        return;
      }
      if (authenticate) void letIn(request, socket, head, authenticate);
      else take(request, socket, head);
    },
    close() {
      for (const socket of checking) socket.destroy();
      checking.clear();
      for (const client of sockets.clients) client.close(1001, 'the hub is closing');
      const cut = cutLater(sockets.clients);
      sockets.close(() => clearTimeout(cut));
    },
  };
}

/** Pages that do not answer the close: they must hold up neither the hub's end nor a place among its connections. */
function cutLater(closing: Iterable<WebSocket>): NodeJS.Timeout {
  return setTimeout(() => {
    for (const webSocket of closing) webSocket.terminate();
  }, CUT_MS);
}

/** Errors of connections that are at their end; one that nobody listens to ends the process. */
const ignore = (): void => undefined;

function refuse(socket: Duplex, { status, message }: Refusal): void {
  const body = `${message}\n`;
  socket.on('error', ignore);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
