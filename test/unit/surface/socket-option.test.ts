import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDriver } from '../../../src/engine/driver.js';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { argsHash } from '../../../src/rules/args-hash.js';
import { createRuntime } from '../../../src/surface/create-runtime.js';
import { defineSurface } from '../../../src/surface/definition/define-surface.js';
import { createInProcessHostFactory } from '../../../src/surface/link/in-process-host.js';
import { acceptCurrentTurn } from '../../../src/surface/requests/accept-current-turn.js';
import type { SurfaceRuntimeOptions } from '../../../src/surface/runtime-options.js';
import type { SurfaceRuntime } from '../../../src/surface/runtime.js';
import { createInterpretedValidator } from '../../../src/validation/interpreted.js';
import { createDirectTransportPair } from '../../../src/transports/direct.js';
import { FakeTab } from './fake-tab.js';
import { HandClock } from './hand-clock.js';
import { createSocketPair } from '../transports/socket-pair.js';
import type { FakeSocket } from '../transports/socket-pair.js';
import { until } from '../../until.js';

const factory = createInProcessHostFactory({ engine: { createDriver, createInterpretedValidator } });
const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
const runtimes: SurfaceRuntime[] = [];
beforeEach(() => {
  resetWarnings();
  warn.mockClear();
});
afterEach(() => {
  for (const runtime of runtimes.splice(0)) runtime.dispose();
});

const create = (options: SurfaceRuntimeOptions): SurfaceRuntime => {
  const runtime = createRuntime(options, { hosts: () => [factory] });
  runtimes.push(runtime);
  return runtime;
};

const counter = (handler: () => unknown = () => 1) =>
  defineSurface({
    id: 'counter',
    name: 'Counter',
    description: 'A number',
    actions: [
      { id: 'increment', description: 'Adds one', settle: 'none', input: {}, handler },
      {
        id: 'render_video',
        description: 'Takes long',
        async: true,
        input: {},
        handler: () => ({ jobId: 7 }),
        polling: {
          intervalMs: 0,
          subscribe: { event: 'job:complete', filter: { jobId: '$dispatchResult.jobId' } },
        },
      },
    ],
    observations: [{ id: 'value', description: 'The value', schema: { type: 'integer' } }],
  });

/** What came to the agent's end of a socket, by hand. */
function listenAs(server: FakeSocket, ns = 'oui') {
  const heard: { readonly event: string; readonly payload: unknown }[] = [];
  const acks: ((verdict: unknown) => void)[] = [];
  for (const name of ['surface:register', 'surface:deregister', 'observation', 'action:result', 'x-oui:hello']) {
    server.on(`${ns}:${name}`, (payload: unknown, ack?: (verdict: unknown) => void) => {
      heard.push({ event: name, payload });
      if (ack) acks.push(ack);
    });
  }
  const of = (name: string) => heard.filter(({ event }) => event === name).map(({ payload }) => payload as never);
  return { acks, of, until: (name: string, count = 1) => until(() => expect(of(name)).toHaveLength(count)) };
}

const request = (requestId: string, actionId = 'increment', more: object = {}) => ({
  requestId, surfaceId: 'counter', actionId, params: {}, timestamp: Date.now(), ...more,
});

