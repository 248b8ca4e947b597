import { EventEmitter, once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDriver } from '../../../src/engine/driver.js';
import type { OUIEvent } from '../../../src/protocol/events.js';
import type { Transport } from '../../../src/protocol/ports.js';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { createRuntime } from '../../../src/surface/create-runtime.js';
import { defineSurface } from '../../../src/surface/definition/define-surface.js';
import { createInProcessHostFactory } from '../../../src/surface/link/in-process-host.js';
import { createPostMessageTransport } from '../../../src/transports/post-message.js';
import type { PostMessageTransportOptions } from '../../../src/transports/post-message.js';
import { createInterpretedValidator } from '../../../src/validation/interpreted.js';
import { FakeWindow } from './fake-window.js';
import { createManualTimers } from './manual-timers.js';
import { recordTransport } from './transport-events.js';
import { until } from '../../until.js';

const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
const open: Transport[] = [];
beforeEach(() => {
  resetWarnings();
  warn.mockClear();
});
afterEach(() => {
  for (const transport of open.splice(0)) transport.disconnect();
});

const HOST = 'https://host.example';
const PLUGIN = 'https://plugin.example';
const ping: OUIEvent = { type: 'x-oui:ping', payload: {} };

/** A message to a fake window takes one turn. */
const turns = async (count = 4): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

function make(target: Parameters<typeof createPostMessageTransport>[0], options: PostMessageTransportOptions): Transport {
  const transport = createPostMessageTransport(target, options);
  open.push(transport);
  return transport;
}

/** A host's window and that of a frame in it, and how their ends are made. */
function windows(frameOrigin = PLUGIN) {
  const host = new FakeWindow(HOST);
  const frame = new FakeWindow(frameOrigin);
  const timers = createManualTimers();
  const { setTimer } = timers;
  return {
    host,
    frame,
    timers,
    page: (more: PostMessageTransportOptions = {}) =>
      make(host.as(frame), { targetOrigin: HOST, receiver: frame, setTimer, ...more }),
    agent: (more: PostMessageTransportOptions = {}) =>
      make(frame.as(host), { side: 'agent', targetOrigin: PLUGIN, receiver: host, setTimer, ...more }),
  };
}

describe('the handshake between windows', () => {
  it('is begun by the page, acknowledged by the host, and followed by events over a port', async () => {
    const { host, frame, page, agent } = windows();
    const [atPage, atAgent] = [page(), agent()];
    const record = recordTransport(atAgent);
    await Promise.all([atAgent.connect(), atPage.connect()]);
    expect(host.posted).toEqual([
      { message: { __oui__: true, handshake: 'oui-v1', id: expect.any(String) as string, port: true }, targetOrigin: HOST },
    ]);
    const id = host.posted[0]!.message['id'];
    expect(frame.posted).toEqual([
      { message: expect.objectContaining({ __oui__: true, handshake: 'oui-v1-ack', id }) as object, targetOrigin: PLUGIN },
    ]);
    atPage.send(ping);
    expect(await record.whenMessages(1)).toEqual([ping]);
    // Neither window has seen it.
    expect([host.posted.length, frame.posted.length]).toEqual([1, 1]);
  });

  it('is repeated until it is acknowledged, ever less often', async () => {
    const { host, timers, page, agent } = windows();
    const atPage = page();
    void atPage.connect();
    for (const wait of [100, 200, 400, 800, 1_600, 2_000, 2_000]) timers.advance(wait);
    expect(host.posted).toHaveLength(8);
    expect(new Set(host.posted.map(({ message }) => message['id'])).size).toBe(1);
    const atAgent = agent();
    void atAgent.connect();
    timers.advance(2_000);
    await atPage.connect();
    expect([atPage.state, atAgent.state, timers.waits()]).toEqual(['connected', 'connected', []]);
  });

  it('takes a repeat that was under way for what it is', async () => {
    const { host, frame, timers, page, agent } = windows();
    const [atPage, atAgent] = [page(), agent()];
    const record = recordTransport(atAgent);
    void atAgent.connect();
    void atPage.connect();
    timers.advance(100);
    await turns();
    expect(host.posted).toHaveLength(2);
    expect(frame.posted).toHaveLength(1);
    expect(record.states.map(({ state }) => state)).toEqual(['connecting', 'connected']);
    atPage.send(ping);
    expect(await record.whenMessages(1)).toEqual([ping]);
  });

  it('ends the connection of a document that was there before', async () => {
    const { page, agent } = windows();
    const atAgent = agent();
    const record = recordTransport(atAgent);
    void atAgent.connect();
    await page().connect();
    await page().connect();
    expect(record.states).toEqual([
      { state: 'connecting', reason: undefined },
      { state: 'connected', reason: undefined },
      { state: 'disconnected', reason: 'the other end started anew' },
      { state: 'connecting', reason: undefined },
      { state: 'connected', reason: undefined },
    ]);
  });

  it('begins anew when the other end lets go, or is found dead', async () => {
    const { page, agent } = windows();
    const [atPage, atAgent] = [page(), agent()];
    await Promise.all([atAgent.connect(), atPage.connect()]);
    const record = recordTransport(atPage);
    atAgent.disconnect();
    await record.whenState('connecting');
    expect(record.states[0]).toEqual({ state: 'disconnected', reason: 'the other end let go' });
    await Promise.all([atAgent.connect(), record.whenState('connected')]);
    atPage.reconnect!('no pong');
    expect(record.states.slice(-2)).toEqual([
      { state: 'disconnected', reason: 'no pong' }, { state: 'connecting', reason: undefined },
    ]);
    await record.whenState('connected');
  });
});

