import type { OUIEvent } from '../protocol/events.js';
import type { Transport } from '../protocol/ports.js';

/**
 * Holds back a fresh connection until its first event shows whose it is: a page that returns after a reload names its
 * `clientId` in its first frame, and must find the runtime that still waits for it.
 *
 * `decide` is called with each event until it takes one, by returning what shall be done with the connection. That
 * then gets a transport which delivers the event that was taken and everything after it.
 */
export function onFirstEvent(
  transport: Transport,
  decide: (message: unknown) => ((transport: Transport) => void) | undefined,
): void {
  const handlers = new Set<(message: unknown) => void>();
  let decided = false;
  transport.onEvent((message) => {
    if (!decided) {
      const take = decide(message);
      if (take === undefined) return;
      decided = true;
      take(gated);
    }
    for (const handler of [...handlers]) handler(message);
  });

  const gated: Transport = {
    get state() {
      return transport.state;
    },
    get bufferedBytes() {
      return transport.bufferedBytes ?? 0;
    },
    connect: () => transport.connect(),
    disconnect: () => transport.disconnect(),
    send: (event: OUIEvent) => transport.send(event),
    ...(transport.sendText === undefined ? {} : { sendText: (text: string) => transport.sendText?.(text) }),
    onState: (handler) => transport.onState(handler),
    onEvent(handler) {
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
  };
}
