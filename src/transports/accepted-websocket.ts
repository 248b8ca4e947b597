import * as LIMITS from '../protocol/limits.js';
import { createListenerSet } from '../protocol/listener-set.js';
import type { Release, Transport, TransportState } from '../protocol/ports.js';
import { setHostTimer } from '../protocol/timer.js';
import type { SetTimer } from '../protocol/timer.js';
import { isPingable, startSocketHeartbeat } from './socket-heartbeat.js';
import { createSocketLink, SOCKET_OPEN } from './socket-link.js';
import type { WebSocketLike } from './socket-link.js';
import { frameLimits } from './text-frames.js';

export interface AcceptedWebSocketOptions {
  /** Largest frame in bytes, each way. Default 1 MiB (specification §8.2.2). */
  readonly maxFrameBytes?: number | undefined;
  /** What the page is called in warnings, such as its address. Default `the page`. */
  readonly peer?: string | undefined;
  /** Default: `setTimeout`. */
  readonly setTimer?: SetTimer | undefined;
}

/**
 * The agent's end of the WebSocket binding, around a socket that is open already (specification §8.2).
 *
 * A socket of `ws` is pinged every 30 s and terminated when its page is silent for 10 s; other sockets cannot ping.
 * Listen in the task that makes it: what arrives before anyone listens is lost. When the connection has ended it
 * stays so, and `connect` rejects; the page opens another one.
 */
export function createAcceptedWebSocketTransport(
  socket: WebSocketLike,
  options: AcceptedWebSocketOptions = {},
): Transport {
  const peer = options.peer ?? 'the page';
  const events = createListenerSet<[message: unknown]>("A listener of a transport's onEvent");
  const states = createListenerSet<[state: TransportState, reason?: string]>("A listener of a transport's onState");
  let state: TransportState = socket.readyState === SOCKET_OPEN ? 'connected' : 'disconnected';
  let stopHeartbeat: Release = () => undefined;

  const end = (reason: string): void => {
    if (state === 'disconnected') return;
    stopHeartbeat();
    state = 'disconnected';
    states.emit(state, reason);
  };

  const limits = frameLimits(options.maxFrameBytes);
  const link = createSocketLink(
    socket,
    { opened: () => undefined, message: (message) => events.emit(message), closed: end },
    limits,
    peer,
  );
  if (state === 'connected' && isPingable(socket)) {
    stopHeartbeat = startSocketHeartbeat(socket, options.setTimer ?? setHostTimer, () => {
      link.abandon();
      end(`${peer} did not answer a ping within ${LIMITS.pongMs / 1000} s`);
    });
  }

  return {
    get state() {
      return state;
    },
    maxFrameBytes: limits.maxBytes,
    get bufferedBytes() {
      return link.bufferedBytes;
    },
    connect() {
      if (state === 'connected') return Promise.resolve();
      return Promise.reject(new Error(`The connection of ${peer} has ended, and only the page can open another.`));
    },
    disconnect() {
      if (state === 'disconnected') return;
      link.close();
      end('disconnected by this side');
    },
    send(event) {
      link.sendText(JSON.stringify(event));
    },
    sendText(text) {
      link.sendText(text);
    },
    onEvent: (handler) => events.add(handler),
    onState: (handler) => states.add(handler),
  };
}
