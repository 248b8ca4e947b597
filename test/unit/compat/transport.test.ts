import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDirectTransportPair } from '../../../src/compat/direct-pair.js';
import { createWebSocketTransport } from '../../../src/compat/socket-transport.js';
import type { OUITransportConfig } from '../../../src/compat/transport-types.js';
import type { OUIActionRequest, OUIActionResult } from '../../../src/compat/wire-types.js';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { createSocketPair } from '../transports/socket-pair.js';

const warn = vi.spyOn(console, 'warn');
beforeEach(() => {
  vi.useFakeTimers();
  resetWarnings();
  warn.mockReset().mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
});
const arrive = async (): Promise<void> => void (await vi.advanceTimersByTimeAsync(0));

const request: OUIActionRequest = { requestId: 'r1', surfaceId: 's', actionId: 'a', params: {}, timestamp: 1 };
const result: OUIActionResult = { requestId: 'r1', success: true, timestamp: 1 };
const update = { surfaceId: 's', observationId: 'o', value: 1, timestamp: 1 };
const surface = { id: 's', name: 'S', description: 'D', actions: [] };

function ends(config: OUITransportConfig = {}) {
  const pair = createSocketPair();
  const client = createWebSocketTransport(pair.client, config);
  const socket = pair.connect();
  return { pair, socket, client, server: createWebSocketTransport(socket, config) };
}

