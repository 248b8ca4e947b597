import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { createWebSocketTransport } from '../../../src/transports/websocket.js';
import type { WebSocketTransportOptions } from '../../../src/transports/websocket.js';
import { startLoopbackServer } from './loopback-server.js';
import type { LoopbackServer } from './loopback-server.js';
import { createManualTimers } from './manual-timers.js';
import { recordTransport } from './transport-events.js';

const MIB = 1024 * 1024;
const CONNECT_MS = 15_000;
/** The states of a transport that lost its connection once and found another. */
const ONCE_AGAIN = ['connecting', 'connected', 'disconnected', 'connecting', 'connected'];

describe('createWebSocketTransport', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  let server: LoopbackServer;
  const cleanups: (() => unknown)[] = [];

  beforeEach(async () => {
    resetWarnings();
    warn.mockClear();
    server = await startLoopbackServer();
    cleanups.push(() => server.close());
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  const open = (options: WebSocketTransportOptions = {}, url = server.url) => {
    const timers = createManualTimers();
    const transport = createWebSocketTransport(url, {
      WebSocket,
      setTimer: timers.setTimer,
      now: timers.now,
      random: () => 1,
      ...options,
    });
    cleanups.push(() => transport.disconnect());
    return { transport, timers, record: recordTransport(transport) };
  };
  const warnings = (): string[] => warn.mock.calls.map(([line]) => String(line));

  it('says how long a frame it takes', () => {
    expect(open().transport.maxFrameBytes).toBe(MIB);
    expect(open({ maxFrameBytes: 10_000 }).transport.maxFrameBytes).toBe(10_000);
  });

  it('connects, and resolves once connected', async () => {
    const { transport, timers, record } = open();
    expect(transport.state).toBe('disconnected');
    const connected = transport.connect();
    expect(transport.state).toBe('connecting');
    expect(transport.connect()).toBe(connected);
    await connected;
    expect(transport.state).toBe('connected');
    expect(record.states.map(({ state }) => state)).toEqual(['connecting', 'connected']);
    expect(timers.waits()).toEqual([]);
    expect(server.accepted).toBe(1);
  });

  it('sends each event as one text frame', async () => {
    const { transport } = open();
    await transport.connect();
    const peer = await server.accept();
    const frames: unknown[] = [];
    peer.on('message', (data, isBinary) => frames.push([isBinary, String(data)]));
    transport.send({ type: 'x-oui:ping', payload: {} });
    transport.sendText?.('{"type":"x-oui:pong","payload":{}}');
    await once(peer, 'message');
    if (frames.length < 2) await once(peer, 'message');
    expect(frames).toEqual([
      [false, '{"type":"x-oui:ping","payload":{}}'],
      [false, '{"type":"x-oui:pong","payload":{}}'],
    ]);
  });

  it('ignores binary frames, frames over 1 MiB and frames that are not JSON, and reads on', async () => {
    const { transport, record } = open();
    await transport.connect();
    const peer = await server.accept();
    peer.send(Buffer.from('{"type":"x-binary","payload":{}}'), { binary: true });
    peer.send('"' + 'a'.repeat(MIB) + '"');
    peer.send('nonsense');
    peer.send('{"type":"x-last","payload":{}}');
    expect(await record.whenMessages(1)).toEqual([{ type: 'x-last', payload: {} }]);
    expect(warnings().filter((line) => line.startsWith('[OUI1003]'))).toHaveLength(3);
    expect(transport.state).toBe('connected');
  });

  it('takes a frame of exactly the limit', async () => {
    const { transport, record } = open();
    await transport.connect();
    const text = '"' + 'a'.repeat(MIB - 2) + '"';
    (await server.accept()).send(text);
    expect(await record.whenMessages(1)).toEqual([text.slice(1, -1)]);
  });

  it('closes with 1009 after a frame over 4 MiB, and connects again', async () => {
    const { transport, timers, record } = open();
    await transport.connect();
    const peer = await server.accept();
    peer.send('"' + 'a'.repeat(4 * MIB) + '"');
    const [code] = await once(peer, 'close');
    expect(code).toBe(1009);
    await record.whenState('disconnected');
    expect(record.states.at(-1)?.reason).toMatch(/over 4194304 bytes/);
    timers.advance(1000);
    await record.whenState('connected');
    expect(server.accepted).toBe(2);
    expect(record.states.map(({ state }) => state)).toEqual(ONCE_AGAIN);
  });

  it('does not send a frame over the limit', async () => {
    const { transport } = open({ maxFrameBytes: 100 });
    await transport.connect();
    const peer = await server.accept();
    transport.sendText?.('{"type":"x-large","payload":"' + 'a'.repeat(100) + '"}');
    transport.sendText?.('{"type":"x-small"}');
    const [data] = await once(peer, 'message');
    expect(String(data)).toBe('{"type":"x-small"}');
    expect(warnings()[0]).toMatch(/^\[OUI1301\] A frame of type "x-large"/);
  });

  it('drops what is sent while it is not connected', async () => {
    const { transport } = open();
    transport.send({ type: 'x-oui:ping', payload: {} });
    const connected = transport.connect();
    transport.send({ type: 'x-oui:ping', payload: {} });
    await connected;
    transport.sendText?.('{"type":"x-first"}');
    const peer = await server.accept();
    const [data] = await once(peer, 'message');
    expect(String(data)).toBe('{"type":"x-first"}');
    expect(transport.bufferedBytes).toBe(0);
  });

  it('refuses an insecure URL: rejects, stays disconnected, warns, and opens nothing', async () => {
    const opened = vi.fn();
    class Watched extends WebSocket {
      constructor(url: string) {
        opened();
        super(url);
      }
    }
    const { transport, timers, record } = open({ WebSocket: Watched }, 'ws://agent.example/oui/v1');
    await expect(transport.connect()).rejects.toThrow(/not encrypted/);
    expect(transport.state).toBe('disconnected');
    expect(record.states).toEqual([
      { state: 'disconnected', reason: expect.stringMatching(/not encrypted/) as unknown },
    ]);
    expect(timers.waits()).toEqual([]);
    expect(opened).not.toHaveBeenCalled();
    expect(warnings()[0]).toMatch(/^\[OUI1007\] Not connecting: "ws:\/\/agent\.example/);
  });

  it('takes a constructor that throws for a refusal', async () => {
    const { transport } = open({}, `${server.url}#fragment`);
    await expect(transport.connect()).rejects.toThrow(/fragment/i);
    expect(transport.state).toBe('disconnected');
  });

  it('says what to do where there is no WebSocket', async () => {
    vi.stubGlobal('WebSocket', undefined);
    cleanups.push(() => vi.unstubAllGlobals());
    await expect(createWebSocketTransport(server.url).connect()).rejects.toThrow(/Pass `WebSocket`/);
  });

  it('waits 1, 2, 4, … 30 s between attempts while nothing answers', async () => {
    const { transport, timers, record } = open();
    await server.close();
    server = await startLoopbackServer();
    void transport.connect();
    for (const wait of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      await timers.whenSet(wait);
      expect(transport.state).toBe('disconnected');
      expect(timers.waits()).toEqual([wait]);
      timers.advance(wait);
      expect(transport.state).toBe('connecting');
    }
    expect(record.states.filter(({ state }) => state === 'disconnected').map(({ reason }) => reason)).toContain(
      'the connection failed or was cut (1006)',
    );
  });

  it('spreads the waits over the upper half of each step', async () => {
    const { transport, timers } = open({ random: () => 0 });
    await transport.connect();
    (await server.accept()).close();
    await timers.whenSet(500);
  });

  it('begins again at 1 s after a connection that stood for 10 s, and only then', async () => {
    const { transport, timers, record } = open();
    await transport.connect();
    (await server.accept()).close(1001, 'restarting');
    await timers.whenSet(1000);
    expect(record.states.at(-1)).toEqual({
      state: 'disconnected',
      reason: 'the connection was closed: restarting (1001)',
    });
    timers.advance(1000);
    await record.whenState('connected');
    timers.advance(9000);
    (await server.accept()).close();
    await timers.whenSet(2000);
    timers.advance(2000);
    await record.whenState('connected');
    timers.advance(10_000);
    (await server.accept()).close();
    await timers.whenSet(1000);
  });

  it('resolves connect at the first connection, however many attempts it takes', async () => {
    const { port, url } = server;
    await server.close();
    const { transport, timers } = open({}, url);
    const connected = transport.connect();
    await timers.whenSet(1000);
    server = await startLoopbackServer(port);
    timers.advance(1000);
    await connected;
    expect(transport.state).toBe('connected');
  });

  it('gives up an attempt that nobody answers', async () => {
    // Accepts the TCP connection and never says a word.
    const silent = createServer();
    const sockets: Socket[] = [];
    silent.on('connection', (socket) => sockets.push(socket));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    cleanups.push(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const { transport, timers, record } = open({}, `ws://127.0.0.1:${(silent.address() as AddressInfo).port}/`);
    void transport.connect();
    expect(timers.waits()).toEqual([CONNECT_MS]);
    timers.advance(CONNECT_MS);
    expect(record.states.at(-1)?.state).toBe('disconnected');
    expect(record.states.at(-1)?.reason).toMatch(/no answer .* within 15 s/);
    expect(timers.waits()).toEqual([1000]);
  });

  it('reconnects on demand without waiting for the dead peer', async () => {
    const { transport, timers, record } = open();
    await transport.connect();
    const peer = await server.accept();
    // The peer reads nothing any more, so a closing handshake would never end.
    peer.pause();
    transport.reconnect?.('no pong');
    expect(record.states.at(-1)).toEqual({ state: 'disconnected', reason: 'no pong' });
    transport.reconnect?.('again');
    expect(timers.waits()).toEqual([1000]);
    timers.advance(1000);
    await record.whenState('connected');
    peer.terminate();
    (await server.accept()).send('{"type":"x-new"}');
    expect(await record.whenMessages(1)).toEqual([{ type: 'x-new' }]);
    // The old connection's end, which came meanwhile, changed nothing.
    expect(record.states.map(({ state }) => state)).toEqual(ONCE_AGAIN);
    expect(timers.waits()).toEqual([]);
  });

  it('stops everything on disconnect, twice', async () => {
    const { transport, timers, record } = open();
    await transport.connect();
    const peer = await server.accept();
    const closed = once(peer, 'close');
    transport.disconnect();
    transport.disconnect();
    transport.reconnect?.('no pong');
    expect((await closed)[0]).toBe(1000);
    expect(record.states.map(({ state }) => state)).toEqual(['connecting', 'connected', 'disconnected']);
    expect(timers.waits()).toEqual([]);
  });

  it('rejects a connect that disconnect overtakes, and can be opened again', async () => {
    const { transport, timers } = open();
    const connected = transport.connect();
    transport.disconnect();
    await expect(connected).rejects.toThrow(/by this side/);
    expect(timers.waits()).toEqual([]);
    await transport.connect();
    expect(transport.state).toBe('connected');
  });

  it('stops waiting for the next attempt on disconnect', async () => {
    const { transport, timers } = open();
    await transport.connect();
    (await server.accept()).close();
    await timers.whenSet(1000);
    transport.disconnect();
    expect(timers.waits()).toEqual([]);
    expect(transport.state).toBe('disconnected');
  });
});
