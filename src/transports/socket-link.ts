import { maySend, readTextFrame } from './text-frames.js';
import type { FrameLimits } from './text-frames.js';

/** Why a socket ended: a code of RFC 6455 and what its peer said. */
export interface SocketCloseEvent {
  readonly code: number;
  readonly reason: string;
}

/** What is used of a WebSocket. The browser's own, that of `ws` and Node's built-in one all have it. */
export interface WebSocketLike {
  readonly readyState: number;
  /** Bytes. */
  readonly bufferedAmount: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  /** `ws` has it: ends the connection without waiting for the peer. */
  terminate?(): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: SocketCloseEvent) => void): void;
  removeEventListener(type: 'open', listener: () => void): void;
  removeEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  removeEventListener(type: 'close', listener: (event: SocketCloseEvent) => void): void;
}

/** `WebSocket.OPEN`, which is a number on every implementation. */
export const SOCKET_OPEN = 1;
/**
 * An agent's side closes with this code, after the opening, when it does not take a page's token: a page can read the
 * code and the reason of a close, and nothing of an opening that was refused.
 */
export const UNAUTHENTICATED = 4401;
const NORMAL = 1000;
const TOO_LARGE = 1009;
/** What a page says instead: browsers let scripts send 1000 and 3000 to 4999 only. */
const TOO_LARGE_FROM_PAGE = 4009;

export interface SocketLinkEvents {
  opened(): void;
  /** One parsed message, unchecked. */
  message(message: unknown): void;
  /**
   * The connection has ended, by the peer, the network, or a frame that was far too large.
   * Called once, and never after `close` or `abandon`.
   */
  closed(reason: string, code?: number): void;
}

/** One socket, from opening to its end, with the binding's rules for frames in both directions. */
export interface SocketLink {
  readonly bufferedBytes: number;
  /** Sends a frame; drops it while the socket is not open. */
  sendText(text: string): void;
  /** Closes in the ordinary way. What was sent before still goes out. Nothing arrives afterwards. */
  close(): void;
  /** Gives up a peer that no longer answers. Nothing arrives afterwards. */
  abandon(): void;
}

/** @param peer What the other end is called in warnings. */
export function createSocketLink(
  socket: WebSocketLike,
  events: SocketLinkEvents,
  limits: FrameLimits,
  peer: string,
): SocketLink {
  const onOpen = (): void => events.opened();
  const onMessage = (event: { readonly data: unknown }): void => {
    const reading = readTextFrame(event.data, limits, peer);
    if (reading.kind === 'message') events.message(reading.message);
    if (reading.kind === 'oversize') {
      detach();
      closeAsTooLarge(socket);
      events.closed(`a frame of over ${limits.closeBytes} bytes came from ${peer}`);
    }
  };
  const onClose = (event: SocketCloseEvent): void => {
    detach();
    events.closed(describeClose(event.code, event.reason), event.code);
  };
  const detach = (): void => {
    socket.removeEventListener('open', onOpen);
    socket.removeEventListener('message', onMessage);
    socket.removeEventListener('close', onClose);
  };

  socket.addEventListener('open', onOpen);
  socket.addEventListener('message', onMessage);
  socket.addEventListener('close', onClose);
  // Every error is followed by a close, which says more. This listener stays for the socket's whole life:
  // a `ws` socket that fails after its listeners have gone would otherwise end the Node process.
  socket.addEventListener('error', () => undefined);

  return {
    get bufferedBytes() {
      return socket.bufferedAmount;
    },
    sendText(text) {
      if (socket.readyState === SOCKET_OPEN && maySend(text, limits, peer)) socket.send(text);
    },
    close() {
      detach();
      socket.close(NORMAL);
    },
    abandon() {
      // Closing waits for the peer's answer, which a dead one never gives: listeners first, or the wait is ours too.
      detach();
      if (socket.terminate) socket.terminate();
      else socket.close(NORMAL);
    },
  };
}

function closeAsTooLarge(socket: WebSocketLike): void {
  try {
    socket.close(TOO_LARGE, 'frame too large');
  } catch {
    socket.close(TOO_LARGE_FROM_PAGE, 'frame too large');
  }
}

function describeClose(code: number, reason: string): string {
  if (reason !== '') return `the connection was closed: ${reason} (${code})`;
  return code === 1006 ? 'the connection failed or was cut (1006)' : `the connection was closed (${code})`;
}
