import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { EngineEffect, EngineInput } from '../../../src/protocol/engine-messages.js';
import type { EngineConfig } from '../../../src/protocol/engine-config.js';
import { createEngineControl } from '../../../worker/engine-control.js';
import type { EngineWorkerOptions, ToPage, ToWorker } from '../../../worker/port-messages.js';
import { pageToken } from '../../../src/transports/token-protocol.js';
import { startLoopbackServer } from '../transports/loopback-server.js';
import type { LoopbackServer } from '../transports/loopback-server.js';

const config: EngineConfig = {
  software: 'oui-elements/test',
  confirmBy: 'page',
  canAsk: false,
  hasGate: false,
  actionMs: 30_000,
  approvalMs: 300_000,
  settleTimeoutMs: 5_000,
  helloMs: 10_000,
  reanswerAfterMs: 8_000,
  ratePerSecond: 50,
  rateBurst: 100,
  dedupeWindow: 500,
  form: 'full',
  observationSchemas: 'warn',
  announce: true,
  budgets: { resultBytes: 491_520, updateBytes: 262_144 },
};

const ask = (requestId: string): EngineInput => ({
  kind: 'execute',
  nested: false,
  request: { requestId, surfaceId: 'nowhere', actionId: 'nothing', params: {}, timestamp: 1 },
});

