import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { createAcceptedWebSocketTransport } from '../../../src/transports/accepted-websocket.js';
import { startLoopbackServer } from './loopback-server.js';
import type { LoopbackServer } from './loopback-server.js';
import { createManualTimers } from './manual-timers.js';
import { recordTransport } from './transport-events.js';

const PING_MS = 30_000;
const PONG_MS = 10_000;
const MIB = 1024 * 1024;

describe('createAcceptedWebSocketTransport', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  let server: LoopbackServer;

  beforeEach(async () => {
    resetWarnings();
    warn.mockClear();
    server = await startLoopbackServer();
  });
  afterEach(() => server.close());

  const accept = async (clientOptions: { autoPong?: boolean } = {}) => {
    const client = new WebSocket(server.url, clientOptions);
    const socket = await server.accept();
    const timers = createManualTimers();
    const transport = createAcceptedWebSocketTransport(socket, { setTimer: timers.setTimer, peer: 'page 1' });
    if (client.readyState !== WebSocket.OPEN) await once(client, 'open');
    return { client, socket, timers, transport, record: recordTransport(transport) };
  };

  it('is connected from the start', async () => {
    const { transport, client, record } = await accept();
    expect(transport.state).toBe('connected');
    await transport.connect();
    transport.send({ type: 'x-oui:ping', payload: {} });
    const [data, isBinary] = await once(client, 'message');
    expect([String(data), isBinary]).toEqual(['{"type":"x-oui:ping","payload":{}}', false]);
    client.send('{"type":"x-oui:pong","payload":{}}');
    expect(await record.whenMessages(1)).toEqual([{ type: 'x-oui:pong', payload: {} }]);
    expect(transport.bufferedBytes).toBe(0);
    expect(transport.maxFrameBytes).toBe(MIB);
  });

  it('ignores binary, large and malformed frames, naming the peer', async () => {
    const { client, record } = await accept();
    client.send(Buffer.from('{}'), { binary: true });
    client.send('"' + 'a'.repeat(MIB) + '"');
    client.send('nonsense');
    client.send('{"type":"x-last"}');
    expect(await record.whenMessages(1)).toEqual([{ type: 'x-last' }]);
    expect(warn).toHaveBeenCalledTimes(3);
    expect(warn.mock.calls[0]?.[0]).toMatch(/^\[OUI1003\] A frame from page 1 was ignored/);
  });

  it('closes with 1009 after a frame over 4 MiB', async () => {
    const { client, socket, timers, record } = await accept();
    client.send('"' + 'a'.repeat(4 * MIB) + '"');
    expect((await once(client, 'close'))[0]).toBe(1009);
    if (socket.readyState !== WebSocket.CLOSED) await once(socket, 'close');
    expect(record.states).toEqual([
      { state: 'disconnected', reason: 'a frame of over 4194304 bytes came from page 1' },
    ]);
    expect(timers.waits()).toEqual([]);
  });

  it('pings every 30 s and is content with a pong', async () => {
    const { client, socket, timers, transport } = await accept();
    for (let round = 0; round < 3; round += 1) {
      expect(timers.waits()).toEqual([PING_MS]);
      const pinged = once(client, 'ping');
      const answered = once(socket, 'pong');
      timers.advance(PING_MS);
      await pinged;
      expect(timers.waits()).toEqual([PONG_MS]);
      await answered;
    }
    expect(transport.state).toBe('connected');
  });

  it('terminates a page that is silent for 10 s after a ping', async () => {
    const { client, timers, record } = await accept({ autoPong: false });
    const closed = once(client, 'close');
    timers.advance(PING_MS);
    timers.advance(PONG_MS - 1);
    expect(record.states).toEqual([]);
    timers.advance(1);
    expect(record.states).toEqual([{ state: 'disconnected', reason: 'page 1 did not answer a ping within 10 s' }]);
    // Cut, not closed: a dead peer answers no closing handshake.
    expect((await closed)[0]).toBe(1006);
    expect(timers.waits()).toEqual([]);
  });

  it('takes a message for an answer, since a pong may wait behind it', async () => {
    const { client, timers, record } = await accept({ autoPong: false });
    timers.advance(PING_MS);
    client.send('{"type":"x-late"}');
    await record.whenMessages(1);
    expect(timers.waits()).toEqual([PING_MS]);
  });

  it('reports the page going, and cannot be opened again', async () => {
    const { client, timers, transport, record } = await accept();
    client.close(1000, 'bye');
    expect(await record.whenState('disconnected')).toBe('the connection was closed: bye (1000)');
    expect(timers.waits()).toEqual([]);
    await expect(transport.connect()).rejects.toThrow(/only the page can open another/);
    transport.send({ type: 'x-oui:ping', payload: {} });
    transport.disconnect();
    expect(record.states).toHaveLength(1);
  });

  it('disconnects in the ordinary way, once', async () => {
    const { client, socket, timers, transport, record } = await accept();
    const closed = once(client, 'close');
    transport.disconnect();
    transport.disconnect();
    expect(['pong', 'message'].map((event) => socket.listenerCount(event))).toEqual([0, 0]);
    expect((await closed)[0]).toBe(1000);
    expect(record.states).toEqual([{ state: 'disconnected', reason: 'disconnected by this side' }]);
    expect(timers.waits()).toEqual([]);
  });

  it('serves a socket that cannot ping', async () => {
    const client = new WebSocket(server.url);
    const socket = await server.accept();
    const { readyState, bufferedAmount } = socket;
    const browserLike = {
      readyState,
      bufferedAmount,
      send: socket.send.bind(socket),
      close: socket.close.bind(socket),
      addEventListener: socket.addEventListener.bind(socket),
      removeEventListener: socket.removeEventListener.bind(socket),
    };
    const timers = createManualTimers();
    const transport = createAcceptedWebSocketTransport(browserLike, { setTimer: timers.setTimer });
    const record = recordTransport(transport);
    if (client.readyState !== WebSocket.OPEN) await once(client, 'open');
    client.send('{"type":"x-hi"}');
    expect(await record.whenMessages(1)).toEqual([{ type: 'x-hi' }]);
    expect(timers.waits()).toEqual([]);
    client.close();
    await record.whenState('disconnected');
  });

  it('says so when the socket was closed already', async () => {
    const client = new WebSocket(server.url);
    const socket = await server.accept();
    socket.terminate();
    await once(client, 'close');
    const transport = createAcceptedWebSocketTransport(socket);
    expect(transport.state).toBe('disconnected');
    await expect(transport.connect()).rejects.toThrow(/has ended/);
  });
});
