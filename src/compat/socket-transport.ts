import { createListenerSet } from '../protocol/listener-set.js';
import type { Release } from '../protocol/ports.js';
import { INCOMPLETE_REASON } from '../protocol/receipt-reasons.js';
import { isJsonObject } from '../protocol/shape.js';
import { warnOnce } from '../protocol/warn-once.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import * as LIMITS from '../protocol/limits.js';
import { OwnListeners } from '../transports/socket-like.js';
import type { SocketLike } from '../transports/socket-like.js';
import type { OUIAcknowledgment, OUITransport, OUITransportConfig } from './transport-types.js';
import type { OUIActionApproval, OUIActionRequest } from './wire-types.js';

type Callback = (said: unknown) => void;

const CONNECT_MS = 10_000;

/**
 * Both ends of the wire over a Socket.IO-shaped socket, by hand and without a runtime: `oui-spec`'s names for it. Frames
 * wait, in order and with their callbacks, while the socket is offline; those that there is no room for are reported
 * (`OUI1701`).
 */
export function createWebSocketTransport(socket: SocketLike, config: OUITransportConfig = {}): OUITransport {
  const { namespace = 'oui', connectTimeoutMs = CONNECT_MS, bufferWhileDisconnected = true } = config;
  const { maxBufferSize = LIMITS.offlineFrames } = config;
  const listeners = new OwnListeners(socket);
  const changes = createListenerSet<[connected: boolean]>('A listener of onConnectionChange');
  let waiting: (readonly unknown[])[] = [];
  let connected = socket.connected ?? false;

  const nameOf = (event: string): string => `${namespace}:${event}`;
  const listen = <T>(event: string, handler: (payload: T, callback: Callback | undefined) => void): Release =>
    listeners.add(nameOf(event), (payload: T, callback: unknown) => {
      handler(payload, typeof callback === 'function' ? (callback as Callback) : undefined);
    });
  const emit = (event: string, ...args: unknown[]): void => {
    const frame = [nameOf(event), ...args];
    if (connected) socket.emit(...(frame as [string]));
    else if (bufferWhileDisconnected && waiting.length < maxBufferSize) waiting.push(frame);
    else {
      const room = bufferWhileDisconnected ? `${maxBufferSize} frames wait already` : 'frames do not wait for it';
      const message = `The socket is offline and ${room}: "${nameOf(event)}" was dropped.`;
      warnOnce(WARNINGS.OFFLINE_FRAMES_DROPPED, message);
    }
  };

  listeners.add('connect', () => {
    connected = true;
    const due = waiting;
    waiting = [];
    for (const frame of due) socket.emit(...(frame as [string]));
    changes.emit(true);
  });
  listeners.add('disconnect', () => {
    connected = false;
    changes.emit(false);
  });

  return {
    dispatch: (request) => emit('dispatch', request),
    onAction: (handler) =>
      listen('dispatch', (sent, receipt) => {
        const request = readRequest(sent);
        if (request) return handler(request, receipt);
        warnOnce(WARNINGS.FRAME_IGNORED, `A request was refused: ${INCOMPLETE_REASON}.`);
        receipt?.({ ok: false, reason: INCOMPLETE_REASON });
      }),
    sendResult(result, onAcknowledged) {
      if (!onAcknowledged) return emit('action:result', result);
      emit('action:result', result, (said: unknown) => {
        const acknowledgment = readAcknowledgment(said);
        if (acknowledgment) onAcknowledged(acknowledgment);
      });
    },
    onResult: (handler) => listen('action:result', handler),
    pushObservation: (update) => emit('observation', update),
    onObservation: (handler) => listen('observation', handler),
    registerSurface: (surface) => emit('surface:register', { surface, timestamp: Date.now() }),
    deregisterSurface: (surfaceId) => emit('surface:deregister', { surfaceId, timestamp: Date.now() }),
    onSurfaceRegister: (handler) =>
      listen('surface:register', ({ surface }: { surface: Parameters<typeof handler>[0] }) => handler(surface)),
    onSurfaceDeregister: (handler) =>
      listen('surface:deregister', ({ surfaceId }: { surfaceId: string }) => handler(surfaceId)),
    get connected() {
      return connected;
    },
    connect() {
      if (connected) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const release = listeners.add('connect', () => {
          clearTimeout(timer);
          release();
          resolve();
        });
        const timer = setTimeout(() => {
          release();
          reject(new Error(`The socket was not connected within ${connectTimeoutMs} ms (connectTimeoutMs).`));
        }, connectTimeoutMs);
        socket.connect?.();
      });
    },
    disconnect: () => void socket.disconnect?.(),
    onConnectionChange: (handler) => changes.add(handler),
    dispose() {
      listeners.clear();
      changes.clear();
      waiting = [];
    },
  };
}

const isId = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** What of a request the wire knows, sound or not there at all. */
function readRequest(sent: unknown): OUIActionRequest | undefined {
  const { requestId, surfaceId, actionId, params, timestamp, turnId, approval, knownSurfaces } = (sent ?? {}) as {
    readonly [member: string]: unknown;
  };
  if (!isId(requestId) || typeof surfaceId !== 'string' || typeof actionId !== 'string') return undefined;
  return {
    requestId,
    surfaceId,
    actionId,
    params: (params ?? {}) as Record<string, unknown>,
    timestamp: typeof timestamp === 'number' ? timestamp : Date.now(),
    ...(isApproval(approval) && { approval: { approvalId: approval.approvalId, argsHash: approval.argsHash } }),
    ...(isId(knownSurfaces) && { knownSurfaces }),
    ...(isId(turnId) && { turnId }),
  };
}

function isApproval(value: unknown): value is OUIActionApproval {
  return isJsonObject(value) && isId(value['approvalId']) && typeof value['argsHash'] === 'string';
}

function readAcknowledgment(said: unknown): OUIAcknowledgment | undefined {
  if (!isJsonObject(said) || typeof said['ok'] !== 'boolean') return undefined;
  if (said['ok']) return { ok: true };
  return { ok: false, reason: [said['error'], said['reason']].find(isId) ?? 'refused' };
}
