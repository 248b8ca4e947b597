import { EVENT, EXTENSION } from '../protocol/events.js';
import type { OUIEvent } from '../protocol/events.js';
import { isApplicationEvent, requestIdOf } from '../protocol/guards.js';
import * as LIMITS from '../protocol/limits.js';
import { createListenerSet } from '../protocol/listener-set.js';
import type { Transport, TransportState } from '../protocol/ports.js';
import { INCOMPLETE_REASON } from '../protocol/receipt-reasons.js';
import { warnOnce } from '../protocol/warn-once.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import { createOpening } from './opening.js';
import type { Opening } from './opening.js';
import { answer, PeerCallbacks, readVerdict } from './socket-callbacks.js';
import type { Verdict } from './socket-callbacks.js';
import { OwnListeners } from './socket-like.js';
import type { SocketLike, SocketListener } from './socket-like.js';

export interface SocketTransportOptions {
  /** What the names of all events begin with. Default `oui`. */
  readonly namespace?: string | undefined;
  /** Which end this is: `page` (default), or `agent` around the socket that a server got for a page. */
  readonly side?: 'page' | 'agent' | undefined;
  /**
   * Events of the application's own that are heard beside the protocol's, by names such as `x-app:note`: a socket has
   * names for its events, so each must be listened to. They arrive at the runtime's `onExtension`.
   */
  readonly extensions?: readonly string[] | undefined;
}

/** Events that have another name on a socket. All others keep theirs. */
const SOCKET_NAMES = new Map<string, string>([
  [EVENT.request, 'dispatch'],
  [EVENT.observation, 'observation'],
]);
const TO_PAGE: readonly string[] = [EVENT.request, EVENT.observationRequest];
const TO_AGENT: readonly string[] = [EVENT.register, EVENT.deregister, EVENT.result, EVENT.observation];
/** Receipts and acknowledgments are what the callbacks of requests and results are for. */
const BY_CALLBACK: readonly string[] = [EXTENSION.receipt, EXTENSION.ack];
const EXTENSIONS = Object.values(EXTENSION).filter((type) => !BY_CALLBACK.includes(type));

/**
 * The protocol over a Socket.IO-shaped socket of the application's own (PROTOCOL.md §1, Socket.IO). Page and agent use
 * the same function, each on its end of the socket.
 *
 * `connect` begins to listen and `disconnect` takes exactly those listeners away; the socket itself is neither
 * connected nor disconnected here. While it is offline, up to 100 events wait for it in order, with their
 * acknowledgment callbacks; of more the oldest are dropped, and that is reported (`OUI1701`).
 *
 * Receipts of requests and acknowledgments of results are the callbacks of those events; to the runtimes on top they
 * look like the extensions `x-oui:receipt` and `x-oui:ack`.
 *
 * @throws {TypeError} for a namespace or an extension that cannot be one.
 */
