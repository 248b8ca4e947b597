import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { HUB_OPTIONS, readCommandLine, readHubOptions } from '../../../src/hub/cli-arguments.js';
import { createHub } from '../../../src/hub/create-hub.js';
import type { Hub, HubOptions } from '../../../src/hub/create-hub.js';
import type { HubLogEntry } from '../../../src/hub/hub-log.js';
import { refusalByToken } from '../../../src/hub/page-authentication.js';
import { tokenProtocols } from '../../../src/transports/token-protocol.js';
import { until } from '../../until.js';

const log: HubLogEntry[] = [];
const hubs: Hub[] = [];
afterEach(async () => {
  for (const hub of hubs.splice(0)) await hub.close();
  log.length = 0;
});

async function start(options: HubOptions): Promise<Hub> {
  const hub = await createHub({ port: 0, onLog: (entry) => log.push(entry), ...options });
  hubs.push(hub);
  return hub;
}

/** Connects as a page does. @returns the code and reason with which it was closed, or that it was let in. */
async function visit(hub: Hub, token?: string, origin = 'http://localhost:5173') {
  const protocols = token === undefined ? [] : tokenProtocols(token);
  const socket = new WebSocket(hub.pageUrl, protocols, { origin });
  const closed = once(socket, 'close') as Promise<[number, Buffer]>;
  closed.catch(() => undefined);
  await once(socket, 'open');
  const hello = { protocol: '0.1', software: 'page', features: ['ping'], clientId: 'c-1', now: Date.now() };
  socket.send(JSON.stringify({ type: 'x-oui:hello', payload: hello }));
  const answered = once(socket, 'message').then(() => 'let in' as const);
  const end = await Promise.race([closed.then(([code, reason]) => ({ code, reason: String(reason) })), answered]);
  socket.terminate();
  return { end, protocol: socket.protocol };
}