describe('with an end that speaks v1', () => {
  it('posts events to the window, to its exact origin, with the discriminator', async () => {
    const { host, frame, page } = windows();
    const atPage = page();
    const record = recordTransport(atPage);
    const connecting = atPage.connect();
    // Before the acknowledgment, nothing but the handshake.
    atPage.send(ping);
    expect(host.posted.map(({ message }) => message['handshake'])).toEqual(['oui-v1']);
    const v1 = frame.as(host) as unknown as Window;
    v1.postMessage({ __oui__: true, handshake: 'oui-v1-ack' }, PLUGIN);
    await connecting;
    atPage.send(ping);
    expect(host.posted.at(-1)).toEqual({ message: { __oui__: true, event: ping }, targetOrigin: HOST });
    v1.postMessage({ __oui__: true, event: ping }, PLUGIN);
    expect(await record.whenMessages(1)).toEqual([ping]);
    expect(host.posted.every(({ targetOrigin }) => targetOrigin === HOST)).toBe(true);
  });

  it('acknowledges a bare handshake barely, and each one as a document of its own', async () => {
    const { host, frame, agent } = windows();
    const atAgent = agent();
    const record = recordTransport(atAgent);
    void atAgent.connect();
    const v1 = host.as(frame) as unknown as Window;
    v1.postMessage({ __oui__: true, handshake: 'oui-v1' }, HOST);
    await record.whenState('connected');
    expect(frame.posted).toEqual([{ message: { __oui__: true, handshake: 'oui-v1-ack' }, targetOrigin: PLUGIN }]);
    v1.postMessage({ __oui__: true, event: ping }, HOST);
    expect(await record.whenMessages(1)).toEqual([ping]);
    v1.postMessage({ __oui__: true, handshake: 'oui-v1' }, HOST);
    await turns();
    expect(frame.posted).toHaveLength(2);
    expect(record.states.map(({ state }) => state).slice(2)).toEqual(['disconnected', 'connecting', 'connected']);
  });
});

describe('what is not from the other end', () => {
  it('is ignored without a word: another origin, another window, other messages', async () => {
    const { host, frame, agent } = windows();
    const atAgent = agent();
    const record = recordTransport(atAgent);
    void atAgent.connect();
    const handshake = { __oui__: true, handshake: 'oui-v1' };
    // Another window of the right origin, and the right window after it went elsewhere.
    (host.as(new FakeWindow(PLUGIN)) as unknown as Window).postMessage(handshake, HOST);
    const data = handshake;
    for (const event of [
      { data, origin: 'https://evil.example', source: frame.as(host) },
      { data, origin: `${PLUGIN}.evil.example`, source: frame.as(host) },
      { data, origin: 'null', source: frame.as(host) },
      { data, origin: PLUGIN, source: null },
      { data: { handshake: 'oui-v1' }, origin: PLUGIN, source: frame.as(host) },
      { data: Object.create(handshake) as object, origin: PLUGIN, source: frame.as(host) },
      { data: 'oui-v1', origin: PLUGIN, source: frame.as(host) },
      { data: null, origin: PLUGIN, source: frame.as(host) },
      { data: [handshake], origin: PLUGIN, source: frame.as(host) },
    ]) {
      for (const listener of host.listeners) listener({ ports: [], ...event } as never);
    }
    await turns();
    expect(record.states.map(({ state }) => state)).toEqual(['connecting']);
    expect([frame.posted, warn.mock.calls]).toEqual([[], []]);
  });

  it('cannot get in once the two have moved to a port', async () => {
    const { host, frame, page, agent } = windows();
    const [atPage, atAgent] = [page(), agent()];
    await Promise.all([atAgent.connect(), atPage.connect()]);
    const records = [recordTransport(atPage), recordTransport(atAgent)];
    // A script of the page's own window says the same as the transport would.
    (host.as(frame) as unknown as Window).postMessage({ __oui__: true, event: ping }, HOST);
    (frame.as(host) as unknown as Window).postMessage({ __oui__: true, event: ping }, PLUGIN);
    (frame.as(host) as unknown as Window).postMessage({ __oui__: true, handshake: 'oui-v1-ack' }, PLUGIN);
    await turns();
    expect(records.map(({ messages, states }) => [messages, states])).toEqual([[[], []], [[], []]]);
  });

  it('is refused as a target without the exact origin', () => {
    const { frame, host } = windows();
    for (const targetOrigin of [undefined, '*', '', 'null', '/', 'host.example', `${HOST}/`, `${HOST}/a`, 'https://*']) {
      expect(() => createPostMessageTransport(host.as(frame), { targetOrigin })).toThrow(/targetOrigin is .*never "\*"/);
    }
    expect(() => createPostMessageTransport(host.as(frame), { targetOrigin: HOST, opaqueOrigin: true })).toThrow(/no origin/);
    expect(() => createPostMessageTransport({} as never)).toThrow(/has no postMessage/);
    expect(() => createPostMessageTransport(host.as(frame), { side: 'host' as never })).toThrow(/side is "host"/);
    expect(() => createPostMessageTransport(host.as(frame), { targetOrigin: 'capacitor://localhost' })).not.toThrow();
  });
});