describe('a runtime on a socket of the application\'s', () => {
  it('registers, answers and tells values under the reference\'s names', async () => {
    const pair = createSocketPair();
    const runtime = create({ socket: pair.client });
    const mounted = runtime.mount(counter());
    const server = pair.connect();
    const agent = listenAs(server);
    mounted.pushObservation('value', 3);
    await agent.until('observation');
    const receipt = vi.fn();
    server.emit('oui:dispatch', request('r1'), receipt);
    await agent.until('action:result');
    expect(agent.of('surface:register')).toMatchObject([{ surface: { id: 'counter' } }]);
    expect(agent.of('observation')).toMatchObject([{ surfaceId: 'counter', observationId: 'value', value: 3 }]);
    expect(agent.of('action:result')).toMatchObject([{ requestId: 'r1', success: true, data: 1 }]);
    expect(receipt).toHaveBeenCalledWith({ ok: true });
  });

  it('speaks under another namespace', async () => {
    const pair = createSocketPair();
    const runtime = create({ socket: pair.client, transport: { namespace: 'studio' } });
    runtime.mount(counter());
    const agent = listenAs(pair.connect(), 'studio');
    await agent.until('surface:register');
    expect(pair.client.emitted.every(({ event }) => event.startsWith('studio:'))).toBe(true);
  });

  it('registers again on the next connection, and sends again what was not acknowledged', async () => {
    const pair = createSocketPair();
    const runtime = create({ socket: pair.client });
    runtime.mount(counter());
    const first = pair.connect();
    const before = listenAs(first);
    await before.until('surface:register');
    first.emit('oui:dispatch', request('r1'));
    first.emit('oui:dispatch', request('r2'));
    await before.until('action:result', 2);
    before.acks[0]!({ ok: true });
    await Promise.resolve();
    pair.disconnect();
    const after = listenAs(pair.connect());
    await after.until('action:result');
    expect(after.of('surface:register')).toHaveLength(1);
    expect(after.of('action:result')).toMatchObject([{ requestId: 'r2' }]);
  });

  it('ends a job by the application\'s own event, heard only while the job waits for it', async () => {
    const pair = createSocketPair();
    const runtime = create({ socket: pair.client });
    runtime.mount(counter());
    const server = pair.connect();
    const agent = listenAs(server);
    await agent.until('surface:register');
    expect(pair.client.listening()['job:complete']).toBeUndefined();
    server.emit('oui:dispatch', request('r1', 'render_video'));
    server.emit('oui:dispatch', request('r2', 'render_video'));
    await agent.until('action:result', 2);
    expect(pair.client.listening()['job:complete']).toBe(1);
    server.emit('job:complete', { jobId: 8 });
    server.emit('job:complete', { jobId: 7, url: '/v.mp4' });
    await agent.until('action:result', 4);
    expect(agent.of('action:result').slice(2)).toMatchObject([
      { requestId: 'r1', interim: false, success: true, data: { url: '/v.mp4' } },
      { requestId: 'r2', interim: false, success: true, data: { url: '/v.mp4' } },
    ]);
    expect(pair.client.listening()['job:complete']).toBeUndefined();
  });

  it('still waits for an event when its document comes out of the back/forward cache', async () => {
    const pair = createSocketPair();
    const document = new FakeTab(new HandClock()).open();
    const runtime = createRuntime({ socket: pair.client }, { hosts: () => [factory], page: document });
    runtimes.push(runtime);
    runtime.mount(counter());
    const server = pair.connect();
    const agent = listenAs(server);
    server.emit('oui:dispatch', request('r1', 'render_video'));
    await agent.until('action:result');
    document.leave();
    expect(pair.client.listening()).toEqual({});
    document.comeBack();
    server.emit('job:complete', { jobId: 7, url: '/v.mp4' });
    await until(() =>
      expect(agent.of('action:result')).toContainEqual(expect.objectContaining({ requestId: 'r1', interim: false })),
    );
  });

  it('waits for an event on the socket that it has by then', async () => {
    const [first, second] = [createSocketPair(), createSocketPair()];
    const runtime = create({ socket: first.client });
    runtime.mount(counter());
    const server = first.connect();
    const agent = listenAs(server);
    server.emit('oui:dispatch', request('r1', 'render_video'));
    await agent.until('action:result');
    runtime.attach(second.client);
    second.connect();
    expect([first.client.listening(), second.client.listening()['job:complete']]).toEqual([{}, 1]);
  });

  it('hands on the application\'s events that it is told of', async () => {
    const pair = createSocketPair();
    const onExtension = vi.fn();
    const runtime = create({ socket: pair.client, transport: { extensions: ['x-app:note'] }, onExtension });
    runtime.mount(counter());
    pair.connect().emit('oui:x-app:note', { a: 1 });
    await until(() => expect(onExtension).toHaveBeenCalledWith('x-app:note', { a: 1 }));
  });

  it('leaves the socket as it was', async () => {
    const pair = createSocketPair();
    const theirs = vi.fn();
    pair.client.on('oui:dispatch', theirs);
    const runtime = create({ socket: pair.client });
    runtime.mount(counter());
    const agent = listenAs(pair.connect());
    await agent.until('surface:register');
    runtime.dispose();
    await agent.until('surface:deregister');
    await until(() => expect(pair.client.listening()).toEqual({ 'oui:dispatch': 1 }));
    expect([pair.client.calls, pair.client.connected]).toEqual([[], true]);
  });

  it('is one connection of a runtime\'s, and a socket', () => {
    const { client } = createSocketPair();
    expect(() => create({ socket: client, url: 'ws://localhost/' })).toThrow(/one connection/);
    expect(() => create({ socket: client, transport: createDirectTransportPair().page })).toThrow(/one connection/);
    expect(() => create({ socket: {} as never })).toThrow(/must be Socket\.IO-shaped, with on, off and emit/);
  });
});

