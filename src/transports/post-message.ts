import { isJsonObject } from '../protocol/shape.js';
import * as LIMITS from '../protocol/limits.js';
import { createListenerSet } from '../protocol/listener-set.js';
import type { Release, Transport, TransportState } from '../protocol/ports.js';
import { randomId } from '../protocol/random-id.js';
import { setHostTimer } from '../protocol/timer.js';
import type { SetTimer } from '../protocol/timer.js';
import { warnOnce } from '../protocol/warn-once.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import { messageWay, portWay } from './message-target.js';
import type { MessageTarget, MessageWay, WindowOrigin } from './message-target.js';
import { createOpening } from './opening.js';
import type { Opening } from './opening.js';

export interface PostMessageTransportOptions {
  /** Which end this is: `page` (default), which has the surfaces, or `agent`. */
  readonly side?: 'page' | 'agent' | undefined;
  /** For a window: its exact origin, such as `https://app.example`. Messages of any other are ignored silently. */
  readonly targetOrigin?: string | undefined;
  /**
   * For a sandboxed window, which has no origin: it is known by its window alone, whatever document that shows. Nothing
   * but the handshake is posted to it; events go through a port that only the two ends hold. Default false.
   */
  readonly opaqueOrigin?: boolean | undefined;
  /** For a window: where this end gets its messages. Default: the global scope. */
  readonly receiver?: WindowOrigin['receiver'];
  /** Default: `setTimeout`. */
  readonly setTimer?: SetTimer | undefined;
}

const HANDSHAKE = 'oui-v1';
const ACK = 'oui-v1-ack';
/** Ours: this end has let go. A v1 peer ignores it. */
const BYE = 'oui-v1-bye';

interface Message {
  readonly __oui__: true;
  readonly event?: unknown;
  readonly handshake?: unknown;
  /** Ours: names one attempt to connect, so that a repeat of it is told from a document that started anew. */
  readonly id?: unknown;
  /** Ours: in a handshake `true`, when its sender takes a port; in an acknowledgment the port. */
  readonly port?: unknown;
}

/**
 * The protocol over `postMessage` (specification §8.3, PROTOCOL.md §1): between a page and the window that embeds it,
 * a worker and its page, or over a port. Page and agent use the same function, each with the other as `target`.
 *
 * The page's end announces itself until the agent's end acknowledges; then both move to a port of their own, which no
 * other script can read or use, unless one of them does not offer that. A document that is loaded anew announces
 * itself anew, which ends the connection of the one before it.
 *
 * @throws {TypeError} for a window without its exact origin, and for a target that is none.
 */
