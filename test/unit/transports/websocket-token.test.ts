import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { pageToken, selectProtocol, tokenProtocols } from '../../../src/transports/token-protocol.js';
import { createWebSocketTransport } from '../../../src/transports/websocket.js';
import type { WebSocketTransportOptions } from '../../../src/transports/websocket.js';
import { createManualTimers } from './manual-timers.js';
import { recordTransport } from './transport-events.js';

const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
const warnings = (): string[] => warn.mock.calls.map(([line]) => String(line));
const cleanups: (() => unknown)[] = [];
beforeEach(() => {
  resetWarnings();
  warn.mockClear();
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A server that notes how pages open their connections. */
async function server(selects = selectProtocol) {
  const openings: { readonly url: string | undefined; readonly protocols: string | undefined }[] = [];
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: selects });
  const http = createServer().on('upgrade', (request, socket, head) => {
    openings.push({ url: request.url, protocols: request.headers['sec-websocket-protocol'] });
    sockets.handleUpgrade(request, socket, head, (accepted) => sockets.emit('connection', accepted));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  cleanups.push(() => {
    for (const client of sockets.clients) client.terminate();
    return new Promise((resolve) => http.close(resolve));
  });
  return { url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/oui/v1`, openings, sockets };
}

function open(url: string, options: WebSocketTransportOptions) {
  const timers = createManualTimers();
  const made = { WebSocket, setTimer: timers.setTimer, now: timers.now, random: () => 1, ...options };
  const transport = createWebSocketTransport(url, made);
  cleanups.push(() => transport.disconnect());
  return { transport, timers, record: recordTransport(transport) };
}

describe('a page with a token', () => {
  it('is asked for it at each connection, and offers it as a subprotocol, not in the URL', async () => {
    const { url, openings, sockets } = await server();
    let asked = 0;
    const { transport, timers } = open(url, { token: () => Promise.resolve(`sécret ${++asked}`) });
    await transport.connect();
    expect(openings).toEqual([{ url: '/oui/v1', protocols: tokenProtocols('sécret 1').join(',') }]);
    expect(pageToken(openings[0]!.protocols)).toBe('sécret 1');
    expect([...sockets.clients][0]!.protocol).toBe('oui.v1');
    for (const client of sockets.clients) client.terminate();
    await timers.whenSet(1_000);
    timers.advance(1_000);
    await recordTransport(transport).whenState('connected');
    expect(openings.map(({ protocols }) => pageToken(protocols))).toEqual(['sécret 1', 'sécret 2']);
  });

  it('offers nothing without a provider', async () => {
    const { url, openings, sockets } = await server();
    await open(url, {}).transport.connect();
    expect(openings).toEqual([{ url: '/oui/v1', protocols: undefined }]);
    expect([...sockets.clients][0]!.protocol).toBe('');
  });

  it.each<[string, WebSocketTransportOptions['token'] & object, RegExp]>([
    ['throws', () => { throw new Error('signed out'); }, /the token provider failed: signed out/],
    ['rejects', () => Promise.reject(new Error('signed out')), /the token provider failed: signed out/],
    ['gives an empty text', () => '', /gave an empty text and no token/],
    ['gives no text', () => undefined as never, /gave a undefined and no token/],
  ])('tries again later when its provider %s', async (_what, token, reason) => {
    const { url, openings } = await server();
    const { transport, timers, record } = open(url, { token });
    void transport.connect();
    await timers.whenSet(1_000);
    expect(record.states.at(-1)).toEqual({ state: 'disconnected', reason: expect.stringMatching(reason) as string });
    expect([warnings().length, openings]).toEqual([1, []]);
    expect(warnings()[0]).toMatch(new RegExp(`^\\[OUI1703\\].*${reason.source}`));
    // Ever less often.
    timers.advance(1_000);
    await timers.whenSet(2_000);
    expect(openings).toEqual([]);
  });

  it('gives a provider ten seconds, and takes nothing from it afterwards', async () => {
    const { url, openings } = await server();
    let give: (token: string) => void = () => undefined;
    const { transport, timers, record } = open(url, { token: () => new Promise((resolve) => (give = resolve)) });
    void transport.connect();
    await Promise.resolve();
    timers.advance(10_000);
    expect(record.states.at(-1)?.reason).toBe('the token provider did not answer within 10 s');
    give('too late');
    await Promise.resolve();
    expect([openings, timers.waits()]).toEqual([[], [1_000]]);
  });

  it('opens nothing when it lets go while it is asked', async () => {
    const { url, openings } = await server();
    let give: (token: string) => void = () => undefined;
    const { transport, timers } = open(url, { token: () => new Promise((resolve) => (give = resolve)) });
    const connecting = transport.connect();
    await Promise.resolve();
    transport.disconnect();
    give('too late');
    await expect(connecting).rejects.toThrow(/by this side/);
    expect([openings, timers.waits()]).toEqual([[], []]);
  });

  it('is told why it was refused, and asks less and less often', async () => {
    const { url, sockets, openings } = await server();
    sockets.on('connection', (socket: WebSocket) => socket.close(4401, 'the token is not valid here'));
    const { timers, transport, record } = open(url, { token: () => 'old' });
    void transport.connect();
    for (const wait of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      await timers.whenSet(wait);
      timers.advance(wait);
    }
    await record.whenState('connecting');
    const reason = 'the connection was closed: the token is not valid here (4401)';
    expect(record.states.filter((each) => each.reason === reason)).toHaveLength(7);
    expect(openings.length).toBeGreaterThanOrEqual(7);
    expect(warnings()).toEqual([`[OUI1704] ${url} refused this page: ${reason}.`]);
  });

  it('is told what may be wrong when the server does not select the subprotocol', async () => {
    const { url } = await server(() => false);
    const { transport, timers, record } = open(url, { token: () => 'mine' });
    void transport.connect();
    await timers.whenSet(1_000);
    expect(record.states.at(-1)?.reason).toMatch(/1006\); a server that does not select the subprotocol oui\.v1 ends/);
  });

  it('is not asked for an address that is refused', async () => {
    const token = vi.fn(() => 'mine');
    const { transport } = open('ws://agent.example/oui/v1', { token });
    await expect(transport.connect()).rejects.toThrow(/not encrypted/);
    expect(token).not.toHaveBeenCalled();
  });
});

describe('a token as a subprotocol', () => {
  it('comes back as it was, whatever it is, and is a legal name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (token) => {
        const [protocol, name] = tokenProtocols(token);
        expect(protocol).toBe('oui.v1');
        expect(name).toMatch(/^oui\.token\.[A-Za-z0-9_-]+$/);
        expect(pageToken(`${protocol}, ${name}`)).toBe(token);
        expect(pageToken(new Set([protocol!, name!]))).toBe(token);
      }),
    );
  });

  it.each([undefined, '', 'oui.v1', 'oui.token.', 'oui.token.a=b', 'oui.token.%', 'oui.token._w', 'oui.token.A'])(
    'is none in %j',
    (header) => expect(pageToken(header)).toBeUndefined(),
  );
});