describe('two tabs on one conversation', () => {
  /** A server sends a request of a conversation to every tab of it, as a room does. */
  async function tabs(turns: readonly (string | null)[]) {
    const ran: number[] = [];
    const open = turns.map((turn, index) => {
      const pair = createSocketPair();
      const accept = acceptCurrentTurn(() => turn);
      const runtime = create({ socket: pair.client, accept });
      runtime.mount(counter(() => ran.push(index)));
      const server = pair.connect();
      return { server, agent: listenAs(server) };
    });
    await Promise.all(open.map(({ agent }) => agent.until('surface:register')));
    const send = async (payload: object) => {
      const receipts: unknown[] = [];
      open.forEach(({ server }, index) => {
        server.emit('oui:dispatch', payload, (receipt: unknown) => (receipts[index] = receipt));
      });
      await until(() => expect(receipts.filter(Boolean)).toHaveLength(open.length));
      return receipts;
    };
    return { open, ran, send };
  }

  it('have their request run and answered by the tab whose turn it is', async () => {
    const { open, ran, send } = await tabs(['turn-1', 'turn-2']);
    expect(await send(request('r1', 'increment', { turnId: 'turn-2' }))).toEqual([
      { ok: false, reason: 'this client does not accept requests now' }, { ok: true },
    ]);
    await open[1]!.agent.until('action:result');
    expect([ran, open[0]!.agent.of('action:result')]).toEqual([[1], []]);
  });

  it('have it run by the tab that was given its grant, and nobody else answers', async () => {
    const ran: number[] = [];
    const open = [0, 1].map((index) => {
      const pair = createSocketPair();
      const runtime = create({ socket: pair.client, confirmBy: 'grant' });
      const remove = { id: 'remove_all', description: 'Removes', confirm: true, settle: 'none', input: {} } as const;
      runtime.mount(defineSurface({
        id: 'counter', name: 'Counter', description: 'A number',
        actions: [{ ...remove, handler: () => ran.push(index) }],
      }));
      const server = pair.connect();
      return { runtime, server, agent: listenAs(server) };
    });
    await Promise.all(open.map(({ agent }) => agent.until('surface:register')));
    const approval = { approvalId: 'a-1', argsHash: argsHash({}) };
    expect(open[1]!.runtime.grantApproval({ ...approval, expiresAt: Date.now() + 60_000 })).toBe(true);
    const receipts = await Promise.all(open.map(({ server }) => new Promise((resolve) => {
      server.emit('oui:dispatch', request('r1', 'remove_all', { approval }), resolve);
    })));
    expect(receipts).toEqual([
      { ok: false, reason: 'this tab was not given the approval that the request names' }, { ok: true },
    ]);
    await open[1]!.agent.until('action:result');
    expect([ran, open[0]!.agent.of('action:result')]).toEqual([[1], []]);
    // A server that takes no receipts is answered instead.
    open[0]!.server.emit('oui:dispatch', request('r2', 'remove_all', { approval }));
    await open[0]!.agent.until('action:result');
    expect(open[0]!.agent.of('action:result')).toMatchObject([{ requestId: 'r2', error: { code: 'APPROVAL_REQUIRED' } }]);
  });

  it('may be sent it again until a tab takes it', async () => {
    let turn: string | null = null;
    const pair = createSocketPair();
    const runtime = create({ socket: pair.client, accept: acceptCurrentTurn(() => turn) });
    runtime.mount(counter());
    const server = pair.connect();
    const agent = listenAs(server);
    await agent.until('surface:register');
    const ask = () =>
      new Promise((resolve) => server.emit('oui:dispatch', request('r1', 'increment', { turnId: 'turn-1' }), resolve));
    expect(await ask()).toMatchObject({ ok: false });
    turn = 'turn-1';
    expect(await ask()).toEqual({ ok: true });
    await agent.until('action:result');
  });
});
