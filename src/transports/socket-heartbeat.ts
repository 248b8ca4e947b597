import * as LIMITS from '../protocol/limits.js';
import type { Release } from '../protocol/ports.js';
import type { SetTimer } from '../protocol/timer.js';

/** What a server's socket has beyond a browser's: control frames. `ws` has it. */
export interface PingableSocket {
  ping(): void;
  terminate(): void;
  on(event: 'pong' | 'message', listener: () => void): unknown;
  off(event: 'pong' | 'message', listener: () => void): unknown;
}

/** Whether a socket can send pings itself. */
export function isPingable(socket: object): socket is PingableSocket {
  return 'ping' in socket && typeof socket.ping === 'function' && 'terminate' in socket && 'on' in socket;
}

/**
 * Pings every 30 s, and reports a peer that was silent for 10 s after one (specification §8.2.5).
 * A message counts as an answer too: a pong may be waiting behind it.
 *
 * @param dead Called once; the heartbeat has stopped then.
 */
export function startSocketHeartbeat(socket: PingableSocket, setTimer: SetTimer, dead: () => void): Release {
  let releaseTimer: Release = () => undefined;
  let awaiting = false;

  const rest = (): void => {
    awaiting = false;
    releaseTimer = setTimer(LIMITS.pingMs, () => {
      awaiting = true;
      socket.ping();
      releaseTimer = setTimer(LIMITS.pongMs, () => {
        stop();
        dead();
      });
    });
  };
  const heard = (): void => {
    if (!awaiting) return;
    releaseTimer();
    rest();
  };
  const stop = (): void => {
    releaseTimer();
    socket.off('pong', heard);
    socket.off('message', heard);
  };

  socket.on('pong', heard);
  socket.on('message', heard);
  rest();
  return stop;
}