export function createPostMessageTransport(
  target: MessageTarget,
  options: PostMessageTransportOptions = {},
): Transport {
  const { side = 'page', targetOrigin, opaqueOrigin = false, receiver } = options;
  if (side !== 'page' && side !== 'agent') {
    throw new TypeError(`Option side is ${JSON.stringify(side)}; it must be "page" or "agent".`);
  }
  const setTimer = options.setTimer ?? setHostTimer;
  const way = messageWay(target, { targetOrigin, opaqueOrigin, receiver });
  const takesPort = way.isShared && typeof MessageChannel !== 'undefined';
  const events = createListenerSet<[message: unknown]>("A listener of a transport's onEvent");
  const states = createListenerSet<[state: TransportState, reason?: string]>("A listener of a transport's onState");
  let state: TransportState = 'disconnected';
  let wanted: Opening | undefined;
  let stopListening: Release = () => undefined;
  let stopAnnouncing: Release = () => undefined;
  /** Of the present attempt, or of the connection that came of it. */
  let id: unknown;
  let moved: { readonly way: MessageWay; release(): void } | undefined;

  const setState = (next: TransportState, reason?: string): void => {
    state = next;
    if (reason === undefined) states.emit(next);
    else states.emit(next, reason);
  };
  const isIn = (asked: TransportState): boolean => state === asked;

  const announce = (): void => {
    id = randomId();
    let wait: number = LIMITS.announceMinMs;
    const again = (): void => {
      way.post({ __oui__: true, handshake: HANDSHAKE, id, ...(takesPort && { port: true }) });
      stopAnnouncing = setTimer(wait, again);
      wait = Math.min(2 * wait, LIMITS.announceMaxMs);
    };
    again();
  };

  const opened = (port: MessagePort | undefined): void => {
    stopAnnouncing();
    if (port) moved = moveTo(port);
    state = 'connected';
    wanted?.resolve();
    states.emit('connected');
  };

  const moveTo = (port: MessagePort): NonNullable<typeof moved> => {
    const own = portWay(port as never);
    const release = own.listen(
      (data) => {
        const message = read(data);
        if (message?.handshake === BYE) lost('the other end let go');
        else if (message && Object.hasOwn(message, 'event')) events.emit(message.event);
      },
      () => lost('the other end is gone'),
    );
    return {
      way: own,
      release() {
        release();
        port.close();
      },
    };
  };

  /** The connection is over, and this end waits for the next one. */
  const lost = (reason: string): void => {
    if (!isIn('connected')) return;
    letGo();
    setState('disconnected', reason);
    if (wanted === undefined || !isIn('disconnected')) return;
    setState('connecting');
    if (side === 'page' && wanted !== undefined && isIn('connecting')) announce();
  };

  /** The port that was given is closed, and nothing comes after that. */
  const over = (): void => {
    if (isIn('disconnected')) return;
    stopAnnouncing();
    letGo();
    wanted?.reject(new Error('The other end is gone: its port is closed.'));
    setState('disconnected', 'the other end is gone');
  };

  const letGo = (): void => {
    moved?.release();
    moved = undefined;
    id = undefined;
  };

  const acknowledge = ({ id: theirs, port: offered }: Message): void => {
    if (way.isOpaque && (offered !== true || !takesPort)) {
      const message =
        'A window without an origin was not connected: its end takes no port, and nothing but a port keeps what is ' +
        'sent to it from others. Use createPostMessageTransport there too.';
      warnOnce(WARNINGS.PORT_NEEDED, message);
      return;
    }
    // It has not heard of the acknowledgment yet, which is on its way.
    if (isIn('connected') && theirs !== undefined && theirs === id) return;
    lost('the other end started anew');
    if (wanted === undefined) return;
    id = theirs;
    const echo = { __oui__: true, handshake: ACK, ...(theirs !== undefined && { id: theirs }) };
    if (offered === true && takesPort) {
      const { port1, port2 } = new MessageChannel();
      way.post({ ...echo, port: port2 }, [port2]);
      opened(port1);
    } else {
      way.post(echo);
      opened(undefined);
    }
  };

  const hear = (data: unknown, ports: readonly MessagePort[]): void => {
    const message = read(data);
    if (!message) return;
    if (side === 'agent' && message.handshake === HANDSHAKE) return acknowledge(message);
    if (side === 'page' && message.handshake === ACK) {
      const port = isPort(message.port) ? message.port : ports[0];
      // Of an earlier attempt; an end that speaks v1 names none.
      if (!isIn('connecting') || (message.id !== undefined && message.id !== id)) return;
      if (way.isOpaque && !port) return;
      return opened(port);
    }
    if (!isIn('connected') || moved) return;
    if (message.handshake === BYE) lost('the other end let go');
    else if (Object.hasOwn(message, 'event')) events.emit(message.event);
  };

  const post = (message: object): void => {
    if (isIn('connected')) (moved?.way ?? way).post(message);
  };

  return {
    get state() {
      return state;
    },
    maxFrameBytes: LIMITS.frameBytes,
    connect() {
      if (wanted !== undefined) return wanted.promise;
      const opening = createOpening();
      wanted = opening;
      stopListening = way.listen(hear, over);
      setState('connecting');
      if (side === 'page' && wanted === opening && isIn('connecting')) announce();
      return opening.promise;
    },
    disconnect() {
      if (wanted === undefined) return;
      wanted.reject(new Error('Disconnected by this side before the other end had answered.'));
      wanted = undefined;
      post({ __oui__: true, handshake: BYE });
      stopAnnouncing();
      stopListening();
      letGo();
      setState('disconnected', 'disconnected by this side');
    },
    reconnect(reason) {
      post({ __oui__: true, handshake: BYE });
      lost(reason);
    },
    send: (event) => post({ __oui__: true, event }),
    onEvent: (handler) => events.add(handler),
    onState: (handler) => states.add(handler),
  };
}

/** Anybody's messages arrive here, ours among them. */
function read(data: unknown): Message | undefined {
  const own = isJsonObject(data) && Object.hasOwn(data, '__oui__') && data['__oui__'] === true;
  return own ? (data as unknown as Message) : undefined;
}

function isPort(value: unknown): value is MessagePort {
  return typeof value === 'object' && value !== null && 'postMessage' in value && 'start' in value;
}
