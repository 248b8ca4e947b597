import { createAgentRuntime } from '../agent/agent-runtime.js';
import { SOCKET_OPEN } from '../transports/socket-link.js';
import type { WebSocketLike } from '../transports/socket-link.js';
import { createAcceptedWebSocketTransport } from '../transports/accepted-websocket.js';
import { createLinearValidator } from '../validation/linear.js';
import { realTime } from './event-loop.js';
import { createTestFace } from './test-agent.js';
import type { TestAgent } from './test-agent.js';
import { untilKnown } from './until-known.js';

/** What is used of Playwright's `Page`; its `BrowserContext` has it too. */
export interface RoutablePage {
  routeWebSocket(url: (url: URL) => boolean, handler: (route: SocketRoute) => void): Promise<void>;
  route(url: RegExp, handler: (route: FileRoute) => Promise<void>): Promise<unknown>;
}

/** What is used of Playwright's `WebSocketRoute`. */
export interface SocketRoute {
  send(message: string): void;
  close(options?: { code?: number; reason?: string }): Promise<void>;
  onMessage(handler: (message: string | Uint8Array) => void): void;
  onClose(handler: (code: number | undefined, reason: string | undefined) => void): void;
}

/** What is used of Playwright's `Route`. */
export interface FileRoute {
  abort(errorCode?: string): Promise<void>;
}

export interface BrowserTestAgentOptions {
  /**
   * The path of the addresses at which the page looks for its agent. Connections to it come here, whatever server they
   * name. Default `/oui/v1`.
   */
  readonly path?: string;
  /** How long a call waits for its surface, and `until` for its value, real ms. Default 5,000. */
  readonly waitMs?: number;
}

const WAIT_MS = 5_000;

/**
 * The agent of a page in a real browser, through Playwright: the page connects as it always does, by `url`, and the
 * connection ends in the test. To be called before the page is opened. Reloads and links are followed.
 *
 * Playwright sees no connections of workers, so the worker script is refused and the engine runs in the page; its
 * console says so once (`OUI1001`).
 */
export async function createBrowserTestAgent(
  page: RoutablePage,
  { path = '/oui/v1', waitMs = WAIT_MS }: BrowserTestAgentOptions = {},
): Promise<TestAgent> {
  const agent = createAgentRuntime({ validator: createLinearValidator(), software: 'oui-elements-testing' });
  let disposed = false;
  await page.route(/\/oui\.worker[^/]*\.js(\?|$)/, (route) => route.abort());
  await page.routeWebSocket(({ pathname }) => pathname === path, (route) => {
    if (disposed) return void route.close();
    agent.attach(createAcceptedWebSocketTransport(socketOf(route), { peer: 'the page under test' }));
  });
  const face = createTestFace(agent, {
    untilMs: waitMs,
    afterMs: realTime,
    during: (promise) => promise,
    untilKnown: (known) => untilKnown(agent, known, waitMs),
  });
  return {
    ...face,
    dispose() {
      disposed = true;
      face.dispose();
    },
  };
}

type Listener = (event: never) => void;

/** A routed connection as a socket that is open. */
function socketOf(route: SocketRoute): WebSocketLike {
  const listeners = new Map<string, Set<Listener>>();
  const emit = (type: string, event: object): void => {
    for (const listener of listeners.get(type) ?? []) listener(event as never);
  };
  let readyState = SOCKET_OPEN;
  const ended = (code: number, reason: string): void => {
    if (readyState !== SOCKET_OPEN) return;
    readyState = SOCKET_OPEN + 2;
    emit('close', { code, reason });
  };
  route.onMessage((data) => emit('message', { data }));
  route.onClose((code, reason) => ended(code ?? 1005, reason ?? ''));
  return {
    get readyState() {
      return readyState;
    },
    bufferedAmount: 0,
    send: (text) => route.send(text),
    close(code, reason) {
      void route.close({ ...(code !== undefined && { code }), ...(reason !== undefined && { reason }) });
      ended(code ?? 1005, reason ?? '');
    },
    addEventListener(type: string, listener: Listener) {
      const set = listeners.get(type) ?? new Set();
      listeners.set(type, set.add(listener));
    },
    removeEventListener(type: string, listener: Listener) {
      listeners.get(type)?.delete(listener);
    },
  };
}