describe('createWebSocketTransport', () => {
  it('carries each kind of frame from one end to the other, under the namespace', async () => {
    const { client, server, socket, pair } = ends({ namespace: 'studio' });
    const heard: unknown[] = [];
    client.onAction((sent) => void heard.push(sent));
    server.onResult((sent) => void heard.push(sent));
    server.onObservation((sent) => void heard.push(sent));
    server.onSurfaceRegister((sent) => void heard.push(sent));
    server.onSurfaceDeregister((sent) => void heard.push(sent));
    server.dispatch({ ...request, turnId: 't1', knownSurfaces: 'h', approval: { approvalId: 'a1', argsHash: 'x' } });
    client.sendResult(result);
    client.pushObservation(update);
    client.registerSurface(surface);
    client.deregisterSurface('s');
    await arrive();
    const whole = { ...request, turnId: 't1', knownSurfaces: 'h', approval: { approvalId: 'a1', argsHash: 'x' } };
    expect(heard).toEqual([whole, result, update, surface, 's']);
    expect([...socket.emitted, ...pair.client.emitted].map(({ event }) => event)).toEqual([
      'studio:dispatch', 'studio:action:result', 'studio:observation', 'studio:surface:register', 'studio:surface:deregister',
    ]);
  });

  it('hands over receipts, and acknowledgments that are some', async () => {
    const { client, server, socket } = ends();
    client.onAction((_request, receipt) => receipt?.({ ok: true }));
    const receipt = vi.fn();
    socket.emit('oui:dispatch', request, receipt);
    const answers: unknown[] = [{ ok: true }, { ok: false, error: 'too large' }, { ok: false, reason: 'no' }, { ok: false }, 'yes', null];
    socket.on('oui:action:result', (_result: unknown, acknowledge?: (said: unknown) => void) => acknowledge?.(answers.shift()));
    const heard: unknown[] = [];
    for (const _ of [...answers]) client.sendResult(result, (acknowledgment) => heard.push(acknowledgment));
    await arrive();
    expect(receipt).toHaveBeenCalledExactlyOnceWith({ ok: true });
    expect(heard).toEqual([
      { ok: true }, { ok: false, reason: 'too large' }, { ok: false, reason: 'no' }, { ok: false, reason: 'refused' },
    ]);
    server.dispose();
  });

  it('refuses a request that cannot be answered, and fills in what may be missing', async () => {
    const { client, socket } = ends();
    const handler = vi.fn();
    client.onAction(handler);
    const receipt = vi.fn();
    for (const broken of [{ ...request, requestId: '' }, { ...request, actionId: 7 }, undefined]) {
      socket.emit('oui:dispatch', broken, receipt);
    }
    socket.emit('oui:dispatch', { requestId: 'r2', surfaceId: 's', actionId: 'a', approval: 'yes', turnId: '' });
    await arrive();
    expect(receipt).toHaveBeenCalledTimes(3);
    expect(receipt).toHaveBeenLastCalledWith({ ok: false, reason: 'a request needs requestId, surfaceId and actionId' });
    const filled = { requestId: 'r2', surfaceId: 's', actionId: 'a', params: {}, timestamp: Date.now() };
    expect(handler.mock.calls).toEqual([[filled, undefined]]);
  });

  it('keeps frames in order while the socket is offline, and says which there was no room for', async () => {
    const pair = createSocketPair();
    const client = createWebSocketTransport(pair.client, { maxBufferSize: 2 });
    const acknowledged = vi.fn();
    client.sendResult(result, acknowledged);
    client.pushObservation(update);
    client.pushObservation({ ...update, value: 2 });
    expect(warn.mock.calls.flat().join()).toContain('[OUI1701]');
    const changed = vi.fn();
    client.onConnectionChange(changed);
    pair.connect().on('oui:action:result', (_result: unknown, acknowledge?: (said: unknown) => void) => acknowledge?.({ ok: true }));
    await arrive();
    expect(pair.client.emitted.map(({ event }) => event)).toEqual(['oui:action:result', 'oui:observation']);
    expect(acknowledged).toHaveBeenCalledExactlyOnceWith({ ok: true });
    pair.disconnect();
    expect(changed.mock.calls).toEqual([[true], [false]]);
    const unbuffered = createWebSocketTransport(createSocketPair().client, { bufferWhileDisconnected: false });
    unbuffered.pushObservation(update);
    expect(warn.mock.calls.flat().join()).toContain('do not wait');
  });

  it('connect waits for the socket, for as long as it is told to', async () => {
    const pair = createSocketPair();
    const client = createWebSocketTransport(pair.client, { connectTimeoutMs: 500 });
    const late = expect(client.connect()).rejects.toThrow('within 500 ms');
    await vi.advanceTimersByTimeAsync(500);
    await late;
    const connecting = client.connect();
    expect(pair.client.calls).toEqual(['connect', 'connect']);
    pair.connect();
    await connecting;
    expect(client.connected).toBe(true);
    await client.connect();
  });

  it('dispose takes its own listeners away, and leaves the socket connected', () => {
    const { client, pair } = ends();
    const own = vi.fn();
    pair.client.on('oui:dispatch', own);
    const off = client.onAction(() => {});
    expect(pair.client.listening()).toMatchObject({ 'oui:dispatch': 2, connect: 1, disconnect: 1 });
    off();
    expect(pair.client.listening()).toMatchObject({ 'oui:dispatch': 1 });
    client.onAction(() => {});
    client.dispose();
    expect(pair.client.listening()).toEqual({ 'oui:dispatch': 1 });
    expect(pair.client.calls).toEqual([]);
    client.disconnect();
    expect(pair.client.calls).toEqual(['disconnect']);
  });
});

describe('createDirectTransportPair', () => {
  it('carries each kind of frame within the call that sent it', async () => {
    const { server, client } = createDirectTransportPair();
    const heard: unknown[] = [];
    const off = client.onAction((sent) => void heard.push(sent));
    server.onResult((sent) => void heard.push(sent));
    server.onObservation((sent) => void heard.push(sent));
    server.onSurfaceRegister((sent) => void heard.push(sent));
    server.onSurfaceDeregister((sent) => void heard.push(sent));
    await Promise.all([server.connect(), client.connect()]);
    server.dispatch(request);
    client.sendResult(result);
    client.pushObservation(update);
    client.registerSurface(surface);
    client.deregisterSurface('s');
    expect(heard).toEqual([request, result, update, surface, 's']);
    off();
    server.dispatch(request);
    // What is the other end's to do, does nothing.
    client.dispatch(request);
    server.sendResult(result);
    expect(heard).toHaveLength(5);
    expect([server.connected, client.connected]).toEqual([true, true]);
  });
});