/** A page without a token that opens a connection, sends these bytes and nothing more, whatever comes. */
function openByHand(hub: Hub, more: Buffer = Buffer.alloc(0)): Socket {
  const { port } = new URL(hub.pageUrl);
  const socket = connect(Number(port), '127.0.0.1');
  const opening = [
    'GET /oui/v1 HTTP/1.1', `Host: localhost:${port}`, 'Origin: http://localhost:5173', 'Connection: Upgrade',
    'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ];
  socket.write(Buffer.concat([Buffer.from(`${opening.join('\r\n')}\r\n\r\n`), more]));
  socket.resume();
  return socket;
}

describe('a hub that authenticates pages', () => {
  it('lets in whom the check lets in, told of token, origin and the opening', async () => {
    const authenticate = vi.fn((token: string | undefined) => Promise.resolve(token === 'mine'));
    const hub = await start({ authenticate });
    expect(await visit(hub, 'mine')).toEqual({ end: 'let in', protocol: 'oui.v1' });
    expect(authenticate).toHaveBeenCalledWith('mine', {
      origin: 'http://localhost:5173',
      request: expect.objectContaining({ url: '/oui/v1' }) as object,
    });
  });

  it('closes others with a code and a reason that a page can read, and logs no token', async () => {
    const hub = await start({ authenticate: (token) => token === 'mine' });
    expect((await visit(hub, 'yours')).end).toEqual({
      code: 4401, reason: 'the token is not valid here: give another',
    });
    expect((await visit(hub)).end).toEqual({
      code: 4401, reason: 'a token is needed: set .token of <oui-runtime>, or the option token',
    });
    expect(hub.pages.pages()).toEqual([]);
    expect(log.map(({ code, message }) => [code, message])).toEqual([
      ['OUI1705', 'The page at http://localhost:5173 was refused: its token is not valid here.'],
      ['OUI1705', 'The page at http://localhost:5173 was refused: it has no token.'],
    ]);
  });

  it('checks origins first', async () => {
    const authenticate = vi.fn(() => true);
    const hub = await start({ authenticate });
    await expect(visit(hub, 'mine', 'https://evil.example')).rejects.toThrow(/403/);
    expect(authenticate).not.toHaveBeenCalled();
  });

  it('lets pages without an origin in where that is allowed, by their token alone', async () => {
    const authenticate = vi.fn((token: string | undefined) => token === 'mine');
    const hub = await start({ authenticate, allowOpaqueOrigin: true });
    expect((await visit(hub, 'mine', 'null')).end).toBe('let in');
    expect(authenticate).toHaveBeenCalledWith('mine', expect.objectContaining({ origin: 'null' }));
    expect((await visit(hub, undefined, 'null')).end).toMatchObject({ code: 4401 });
    await expect(visit(hub, 'mine', 'https://evil.example')).rejects.toThrow(/403/);
    await expect(visit(await start({ authenticate }), 'mine', 'null')).rejects.toThrow(/403/);
    await expect(start({ allowOpaqueOrigin: true })).rejects.toThrow(/needs a token/);
  });

  it('refuses when the check fails, and goes on', async () => {
    const hub = await start({
      authenticate: (token) => {
        if (token === 'bad') throw new Error('no database');
        return 'yes' as never;
      },
    });
    expect((await visit(hub, 'bad')).end).toEqual({ code: 4401, reason: 'the token could not be checked' });
    expect(log[0]?.message).toMatch(/the check of its token failed: no database/);
    // Only `true` lets in.
    expect((await visit(hub, 'x')).end).toMatchObject({ code: 4401 });
  });

  it('outlives a refused page that sends what is no frame', async () => {
    const hub = await start({ authenticate: (token) => token === 'mine' });
    const failed = vi.fn();
    process.once('uncaughtException', failed);
    const socket = openByHand(hub, Buffer.from([0xff, 0x00]));
    await once(socket, 'close');
    process.off('uncaughtException', failed);
    expect(failed).not.toHaveBeenCalled();
    expect((await visit(hub, 'mine')).end).toBe('let in');
  });

  it('cuts the connection of a refused page that does not answer the close, and has its place again', async () => {
    const hub = await start({ maxPages: 1, authenticate: (token) => token === 'mine' });
    await once(openByHand(hub), 'close');
    expect((await visit(hub, 'mine')).end).toBe('let in');
  });

  it('counts pages whose token is being checked, and outlives those that do not wait', async () => {
    let decide: (verdict: boolean) => void = () => undefined;
    const asked = vi.fn();
    const hub = await start({
      maxPages: 1,
      authenticate: () => new Promise((resolve) => {
        decide = resolve;
        asked();
      }),
    });
    const first = new WebSocket(hub.pageUrl, tokenProtocols('a'));
    first.on('error', () => undefined);
    await until(() => expect(asked).toHaveBeenCalledOnce());
    await expect(visit(hub, 'b')).rejects.toThrow(/503/);
    first.terminate();
    decide(true);
    const next = visit(hub, 'c');
    await until(() => expect(asked).toHaveBeenCalledTimes(2));
    decide(true);
    expect((await next).end).toBe('let in');
  });

  it('ends a check that is under way when it closes', async () => {
    const asked = vi.fn();
    const hub = await start({
      authenticate: () => new Promise(() => asked()),
    });
    const socket = connect(Number(new URL(hub.pageUrl).port), '127.0.0.1');
    socket.on('error', () => undefined).resume().write(
      'GET /oui/v1 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    await until(() => expect(asked).toHaveBeenCalledOnce());
    const gone = once(socket, 'close');
    await Promise.all([gone, hub.close()]);
  });
});

it('gives the check of a token ten seconds', async () => {
  vi.useFakeTimers();
  try {
    const request = { headers: { origin: 'http://localhost' } } as never;
    const refused = refusalByToken(() => new Promise(() => undefined), request, (entry) => log.push(entry));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await refused).toBe('the token could not be checked in time');
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

describe('--token', () => {
  const read = (args: string[], env: Record<string, string> = {}) =>
    readHubOptions('hub', readCommandLine('hub', args, HUB_OPTIONS), env).authenticate;
  const page = {} as never;

  it.each([['the command line', ['--token', 'mine'], {}], ['the environment', [], { OUI_HUB_TOKEN: 'mine' }]] as const)(
    'is taken from %s',
    (_where, args, env) => {
      const authenticate = read([...args], env)!;
      expect([authenticate('mine', page), authenticate('yours', page), authenticate(undefined, page)]).toEqual([
        true, false, false,
      ]);
    },
  );

  it('is not asked for without one, and is no empty text', () => {
    expect(read([])).toBeUndefined();
    expect(read([], { OUI_HUB_TOKEN: '' })).toBeUndefined();
    expect(() => read(['--token', ''])).toThrow(/--token is empty/);
  });
});