describe('the worker side of an engine', () => {
  let server: LoopbackServer;
  const ports: MessagePort[] = [];

  beforeEach(async () => {
    server = await startLoopbackServer();
    vi.stubGlobal('WebSocket', WebSocket);
  });
  afterEach(async () => {
    for (const port of ports.splice(0)) {
      port.postMessage({ stop: true } satisfies ToWorker);
      port.close();
    }
    vi.unstubAllGlobals();
    await server.close();
  });

  it('asks the page for a token at each attempt to connect, and takes its newest answer', async () => {
    const { when, received, post } = await start({ url: server.url, asksForToken: true });
    post({ inputs: [{ kind: 'configure', config }] });
    const asked = await when(() => received.find(({ asksForToken }) => asksForToken !== undefined)?.asksForToken);
    expect(server.accepted).toBe(0);
    post({ token: { id: asked - 1, token: 'of an earlier question' } });
    post({ token: { id: asked, token: 'mine' } });
    expect(pageToken((await server.accept()).protocol === 'oui.v1' ? server.protocols[0] : undefined)).toBe('mine');
  });

  it('tries again later when the page has no token', async () => {
    const { when, received, effects, post } = await start({ url: server.url, asksForToken: true });
    post({ inputs: [{ kind: 'configure', config }] });
    const asked = await when(() => received.find(({ asksForToken }) => asksForToken !== undefined)?.asksForToken);
    post({ token: { id: asked, failed: 'signed out' } });
    const lost = await when(() =>
      effects().find((effect) => effect.kind === 'connection' && effect.state === 'disconnected'),
    );
    expect(lost).toMatchObject({ reason: 'the token provider failed: signed out' });
  });

  const start = async (options: EngineWorkerOptions = {}) => {
    const control = createEngineControl();
    const { port1, port2 } = new MessageChannel();
    ports.push(port1);
    const received: ToPage[] = [];
    const checks = new Set<() => void>();
    port1.onmessage = ({ data }: MessageEvent<ToPage>) => {
      received.push(data);
      for (const check of checks) check();
    };
    const when = <T>(read: () => T | undefined): Promise<T> =>
      new Promise((resolve) => {
        const check = (): void => {
          const found = read();
          if (found === undefined) return;
          checks.delete(check);
          resolve(found);
        };
        checks.add(check);
        check();
      });
    const effects = (): EngineEffect[] => received.flatMap((message) => message.effects ?? []);
    const started = await control.start(options, port2);
    return {
      control,
      started,
      received,
      effects,
      when,
      post: (message: ToWorker) => port1.postMessage(message),
      whenEffect: (kind: EngineEffect['kind']) => when(() => effects().find((effect) => effect.kind === kind)),
    };
  };

  it('starts once, and says whether it holds the lock', async () => {
    const { control, started } = await start({ lockName: 'oui-engine-1' });
    expect(started).toEqual({ locked: false });
    const { port2 } = new MessageChannel();
    await expect(control.start({}, port2)).rejects.toThrow(/Start another worker/);
    port2.close();
  });

  it('holds the lock that it is given for the rest of its life', async () => {
    const held: Promise<unknown>[] = [];
    const request = vi.fn((_name: string, holder: () => Promise<unknown>) => {
      const holding = holder();
      held.push(holding);
      return holding;
    });
    vi.stubGlobal('navigator', { locks: { request } });
    expect((await start({ lockName: 'oui-engine-1' })).started).toEqual({ locked: true });
    expect(request.mock.calls[0]?.[0]).toBe('oui-engine-1');
    expect(await Promise.race([held[0], Promise.resolve('still held')])).toBe('still held');
  });

  it('starts without a lock where taking one is refused', async () => {
    vi.stubGlobal('navigator', { locks: { request: () => Promise.reject(new Error('SecurityError')) } });
    expect((await start({ lockName: 'oui-engine-1' })).started).toEqual({ locked: false });
  });

  it('answers the inputs of one message with one message', async () => {
    const { post, received, when } = await start();
    post({ inputs: [{ kind: 'configure', config }, ask('r1'), ask('r2')] });
    const answer = await when(() => received[0]);
    const ids = answer.effects?.flatMap((effect) => (effect.kind === 'executed' ? [effect.requestId] : []));
    expect(ids).toEqual(['r1', 'r2']);
    expect(received).toHaveLength(1);
  });

  it('reports an input that the engine fails on, and goes on', async () => {
    const { post, whenEffect } = await start();
    const broken = { kind: 'execute', nested: false, request: null } as unknown as EngineInput;
    post({ inputs: [{ kind: 'configure', config }, broken, ask('r1')] });
    expect(await whenEffect('executed')).toMatchObject({ requestId: 'r1' });
    expect(await whenEffect('warn')).toMatchObject({
      code: 'OUI1303',
      message: expect.stringMatching(/^The engine failed on an input of kind "execute": TypeError/) as unknown,
    });
  });

  it('runs timers for the page, and clears them', async () => {
    const { post, received, when } = await start();
    post({ timers: [{ id: 1, ms: 5 }, { id: 2, ms: 1 }, { id: 3, ms: 20 }, { id: 4, ms: 2 ** 32 }] });
    post({ timers: [{ id: 2 }] });
    const fired = (): number[] => received.flatMap((message) => message.fired ?? []);
    await when(() => (fired().includes(3) ? true : undefined));
    expect(fired()).toEqual([1, 3]);
    post({ timers: [{ id: 4 }] });
  });

  it('owns the connection when it has the address', async () => {
    const { post, whenEffect } = await start({ url: server.url });
    post({ inputs: [{ kind: 'configure', config }] });
    const socket = await server.accept();
    const [hello] = await once(socket, 'message');
    expect(JSON.parse(String(hello))).toMatchObject({ type: 'x-oui:hello' });
    expect(await whenEffect('connection')).toMatchObject({ state: 'connecting' });
    const closed = once(socket, 'close');
    post({ inputs: [ask('r1')], stop: true });
    expect((await closed)[0]).toBe(1000);
  });

  it('says that it is busy before it works on a frame, once between two pings', async () => {
    const { control, post, received, when } = await start({ url: server.url });
    post({ inputs: [{ kind: 'configure', config }] });
    const socket = await server.accept();
    const busy = (): number => received.filter((message) => message.busy === true).length;
    const extensions = (): number => received.flatMap((message) => message.effects ?? []).filter(isExtension).length;
    const isExtension = (effect: EngineEffect): boolean => effect.kind === 'extension';
    socket.send('{"type":"x-app:one","payload":{}}');
    socket.send('{"type":"x-app:two","payload":{}}');
    await when(() => (extensions() === 2 ? true : undefined));
    expect(busy()).toBe(1);
    // Not with the effects of the frame, which a hanging worker would never send.
    expect(received.find((message) => message.busy === true)).toEqual({ busy: true });
    control.ping();
    socket.send('{"type":"x-app:three","payload":{}}');
    await when(() => (extensions() === 3 ? true : undefined));
    expect(busy()).toBe(2);
  });
});