export function createSocketTransport(socket: SocketLike, options: SocketTransportOptions = {}): Transport {
  const { namespace = 'oui', side = 'page', extensions = [] } = options;
  checkOptions(namespace, side, extensions);
  const events = createListenerSet<[message: unknown]>("A listener of a transport's onEvent");
  const states = createListenerSet<[state: TransportState, reason?: string]>("A listener of a transport's onState");
  const listeners = new OwnListeners(socket);
  const callbacks = new PeerCallbacks();
  const heard = [...(side === 'page' ? TO_PAGE : TO_AGENT), ...EXTENSIONS, ...extensions];
  let state: TransportState = 'disconnected';
  let wanted: Opening | undefined;
  let waiting: OUIEvent[] = [];
  let outages = 0;

  const setState = (next: TransportState, reason?: string): void => {
    state = next;
    if (reason === undefined) states.emit(next);
    else states.emit(next, reason);
  };

  const isIn = (asked: TransportState): boolean => state === asked;

  const nameOf = (type: string): string => `${namespace}:${SOCKET_NAMES.get(type) ?? type}`;

  const opened = (): void => {
    if (wanted === undefined || state === 'connected') return;
    const due = waiting;
    waiting = [];
    state = 'connected';
    for (const event of due) write(event);
    wanted?.resolve();
    states.emit('connected');
  };

  const lost = (reason: unknown): void => {
    if (wanted === undefined || !isIn('connected')) return;
    callbacks.clear();
    outages += 1;
    setState('disconnected', `the socket was disconnected${typeof reason === 'string' ? `: ${reason}` : ''}`);
    // A listener may have let go of it, or it may be back.
    if (socket.connect !== undefined && wanted !== undefined && isIn('disconnected')) setState('connecting');
  };

  /** What the other end says to a frame of ours, as the extension that says the same elsewhere. */
  const heardVerdict = (event: (verdict: Verdict) => OUIEvent): SocketListener => {
    return (...args: unknown[]) => {
      const verdict = readVerdict(args);
      if (verdict !== undefined && wanted !== undefined) events.emit(event(verdict));
    };
  };

  const write = ({ type, payload }: OUIEvent): void => {
    const name = nameOf(type);
    if (type === EVENT.request) {
      const { requestId } = payload;
      const receipt = (verdict: Verdict): OUIEvent => ({ type: EXTENSION.receipt, payload: { requestId, ...verdict } });
      socket.emit(name, payload, heardVerdict(receipt));
    } else if (type === EVENT.result) {
      const { requestId, interim = false } = payload;
      const ack = (verdict: Verdict): OUIEvent => ({
        type: EXTENSION.ack,
        payload: { requestId, interim, ...verdict },
      });
      socket.emit(name, payload, heardVerdict(ack));
    } else {
      socket.emit(name, payload);
    }
  };

  const hold = (event: OUIEvent): void => {
    // Its sender may change it before it leaves.
    waiting.push(JSON.parse(JSON.stringify(event)) as OUIEvent);
    if (waiting.length <= LIMITS.offlineFrames) return;
    const dropped = waiting.shift()!;
    warnOnce(
      WARNINGS.OFFLINE_FRAMES_DROPPED,
      `More than ${LIMITS.offlineFrames} events wait for the socket of namespace "${namespace}" to connect: the ` +
        `oldest are dropped, the first of them "${nameOf(dropped.type)}". Send less while it is offline, or listen ` +
        'to onState and send again when it is connected.',
      `${namespace} ${outages}`,
    );
  };

  const receive = (type: string, args: readonly unknown[]): void => {
    // A socket may hand over what came with the connection before it tells of that.
    if (socket.connected !== false) opened();
    if (state !== 'connected') return;
    const last = args.at(-1);
    const callback = typeof last === 'function' ? (last as (verdict: Verdict) => void) : undefined;
    const payload = args[0] === last && callback ? undefined : args[0];
    const message = { type, payload };
    const requestId = requestIdOf(message);
    if (type === EVENT.request) {
      if (callback && requestId === undefined) answer(callback, { ok: false, reason: INCOMPLETE_REASON });
      else if (callback) callbacks.keep(requestId!, callback);
      events.emit(callback ? message : { ...message, receipt: false });
    } else if (type === EVENT.result) {
      if (callback && requestId !== undefined) callbacks.keep(resultKey(requestId, isInterim(payload)), callback);
      events.emit(message);
    } else {
      if (callback) answer(callback, { ok: true });
      events.emit(message);
    }
  };

  return {
    get state() {
      return state;
    },
    acknowledges: true,
    maxFrameBytes: LIMITS.socketIoFrameBytes,
    connect() {
      if (wanted !== undefined) return wanted.promise;
      const opening = createOpening();
      wanted = opening;
      listeners.add('connect', opened);
      listeners.add('disconnect', lost);
      for (const type of heard) listeners.add(nameOf(type), (...args: unknown[]) => receive(type, args));
      setState('connecting');
      if (socket.connected !== false) opened();
      return opening.promise;
    },
    disconnect() {
      if (wanted === undefined) return;
      wanted.reject(new Error('Disconnected by this side before the socket was connected.'));
      wanted = undefined;
      listeners.clear();
      callbacks.clear();
      waiting = [];
      setState('disconnected', 'disconnected by this side');
    },
    send(event) {
      if (event.type === EXTENSION.receipt) {
        const { requestId, ...verdict } = event.payload;
        callbacks.call(requestId, verdict);
      } else if (event.type === EXTENSION.ack) {
        const { requestId, interim, ...verdict } = event.payload;
        callbacks.call(resultKey(requestId, interim), verdict);
      } else if (state === 'connected') write(event);
      else if (wanted !== undefined) hold(event);
    },
    listen: (event, handler) => listeners.add(event, (payload) => handler(payload)),
    onEvent: (handler) => events.add(handler),
    onState: (handler) => states.add(handler),
  };
}

function resultKey(requestId: string, interim: boolean): string {
  return `${interim ? 'interim' : 'final'} ${requestId}`;
}

function isInterim(payload: unknown): boolean {
  return (payload as { readonly interim?: unknown } | undefined)?.interim === true;
}

function checkOptions(namespace: string, side: string, extensions: readonly string[]): void {
  if (typeof namespace !== 'string' || namespace === '') {
    throw new TypeError(`Option namespace is ${JSON.stringify(namespace)}; it must be a text, such as "oui".`);
  }
  if (side !== 'page' && side !== 'agent') {
    throw new TypeError(`Option side is ${JSON.stringify(side)}; it must be "page" or "agent".`);
  }
  const wrong = extensions.find((type) => !isApplicationEvent(type));
  if (wrong === undefined) return;
  throw new TypeError(
    `Option extensions has ${JSON.stringify(wrong)}; the application's own events begin with "x-", such as ` +
      '"x-app:note", and not with "x-oui:".',
  );
}
