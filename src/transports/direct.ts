import type { Transport, TransportState } from '../protocol/ports.js';
import { createListenerSet } from '../protocol/listener-set.js';
import type { ListenerSet } from '../protocol/listener-set.js';
import { createOpening } from './opening.js';
import type { Opening } from './opening.js';
import { readTextFrame } from './text-frames.js';

/** The two ends of an in-process connection. */
export interface DirectTransportPair {
  readonly page: Transport;
  readonly agent: Transport;
}

/** Nothing is copied over a network here, so no frame is too large. */
const UNLIMITED = { maxBytes: Infinity, closeBytes: Infinity };

interface End {
  state: TransportState;
  wanted: Opening | undefined;
  readonly events: ListenerSet<[message: unknown]>;
  readonly states: ListenerSet<[state: TransportState, reason?: string]>;
}

/**
 * Joins a page and an agent in one process (specification §8.4).
 *
 * Everything arrives in a later microtask, in order, and as a copy: each event crosses as JSON text. Both ends must
 * `connect`; the connection stands from then until either disconnects, and the other end then waits for its return.
 */
export function createDirectTransportPair(): DirectTransportPair {
  const later = createMicrotaskQueue();
  const page = createEnd();
  const agent = createEnd();

  const join = (): void => {
    const ends = [page, agent];
    if (!ends.every((end) => end.wanted !== undefined && end.state === 'connecting')) return;
    for (const end of ends) end.state = 'connected';
    for (const end of ends) {
      end.wanted?.resolve();
      // A listener of the first end may have disconnected it.
      if (end.state === 'connected') end.states.emit('connected');
    }
  };

  // In turn with the messages: the other end hears what was sent before, and has lost this connection before the next.
  const lose = (end: End): void => {
    if (end.state !== 'connected') return;
    end.state = 'disconnected';
    end.states.emit('disconnected', 'the other end disconnected');
    if (end.wanted === undefined || end.state !== 'disconnected') return;
    end.state = 'connecting';
    end.states.emit('connecting');
  };

  const transport = (own: End, other: End): Transport => {
    const sendText = (text: string): void => {
      if (own.state !== 'connected') return;
      later(() => {
        if (other.state !== 'connected') return;
        const reading = readTextFrame(text, UNLIMITED, 'the other end of a direct pair');
        if (reading.kind === 'message') other.events.emit(reading.message);
      });
    };
    return {
      get state() {
        return own.state;
      },
      connect() {
        if (own.wanted !== undefined) return own.wanted.promise;
        const joined = createOpening();
        own.wanted = joined;
        own.state = 'connecting';
        own.states.emit('connecting');
        later(join);
        return joined.promise;
      },
      disconnect() {
        if (own.wanted === undefined) return;
        own.wanted.reject(new Error('Disconnected by this side before the other end had connected.'));
        own.wanted = undefined;
        own.state = 'disconnected';
        later(() => lose(other));
        own.states.emit('disconnected', 'disconnected by this side');
      },
      maxFrameBytes: UNLIMITED.maxBytes,
      send: (event) => sendText(JSON.stringify(event)),
      sendText,
      onEvent: (handler) => own.events.add(handler),
      onState: (handler) => own.states.add(handler),
    };
  };

  return { page: transport(page, agent), agent: transport(agent, page) };
}

function createEnd(): End {
  return {
    state: 'disconnected',
    wanted: undefined,
    events: createListenerSet("A listener of a transport's onEvent"),
    states: createListenerSet("A listener of a transport's onState"),
  };
}

/** Runs what it is given in a later microtask, in order. */
function createMicrotaskQueue(): (task: () => void) => void {
  let tasks: (() => void)[] = [];
  const run = (): void => {
    const due = tasks;
    tasks = [];
    for (const task of due) task();
  };
  return (task) => {
    if (tasks.length === 0) queueMicrotask(run);
    tasks.push(task);
  };
}
