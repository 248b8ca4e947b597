import { EVENT, EXTENSION } from '../protocol/events.js';
import { typeOf } from '../protocol/guards.js';
import * as LIMITS from '../protocol/limits.js';
import type { Transport } from '../protocol/ports.js';
import { valueUnits } from '../rules/value-units.js';

/** What these lead to is more than reading them: tools, hashes, and frames to the agent. */
const OF_SURFACES: ReadonlySet<string | undefined> = new Set([EVENT.register, EVENT.deregister, EXTENSION.hello]);

/**
 * A transport whose other end may not send more than a page can bear. What comes is weighed before anybody looks at it;
 * once it is too much nothing is handed on any more.
 *
 * @param flooded called once, when it is too much: the connection is the caller's to end
 * @param now ms on a clock that never steps back
 */
export function meteredTransport(
  inner: Transport,
  flooded: () => void,
  now: () => number = () => performance.now(),
): Transport {
  let left: number = LIMITS.pluginUnitsAtOnce;
  let at = now();
  let over = false;

  const take = (units: number): boolean => {
    if (over) return false;
    const time = now();
    left = Math.min(LIMITS.pluginUnitsAtOnce, left + ((time - at) / 1000) * LIMITS.pluginUnitsPerSecond) - units;
    at = time;
    if (left >= 0) return true;
    over = true;
    flooded();
    return false;
  };
  const unitsOf = (message: unknown): number => {
    const own = OF_SURFACES.has(typeOf(message)) ? LIMITS.pluginSurfaceUnits : LIMITS.pluginEventUnits;
    return own + valueUnits(message, LIMITS.pluginUnitsAtOnce);
  };

  return {
    get state() {
      return inner.state;
    },
    maxFrameBytes: inner.maxFrameBytes ?? LIMITS.frameBytes,
    acknowledges: inner.acknowledges ?? false,
    connect: () => inner.connect(),
    disconnect: () => inner.disconnect(),
    reconnect: (reason) => inner.reconnect?.(reason),
    send: (event) => inner.send(event),
    onEvent: (handler) =>
      inner.onEvent((message) => {
        if (take(unitsOf(message))) handler(message);
      }),
    onState: (handler) =>
      inner.onState((state, reason) => {
        if (state !== 'connected' || take(LIMITS.pluginSurfaceUnits)) handler(state, reason);
      }),
  };
}