describe('a sandboxed window', () => {
  it('is taken only where that is said', async () => {
    const { frame, page, agent } = windows('null');
    const atAgent = agent();
    void atAgent.connect();
    void page().connect();
    await turns();
    expect([atAgent.state, frame.posted]).toEqual(['connecting', []]);
  });

  it('gets the port and nothing else', async () => {
    const { frame, page, agent } = windows('null');
    const [atPage, atAgent] = [page(), agent({ targetOrigin: undefined, opaqueOrigin: true })];
    const record = recordTransport(atPage);
    await Promise.all([atAgent.connect(), atPage.connect()]);
    atAgent.send(ping);
    expect(await record.whenMessages(1)).toEqual([ping]);
    expect(frame.posted).toEqual([
      { message: expect.objectContaining({ handshake: 'oui-v1-ack' }) as object, targetOrigin: '*' },
    ]);
  });

  it('is not connected when it takes no port', async () => {
    const { host, frame, agent } = windows('null');
    const atAgent = agent({ targetOrigin: undefined, opaqueOrigin: true });
    void atAgent.connect();
    (host.as(frame) as unknown as Window).postMessage({ __oui__: true, handshake: 'oui-v1' }, HOST);
    await turns();
    expect([atAgent.state, frame.posted]).toEqual(['connecting', []]);
    expect(String(warn.mock.calls[0]?.[0])).toMatch(/^\[OUI1702\] A window without an origin was not connected/);
  });
});

describe('ports', () => {
  it('need no origin, and their own end ends the connection for good', async () => {
    const { port1, port2 } = new MessageChannel();
    const [atPage, atAgent] = [make(port1 as never, {}), make(port2 as never, { side: 'agent' })];
    await Promise.all([atAgent.connect(), atPage.connect()]);
    const record = recordTransport(atPage);
    port2.close();
    await once(port1, 'close');
    await record.whenState('disconnected');
    expect(record.states).toEqual([{ state: 'disconnected', reason: 'the other end is gone' }]);
  });

  it('that close before anybody answered end the wait for a connection', async () => {
    const { port1, port2 } = new MessageChannel();
    const waiting = make(port1 as never, {}).connect();
    port2.close();
    await expect(waiting).rejects.toThrow('The other end is gone: its port is closed.');
  });

  it('carry nothing that reaches a prototype', async () => {
    const { port1, port2 } = new MessageChannel();
    const runtime = createRuntime(
      { transport: make(port1 as never, {}) },
      { hosts: () => [createInProcessHostFactory({ engine: { createDriver, createInterpretedValidator } })] },
    );
    const ran = vi.fn();
    const action = { id: 'add_todo', description: 'Add', input: {}, handler: ran };
    runtime.mount(defineSurface({ id: 'todo-app', name: 'Todos', description: 'A list', actions: [action] }));
    const agent = make(port2 as never, { side: 'agent' });
    const record = recordTransport(agent);
    await agent.connect();
    const params = JSON.parse('{"__proto__": {"polluted": true}}') as object;
    const payload = { requestId: 'r1', surfaceId: 'todo-app', actionId: 'add_todo', params, timestamp: 1 };
    port2.postMessage({ __oui__: true, event: { type: 'action:request', payload } });
    const isResult = (message: unknown): boolean => (message as OUIEvent).type === 'action:result';
    await until(() => expect(record.messages.some(isResult)).toBe(true));
    expect(record.messages.find(isResult)).toMatchObject({
      payload: { success: false, error: { code: 'VALIDATION_ERROR', message: expect.stringContaining('__proto__') as string } },
    });
    expect(ran).not.toHaveBeenCalled();
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    runtime.dispose();
  });

  it('may be those of Electron, which have no addEventListener and give events', async () => {
    const ends = [new EventEmitter(), new EventEmitter()] as const;
    const targets = ends.map((own, index) => Object.assign(own, {
      postMessage(message: unknown) {
        const data: unknown = structuredClone(message);
        setImmediate(() => ends[1 - index]!.emit('message', { data, ports: [] }));
      },
      start: () => undefined,
    }));
    const [atPage, atAgent] = [make(targets[0] as never, {}), make(targets[1] as never, { side: 'agent' })];
    const record = recordTransport(atAgent);
    await Promise.all([atAgent.connect(), atPage.connect()]);
    atPage.send(ping);
    expect(await record.whenMessages(1)).toEqual([ping]);
    atPage.disconnect();
    atAgent.disconnect();
    expect(targets.map((target) => target.listenerCount('message') + target.listenerCount('close'))).toEqual([0, 0]);
  });
});
