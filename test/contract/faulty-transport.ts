import type { OUIEvent } from '../../src/protocol/events.js';
import type { Transport } from '../../src/protocol/ports.js';

/** What a bad network does at the moment. */
export interface Faults {
  /** How many frames in a hundred are lost, hellos and what announces surfaces aside. */
  loss: number;
  /** So many turns of the event loop a frame is late, at most. */
  delay: number;
  /** From 0 up to 1. */
  random(): number;
}

const LOSABLE = ['action:request', 'action:result', 'observation:update', 'x-oui:receipt', 'x-oui:ack'];

/** A transport over a bad network. Frames of one connection stay in order, and none outlives its connection. */
export function faultyTransport(transport: Transport, faults: Faults): Transport {
  let connection = 0;
  transport.onState(() => (connection += 1));
  const handlers = new Set<(message: unknown) => void>();
  let line = Promise.resolve();
  transport.onEvent((message) => {
    const at = connection;
    const turns = Math.floor(faults.random() * (faults.delay + 1));
    line = line.then(async () => {
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
      if (at !== connection) return;
      for (const handler of [...handlers]) handler(message);
    });
  });
  return {
    get state() {
      return transport.state;
    },
    ...(transport.acknowledges && { acknowledges: true }),
    ...(transport.maxFrameBytes !== undefined && { maxFrameBytes: transport.maxFrameBytes }),
    ...(transport.reconnect && { reconnect: (reason: string) => transport.reconnect!(reason) }),
    ...(transport.listen && { listen: (event: string, handler: (payload: unknown) => void) => transport.listen!(event, handler) }),
    connect: () => transport.connect(),
    disconnect: () => transport.disconnect(),
    send(event: OUIEvent) {
      if (LOSABLE.includes(event.type) && faults.random() * 100 < faults.loss) return;
      transport.send(event);
    },
    onEvent(handler) {
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    onState: (handler) => transport.onState(handler),
  };
}

/** The same faults each time: a small generator with a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
