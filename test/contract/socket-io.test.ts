import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import type { Socket as ServerSocket } from 'socket.io';
import { io } from 'socket.io-client';
import type { ManagerOptions, Socket, SocketOptions } from 'socket.io-client';
import { afterEach, expect, it, vi } from 'vitest';
import { createAgentRuntime } from '../../src/entries/agent.js';
import { acceptCurrentTurn, createSurfaceRuntime, defineSurface } from '../../src/entries/core.js';
import type { SurfaceRuntimeOptions } from '../../src/entries/core.js';
import { createSocketTransport } from '../../src/entries/transport.js';
import * as LIMITS from '../../src/protocol/limits.js';
import { recordTransport } from '../unit/transports/transport-events.js';
import { until } from '../until.js';

// The official client and server, as an application has them: with the server's own listeners, or with our agent.

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function serve() {
  const http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  const server = new Server(http);
  cleanUp.push(() => server.close());
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    server,
    /** A client, and the server's socket for it. */
    async visit(options: Partial<ManagerOptions & SocketOptions> = {}): Promise<[Socket, ServerSocket]> {
      const client = io(url, { transports: ['websocket'], forceNew: true, ...options });
      cleanUp.push(() => client.close());
      const [socket] = (await once(server, 'connection')) as [ServerSocket];
      return [client, socket];
    },
  };
}

const counter = (handler: () => unknown) =>
  defineSurface({
    id: 'counter',
    name: 'Counter',
    description: 'A number',
    actions: [{ id: 'increment', description: 'Adds one', settle: 'none', input: {}, handler }],
  });

function open(options: SurfaceRuntimeOptions, handler: () => unknown): void {
  const runtime = createSurfaceRuntime(options);
  cleanUp.push(() => runtime.dispose());
  runtime.mount(counter(handler));
}

it('two tabs of one room answer a request of their conversation once, by the tab whose turn it is', async () => {
  const { server, visit } = await serve();
  const ran: string[] = [];
  const results: unknown[] = [];
  for (const turn of ['turn-1', 'turn-2']) {
    const [socket, accepted] = await visit();
    const registered = once(accepted, 'oui:surface:register');
    accepted.on('oui:action:result', (result: unknown, acknowledge: (verdict: object) => void) => {
      results.push(result);
      acknowledge({ ok: true });
    });
    await accepted.join('conversation');
    open({ socket, accept: acceptCurrentTurn(() => turn) }, () => ran.push(turn));
    await registered;
  }
  const request = {
    requestId: 'r1', surfaceId: 'counter', actionId: 'increment', params: {}, timestamp: Date.now(), turnId: 'turn-2',
  };
  const receipts = (await server.to('conversation').timeout(4_000).emitWithAck('oui:dispatch', request)) as unknown[];
  expect(receipts).toHaveLength(2);
  expect(receipts).toEqual(
    expect.arrayContaining([{ ok: true }, { ok: false, reason: 'this client does not accept requests now' }]),
  );
  await until(() => expect(results).toMatchObject([{ requestId: 'r1', success: true }]));
  expect(ran).toEqual(['turn-2']);
});

it('a client that sends again until it is acknowledged gets its acknowledgments from our agent', async () => {
  const { visit } = await serve();
  const [socket, accepted] = await visit({ retries: 3, ackTimeout: 4_000 });
  const registrations = vi.fn();
  accepted.on('oui:surface:register', registrations);
  const agent = createAgentRuntime({ transport: createSocketTransport(accepted, { side: 'agent' }) });
  cleanUp.push(() => agent.dispose());
  const offered = new Promise<void>((resolve) => agent.subscribe(() => agent.tools().length > 0 && resolve()));
  open({ socket }, () => 1);
  await offered;
  const { result } = await agent.call('counter__increment', {});
  expect(result).toMatchObject({ success: true, data: 1 });
  expect(registrations).toHaveBeenCalledOnce();
});

it('a frame as long as the transport says is taken by a server that nobody told otherwise', async () => {
  const { visit } = await serve();
  const [socket, accepted] = await visit();
  const [page, agent] = [createSocketTransport(socket), createSocketTransport(accepted, { side: 'agent' })];
  await Promise.all([page.connect(), agent.connect()]);
  const record = recordTransport(agent);
  const frame = (data: string) =>
    ({ type: 'action:result', payload: { requestId: 'r1', success: true, data, timestamp: 1 } }) as const;
  page.send(frame('x'.repeat(LIMITS.socketIoFrameBytes - JSON.stringify(frame('')).length)));
  expect(JSON.stringify((await record.whenMessages(1))[0])).toHaveLength(LIMITS.socketIoFrameBytes);
  expect(page.state).toBe('connected');
});
