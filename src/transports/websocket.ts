import type { Release, Transport, TransportState } from '../protocol/ports.js';
import { setHostTimer } from '../protocol/timer.js';
import type { SetTimer } from '../protocol/timer.js';
import { warnOnce } from '../protocol/warn-once.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import { createBackoff } from './backoff.js';
import { createListenerSet } from '../protocol/listener-set.js';
import { createOpening } from './opening.js';
import type { Opening } from './opening.js';
import { createSocketLink, UNAUTHENTICATED } from './socket-link.js';
import type { SocketLink, WebSocketLike } from './socket-link.js';
import { frameLimits } from './text-frames.js';
import { askForToken } from './token-provider.js';
import type { TokenProvider } from './token-provider.js';
import { tokenProtocols } from './token-protocol.js';
import { checkWebSocketUrl } from './websocket-url.js';

export type WebSocketConstructor = new (url: string, protocols?: string[]) => WebSocketLike;

export interface WebSocketTransportOptions {
  /** Allows `ws:` to hosts other than this machine. Default false. */
  readonly insecure?: boolean | undefined;
  /**
   * Authenticates the page: called at each attempt to connect, and given 10 s. The token goes with the connection's
   * opening as a subprotocol, never in the URL. Without a provider no subprotocol is offered.
   */
  readonly token?: TokenProvider | undefined;
  /** Largest frame in bytes, each way. Default 1 MiB (specification §8.2.2). */
  readonly maxFrameBytes?: number | undefined;
  /** Default: the global one. On Node 20 pass that of the `ws` package. */
  readonly WebSocket?: WebSocketConstructor | undefined;
  /** Default: `setTimeout`. */
  readonly setTimer?: SetTimer | undefined;
  /** Spreads the waits. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Monotonic clock in ms. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}

/** An attempt without an answer is given up after this: a network that swallows packets reports nothing for minutes. */
const CONNECT_MS = 15_000;
/** A connection that stood this long was a good one. One that is closed at once must not be asked for every second. */
const LIVED_MS = 10_000;

/**
 * The page's end of the WebSocket binding (specification §8.2, PROTOCOL.md §1).
 *
 * It connects again by itself until `disconnect`: after 1 s, doubling to 30 s, with jitter, and from 1 s again after a
 * connection that stood for 10 s. `connect` resolves at the first connection, however many attempts that takes. It
 * rejects when `disconnect` comes first, and at once when the URL is refused (`OUI1007`), which is not tried again.
 *
 * @param url Absolute: `wss://…`, or `ws://…` to this machine, or to any with `insecure`.
 */
export function createWebSocketTransport(url: string, options: WebSocketTransportOptions = {}): Transport {
  const setTimer = options.setTimer ?? setHostTimer;
  const now = options.now ?? (() => performance.now());
  const limits = frameLimits(options.maxFrameBytes);
  const backoff = createBackoff(options.random ?? Math.random);
  const events = createListenerSet<[message: unknown]>("A listener of a transport's onEvent");
  const states = createListenerSet<[state: TransportState, reason?: string]>("A listener of a transport's onState");

  let state: TransportState = 'disconnected';
  let wanted: Opening | undefined;
  let link: SocketLink | undefined;
  let openedAt: number | undefined;
  let releaseTimer: Release = () => undefined;
  let withdrawToken: Release = () => undefined;

  const setState = (next: TransportState, reason?: string): void => {
    state = next;
    if (reason === undefined) states.emit(next);
    else states.emit(next, reason);
  };

  const end = (reason: Error): void => {
    wanted?.reject(reason);
    wanted = undefined;
    releaseTimer();
    withdrawToken();
    link = undefined;
    openedAt = undefined;
    backoff.reset();
    setState('disconnected', reason.message);
  };

  const refuse = (error: unknown): void => {
    const reason = error instanceof Error ? error : new Error(String(error));
    warnOnce(WARNINGS.URL_REFUSED, `Not connecting: ${reason.message}`);
    end(reason);
  };

  const open = (): void => {
    if (options.token === undefined) return openSocket();
    try {
      checkWebSocketUrl(url, options.insecure ?? false);
    } catch (error) {
      return refuse(error);
    }
    const attempt = wanted;
    setState('connecting');
    // A listener may have disconnected it, and have connected it again.
    if (wanted === undefined || wanted !== attempt) return;
    withdrawToken = askForToken(options.token, setTimer, (token) => openSocket(tokenProtocols(token)), (reason) => {
      const message = `Not connecting to ${url} now: ${reason}. Another token is asked for at the next attempt.`;
      warnOnce(WARNINGS.TOKEN_UNAVAILABLE, message, url);
      lose(reason);
    });
  };

  const openSocket = (protocols?: string[]): void => {
    let socket: WebSocketLike;
    try {
      checkWebSocketUrl(url, options.insecure ?? false);
      const WebSocket = socketConstructor(options.WebSocket);
      // A constructor that throws has refused for good: mixed content, a fragment in the URL.
      socket = protocols === undefined ? new WebSocket(url) : new WebSocket(url, protocols);
    } catch (error) {
      refuse(error);
      return;
    }
    link = createSocketLink(
      socket,
      {
        opened() {
          releaseTimer();
          openedAt = now();
          wanted?.resolve();
          setState('connected');
        },
        message: (message) => events.emit(message),
        closed(reason, code) {
          if (code === UNAUTHENTICATED) warnOnce(WARNINGS.TOKEN_REFUSED, `${url} refused this page: ${reason}.`, url);
          // It says no more than that, to a page.
          const mute = protocols !== undefined && openedAt === undefined && code === 1006;
          lose(mute ? `${reason}; a server that does not select the subprotocol oui.v1 ends it this way` : reason);
        },
      },
      limits,
      url,
    );
    releaseTimer = setTimer(CONNECT_MS, () => giveUp(`no answer from ${url} within ${CONNECT_MS / 1000} s`));
    if (state !== 'connecting') setState('connecting');
  };

  /** The connection is gone: says so, and opens another after a wait. */
  const lose = (reason: string): void => {
    releaseTimer();
    if (openedAt !== undefined && now() - openedAt >= LIVED_MS) backoff.reset();
    link = undefined;
    openedAt = undefined;
    releaseTimer = setTimer(backoff.next(), open);
    setState('disconnected', reason);
  };

  const giveUp = (reason: string): void => {
    if (link === undefined) return;
    link.abandon();
    lose(reason);
  };

  return {
    get state() {
      return state;
    },
    maxFrameBytes: limits.maxBytes,
    get bufferedBytes() {
      return link?.bufferedBytes ?? 0;
    },
    connect() {
      if (wanted !== undefined) return wanted.promise;
      const opening = createOpening();
      wanted = opening;
      open();
      return opening.promise;
    },
    disconnect() {
      if (wanted === undefined) return;
      link?.close();
      end(new Error(`Disconnected from ${url} by this side.`));
    },
    reconnect: giveUp,
    send(event) {
      link?.sendText(JSON.stringify(event));
    },
    sendText(text) {
      link?.sendText(text);
    },
    onEvent: (handler) => events.add(handler),
    onState: (handler) => states.add(handler),
  };
}

function socketConstructor(given: WebSocketConstructor | undefined): WebSocketConstructor {
  const found = given ?? (globalThis.WebSocket as WebSocketConstructor | undefined);
  if (found === undefined) {
    throw new Error('There is no global WebSocket here. Pass `WebSocket`, such as that of the `ws` package.');
  }
  return found;
}
