import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MockInstance } from 'vitest';
import type { Transport, TransportState } from '../../../src/protocol/ports.js';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { idle } from './hand-clock.js';
import { bench, mountedBench, surfaceOf } from './runtime-bench.js';

const surface = surfaceOf([{ id: 'go_on' }]);

class ScriptedTransport implements Transport {
  state: TransportState;
  bufferedBytes = 0;
  readonly sent: string[] = [];
  readonly connect = vi.fn(() => {
    this.become('connected');
    return Promise.resolve();
  });
  readonly disconnect = vi.fn(() => this.become('disconnected'));
  readonly reconnect = vi.fn();
  onMessage: ((message: unknown) => void) | undefined;
  #onState: ((state: TransportState, reason?: string) => void) | undefined;

  constructor(state: TransportState = 'connected') {
    this.state = state;
  }

  send(event: unknown): void {
    this.sent.push(JSON.stringify(event));
  }

  onEvent(handler: (message: unknown) => void) {
    this.onMessage = handler;
    return () => void (this.onMessage = undefined);
  }

  onState(handler: (state: TransportState, reason?: string) => void) {
    this.#onState = handler;
    return () => void (this.#onState = undefined);
  }

  become(state: TransportState, reason?: string): void {
    this.state = state;
    this.#onState?.(state, reason);
  }
}

const connections = ['connected', 'disconnected', 'message'];
let warn: MockInstance<typeof console.warn>;
beforeEach(() => {
  resetWarnings();
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => warn.mockRestore());

async function attached(transport = new ScriptedTransport()) {
  const made = await mountedBench(surface, { transport });
  const heard = () => made.host.inputs.filter(({ kind }) => connections.includes(kind));
  return { ...made, transport, heard };
}

describe('a transport of the page\'s own', () => {
  it('tells the engine what arrives, also while it is being opened, and carries its frames', async () => {
    const transport = new ScriptedTransport();
    const { runtime, worker } = bench({ transport });
    transport.onMessage!({ type: 'early' });
    await idle();
    const { host } = worker;
    expect(runtime.connection).toBe('connected');
    expect(host.batches[0]).toEqual(['configure', 'connected', 'message']);
    transport.onMessage!({ type: 'late' });
    host.play({ kind: 'send', connection: 1, type: 'action:result', payload: '{"requestId":"r1"}' });
    expect(transport.sent).toEqual(['{"type":"action:result","payload":{"requestId":"r1"}}']);
    expect(host.last('message')?.message).toEqual({ type: 'late' });
    host.play({ kind: 'reconnect', reason: 'no pong' });
    expect(transport.reconnect).toHaveBeenCalledWith('no pong');
  });

  it('uses sendText where there is one', async () => {
    const transport = new ScriptedTransport();
    const sendText = vi.fn();
    const { host } = await attached(Object.assign(transport, { sendText }));
    host.play({ kind: 'send', connection: 1, type: 'x-oui:ping', payload: '{}' });
    expect(sendText).toHaveBeenCalledExactlyOnceWith('{"type":"x-oui:ping","payload":{}}');
  });

  it('reports its connection, and drops what belongs to one that has ended', async () => {
    const { transport, heard, runtime, host, worker } = await attached();
    const states: unknown[] = [];
    runtime.subscribe((event) => event.type === 'connection' && states.push([event.state, event.reason]));
    transport.become('connecting', 'closed 1006');
    transport.become('connected');
    expect(heard().slice(1)).toMatchObject([{ kind: 'disconnected', reason: 'closed 1006' }, { kind: 'connected' }]);
    host.play({ kind: 'send', connection: 2, type: 'a', payload: '1' });
    transport.become('disconnected');
    host.play({ kind: 'send', connection: 2, type: 'b', payload: '2' });
    expect(transport.sent).toHaveLength(1);
    expect(states).toEqual([['connecting', 'closed 1006'], ['connected', undefined], ['disconnected', undefined]]);
    transport.become('connected');
    host.lose();
    transport.onMessage!({ type: 'stale' });
    transport.become('disconnected');
    await idle();
    expect(worker.host.kinds().filter((kind) => connections.includes(kind))).toEqual([]);
  });

  it('says hello again to a new engine', async () => {
    const { worker, host } = await attached();
    host.lose();
    await idle();
    expect(worker.host.kinds()).toEqual(['configure', 'mount', 'connected']);
  });

  it('is connected by whoever attaches it, and then disconnected', async () => {
    const closed = new ScriptedTransport('disconnected');
    const open = new ScriptedTransport('connected');
    const { runtime, heard } = await attached(closed);
    expect(closed.connect).toHaveBeenCalledTimes(1);
    runtime.attach(open);
    expect(closed.disconnect).toHaveBeenCalledTimes(1);
    expect(closed.onMessage).toBeUndefined();
    expect(open.connect).not.toHaveBeenCalled();
    runtime.attach(null);
    expect(open.disconnect).not.toHaveBeenCalled();
    expect(open.onMessage).toBeUndefined();
    expect(runtime.connection).toBe('disconnected');
    expect(heard().map(({ kind }) => kind)).toEqual(['connected', 'disconnected', 'connected', 'disconnected']);
  });

  it('is let go of at the very end of dispose, after the last answers', async () => {
    const { runtime, transport, host } = await attached(new ScriptedTransport('disconnected'));
    runtime.dispose();
    expect(transport.disconnect).not.toHaveBeenCalled();
    host.play({ kind: 'send', connection: 1, type: 'surface:deregister', payload: '{}' }, { kind: 'closed' });
    expect(transport.sent).toHaveLength(1);
    expect(transport.disconnect).toHaveBeenCalledTimes(1);
    expect(runtime.connection).toBe('disconnected');
  });

  it('that throws or cannot connect stops nothing', async () => {
    const transport = new ScriptedTransport('disconnected');
    transport.connect.mockImplementation(() => Promise.reject(new Error('refused')));
    const { runtime, host } = await attached(transport);
    expect(runtime.connection).toBe('disconnected');
    transport.become('connected');
    transport.send = () => {
      throw new Error('gone');
    };
    host.play({ kind: 'send', connection: 1, type: 'a', payload: '1' }, { kind: 'peer', software: null, features: [] });
    expect(warn.mock.calls[0]![0]).toMatch(/^\[OUI1009\].*gone/);
  });

  it('gets only the newest of each observation while it is behind, and that before anything else', async () => {
    const { transport, host, clock } = await attached();
    const update = (slot: string, n: number) =>
      host.play({ kind: 'send', connection: 1, type: 'observation:update', payload: String(n), slot });
    transport.bufferedBytes = 2 * 1024 * 1024;
    update('a', 1);
    update('b', 2);
    update('a', 3);
    expect(transport.sent).toEqual([]);
    host.play({ kind: 'send', connection: 1, type: 'action:result', payload: '4' });
    expect(transport.sent.map((text) => (JSON.parse(text) as { payload: number }).payload)).toEqual([2, 3, 4]);
    update('a', 5);
    await clock.advance(100);
    expect(transport.sent).toHaveLength(3);
    transport.bufferedBytes = 0;
    await clock.advance(100);
    expect(transport.sent).toHaveLength(4);
  });

  it('has its connections numbered; what is meant for another goes nowhere', async () => {
    const first = new ScriptedTransport();
    const { host, runtime } = await attached(first);
    const send = (connection?: number) =>
      host.play({ kind: 'send', type: 'x', payload: '1', ...(connection !== undefined && { connection }) });
    const second = new ScriptedTransport();
    runtime.attach(second);
    for (const connection of [1, 3, undefined]) send(connection);
    expect([first.sent, second.sent]).toEqual([[], []]);
    send(2);
    expect([first.sent.length, second.sent.length]).toEqual([0, 1]);
    second.become('connecting');
    second.become('connected');
    send(2);
    expect(second.sent).toHaveLength(1);
    expect(host.all('connected').map(({ connection }) => connection)).toEqual([1, 2, 3]);
  });

  it('is a fresh one until an engine has spoken over it, whichever engine that is', async () => {
    const { host, worker, runtime } = await attached();
    runtime.attach(new ScriptedTransport());
    host.lose();
    await idle();
    expect(worker.host.last('connected')).toEqual({ kind: 'connected', connection: 2, fresh: true });
    worker.host.play({ kind: 'send', connection: 2, type: 'x-oui:hello', payload: '{}' });
    worker.host.lose();
    await idle();
    expect(worker.host.last('connected')).toEqual({ kind: 'connected', connection: 2 });
  });

  it('says how long a frame it takes', async () => {
    const { host } = await attached(Object.assign(new ScriptedTransport(), { maxFrameBytes: 10_000 }));
    expect(host.last('connected')?.frameBytes).toBe(10_000);
  });

  it('that a listener attaches in place of one that just went stays', async () => {
    const { runtime, host } = await attached();
    const [outer, inner] = [new ScriptedTransport(), new ScriptedTransport()];
    const off = runtime.subscribe((event) => {
      if (event.type !== 'connection' || event.state !== 'disconnected') return;
      off();
      runtime.attach(inner);
    });
    runtime.attach(outer);
    expect(outer.onMessage).toBeUndefined();
    inner.onMessage!({ type: 'heard' });
    expect(host.all('message').map(({ message }) => message)).toEqual([{ type: 'heard' }]);
    expect(host.all('connected').map(({ connection }) => connection)).toEqual([1, 2]);
  });

  it('that a listener attaches while another is being connected stays', async () => {
    const { runtime, host } = await attached();
    const [outer, inner] = [new ScriptedTransport('disconnected'), new ScriptedTransport()];
    runtime.attach(null);
    const off = runtime.subscribe((event) => {
      if (event.type !== 'connection' || event.state !== 'connected') return;
      off();
      runtime.attach(inner);
    });
    runtime.attach(outer);
    expect(outer.disconnect).toHaveBeenCalledTimes(1);
    expect(outer.onMessage).toBeUndefined();
    host.play({ kind: 'send', connection: 3, type: 'x', payload: '1' });
    expect([outer.sent.length, inner.sent.length]).toEqual([0, 1]);
  });

  it('is refused beside a url', () => {
    const { runtime } = bench({ url: 'ws://localhost' });
    expect(() => runtime.attach(new ScriptedTransport())).toThrow(/one connection/);
  });
});
