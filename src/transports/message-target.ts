import type { Release } from '../protocol/ports.js';

/** Whatever messages are posted to: a window, a worker, a worker's own scope, or a port, also those of Electron. */
export interface MessageTarget {
  postMessage(message: unknown, ...rest: never[]): void;
}

/** One way to another end: messages to it, and those that came from it and from nobody else. */
export interface MessageWay {
  /** Whether it is worth moving to a port of one's own: other scripts can use this way too. */
  readonly isShared: boolean;
  /** Whether the other end has no origin by which to know it: then nothing but a handshake goes this way. */
  readonly isOpaque: boolean;
  post(message: object, transfer?: readonly MessagePort[]): void;
  /** @param ended Called when the way has ended, where that can be known. */
  listen(heard: (data: unknown, ports: readonly MessagePort[]) => void, ended: () => void): Release;
}

export interface WindowOrigin {
  /** The other window's origin, exact. */
  readonly targetOrigin: string | undefined;
  /** The other window has none: it is sandboxed. */
  readonly opaqueOrigin: boolean;
  /** Where this window gets its messages. Default: the global scope. */
  readonly receiver: EventSource | undefined;
}

interface EventSource {
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  removeEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

/** What ports, workers and scopes have of each other, in browsers, Node and Electron. */
interface PortLike {
  postMessage(message: unknown, transfer?: readonly MessagePort[]): void;
  start?(): void;
  addEventListener?(type: string, listener: (event: MessageEvent) => void): void;
  removeEventListener?(type: string, listener: (event: MessageEvent) => void): void;
  on?(type: string, listener: (event: unknown) => void): unknown;
  off?(type: string, listener: (event: unknown) => void): unknown;
}

interface WindowLike {
  postMessage(message: unknown, targetOrigin: string, transfer?: readonly MessagePort[]): void;
}

/**
 * The way to a target.
 *
 * @throws {TypeError} for a window without the origin by which to know it, and for what is no target.
 */
export function messageWay(target: MessageTarget, origin: WindowOrigin): MessageWay {
  if (typeof target?.postMessage !== 'function') {
    throw new TypeError('The target of postMessage must be a window, a worker or a port: it has no postMessage.');
  }
  // Of another origin's window, this is one of the few members that can be read.
  const isWindow = (target as { readonly window?: unknown }).window === target;
  return isWindow ? windowWay(target as unknown as WindowLike, origin) : portWay(target as unknown as PortLike);
}

/** A port is the trust: only who holds its other end can say anything through it. */
export function portWay(port: PortLike): MessageWay {
  return {
    isShared: port.addEventListener !== undefined && port.start === undefined,
    isOpaque: false,
    post: (message, transfer = []) => port.postMessage(message, transfer),
    listen(heard, ended) {
      if (port.addEventListener) {
        const onMessage = ({ data, ports }: MessageEvent): void => heard(data, ports ?? []);
        port.addEventListener('message', onMessage);
        port.addEventListener('close', ended);
        port.start?.();
        return () => {
          port.removeEventListener?.('message', onMessage);
          port.removeEventListener?.('close', ended);
        };
      }
      // Node's workers give the message itself, Electron's ports an event.
      const onMessage = (given: unknown): void => {
        const event = given as { readonly data?: unknown; readonly __oui__?: unknown } | null;
        heard(event?.__oui__ === undefined ? event?.data : event, []);
      };
      port.on?.('message', onMessage);
      port.on?.('close', ended);
      port.start?.();
      return () => {
        port.off?.('message', onMessage);
        port.off?.('close', ended);
      };
    },
  };
}

/** Anybody can post to a window: its origin and the window itself are checked, and others are ignored silently. */
function windowWay(target: WindowLike, { targetOrigin, opaqueOrigin, receiver }: WindowOrigin): MessageWay {
  const expected = expectedOrigin(targetOrigin, opaqueOrigin);
  const own = receiver ?? (globalThis as unknown as EventSource);
  return {
    isShared: true,
    isOpaque: opaqueOrigin,
    post: (message, transfer) => target.postMessage(message, opaqueOrigin ? '*' : expected, transfer),
    listen(heard) {
      const onMessage = (event: MessageEvent): void => {
        if (event.source !== (target as unknown) || event.origin !== expected) return;
        heard(event.data, event.ports);
      };
      own.addEventListener('message', onMessage);
      return () => own.removeEventListener('message', onMessage);
    },
  };
}

function expectedOrigin(targetOrigin: string | undefined, opaqueOrigin: boolean): string {
  if (opaqueOrigin) {
    if (targetOrigin === undefined) return 'null';
    throw new TypeError('A window with opaqueOrigin has no origin: leave targetOrigin out.');
  }
  if (targetOrigin !== undefined && isExactOrigin(targetOrigin)) return targetOrigin;
  throw new TypeError(
    `Option targetOrigin is ${JSON.stringify(targetOrigin)}; it must be the exact origin of the other window, such as ` +
      '"https://app.example", without a path, and never "*". A sandboxed window has none: say opaqueOrigin: true ' +
      'where its window alone is to be trusted.',
  );
}

function isExactOrigin(origin: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#*\s]+$/.test(origin)) return false;
  // Schemes of applications, such as capacitor://localhost, are no origins to `URL` everywhere.
  return !/^https?:/.test(origin) || (URL.canParse(origin) && new URL(origin).origin === origin);
}
