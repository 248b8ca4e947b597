import { describe, expect, it } from 'vitest';
import { createDriver, type DriverPorts } from '../../../src/engine/driver.js';
import type { EngineEffect, EngineInput } from '../../../src/protocol/engine-messages.js';
import * as LIMITS from '../../../src/protocol/limits.js';
import type { Transport, TransportState } from '../../../src/protocol/ports.js';
import { CONFIG, surface } from './engine-bench.js';

/** A transport whose state, backlog and arrivals the test decides. */
function scriptedTransport() {
  const frames: string[] = [];
  const stateHandlers = new Set<(state: TransportState, reason?: string) => void>();
  const eventHandlers = new Set<(message: unknown) => void>();
  const transport = {
    state: 'disconnected' as TransportState,
    bufferedBytes: 0,
    failure: undefined as Error | undefined,
    reconnects: [] as string[],
    frames,
    async connect() {
      if (transport.failure) throw transport.failure;
      transport.become('connected');
    },
    disconnect() {
      transport.become('disconnected');
    },
    reconnect(reason: string) {
      transport.reconnects.push(reason);
    },
    send: (event: unknown) => void frames.push(JSON.stringify(event)),
    sendText: (text: string) => void frames.push(text),
    onEvent(handler: (message: unknown) => void) {
      eventHandlers.add(handler);
      return () => void eventHandlers.delete(handler);
    },
    onState(handler: (state: TransportState, reason?: string) => void) {
      stateHandlers.add(handler);
      return () => void stateHandlers.delete(handler);
    },
    become(state: TransportState, reason?: string) {
      transport.state = state;
      for (const handler of stateHandlers) handler(state, reason);
    },
    arrive(message: unknown) {
      for (const handler of eventHandlers) handler(message);
    },
    listeners: () => stateHandlers.size + eventHandlers.size,
    values: () =>
      frames
        .map((frame) => JSON.parse(frame) as { type: string; payload: { value?: unknown } })
        .filter(({ type }) => type === 'observation:update')
        .map(({ payload }) => payload.value),
  };
  return transport satisfies Transport;
}

function setUp(
  transport: ReturnType<typeof scriptedTransport> | undefined = scriptedTransport(),
  late?: DriverPorts['late'],
  owns = true,
) {
  const timers = new Set<{ at: number; callback: () => void }>();
  const toPage: EngineEffect[] = [];
  const clock = { now: 0 };
  const ports: DriverPorts = {
    moment: () => ({ now: clock.now, wall: clock.now }),
    setTimer(ms, callback) {
      const timer = { at: clock.now + ms, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    validator: { compile: () => () => [] },
    transport: owns ? transport : undefined,
    late,
    toPage: (effects) => void toPage.push(...effects),
  };
  const driver = createDriver(ports);
  const pass = (ms: number) => {
    clock.now += ms;
    for (const timer of [...timers]) {
      if (timer.at > clock.now) continue;
      timers.delete(timer);
      timer.callback();
    }
  };
  return { driver, transport, toPage, timers, pass };
}

const start = [
  { kind: 'configure', config: CONFIG },
  { kind: 'mount', mountId: 1, surface: surface(), policies: {} },
] as const;

const observe = (value: string) => ({ kind: 'observe', mountId: 1, observationId: 'todo_list', value }) as const;

describe('the driver', () => {
  it('connects after the first inputs, and carries frames both ways', async () => {
    const { driver, transport, toPage } = setUp();
    driver.post(start);
    expect(transport.frames).toEqual([]);
    await Promise.resolve();
    expect(transport.frames.map((frame) => (JSON.parse(frame) as { type: string }).type)).toEqual([
      'x-oui:hello',
      'surface:register',
    ]);
    const payload = { requestId: 'r', surfaceId: 'todo-app', actionId: 'list_todos', params: {}, timestamp: 1 };
    transport.arrive({ type: 'action:request', payload });
    expect(toPage.filter(({ kind }) => kind === 'run')).toHaveLength(1);
    expect(toPage.some(({ kind }) => kind === 'set-timer' || kind === 'clear-timer' || kind === 'send')).toBe(false);
  });

  it('gives frames to the page when it owns no connection', () => {
    const { driver, toPage } = setUp(undefined as never);
    const own = createDriver({
      moment: () => ({ now: 0, wall: 0 }),
      setTimer: () => () => {},
      validator: { compile: () => () => [] },
      toPage: (effects) => void toPage.push(...effects),
    });
    own.post([...start, { kind: 'connected' }]);
    expect(toPage.filter(({ kind }) => kind === 'send')).toHaveLength(2);
    driver.close();
  });

  it('tells the page why no connection can be had', async () => {
    const transport = scriptedTransport();
    transport.failure = new Error('refused');
    const { driver, toPage } = setUp(transport);
    driver.post(start);
    await new Promise((resolve) => setImmediate(resolve));
    expect(toPage).toContainEqual({ kind: 'connection', state: 'disconnected', reason: 'refused' });
  });

  it('holds back all but the newest observation while the peer reads slowly', async () => {
    const { driver, transport, pass } = setUp();
    driver.post(start);
    await Promise.resolve();
    transport.bufferedBytes = 2 * 1024 * 1024;
    for (const value of ['1', '2', '3']) driver.post([observe(value)]);
    expect(transport.values()).toEqual([]);
    pass(100);
    expect(transport.values()).toEqual([]);
    transport.bufferedBytes = 0;
    pass(100);
    expect(transport.values()).toEqual([3]);
  });

  it('never lets a result overtake an update', async () => {
    const { driver, transport } = setUp();
    driver.post(start);
    await Promise.resolve();
    const payload = { requestId: 'r', surfaceId: 'todo-app', actionId: 'list_todos', params: {}, timestamp: 1 };
    transport.arrive({ type: 'action:request', payload });
    transport.bufferedBytes = 2 * 1024 * 1024;
    driver.post([
      observe('9'),
      { kind: 'returned', requestId: 'r', outcome: { success: true } },
      { kind: 'settled', requestId: 'r', settled: true },
    ]);
    const types = transport.frames.map((frame) => (JSON.parse(frame) as { type: string }).type);
    expect(types.slice(-2)).toEqual(['observation:update', 'action:result']);
  });

  it('lets go of everything when it is closed', async () => {
    const { driver, transport, timers } = setUp();
    driver.post(start);
    await Promise.resolve();
    expect(timers.size).toBeGreaterThan(0);
    driver.close();
    driver.close();
    expect(timers.size).toBe(0);
    expect(transport.listeners()).toBe(0);
    expect(transport.state).toBe('disconnected');
  });
});

describe('code of the engine that comes later', () => {
  /** A part that mounts need, and what became of it. */
  function latePart() {
    const said: string[] = [];
    let resolve = (): void => {};
    let reject = (_: Error): void => {};
    let there = false;
    return {
      said,
      come: () => {
        there = true;
        resolve();
        return idle();
      },
      stayAway: (reason: string) => {
        reject(new Error(reason));
        return idle();
      },
      late: {
        before: ({ kind }) => {
          if (there || kind !== 'mount') return undefined;
          return new Promise((...given) => ([resolve, reject] = given));
        },
        failed: (reason) => void said.push(reason),
        faulted: ({ kind }, error) => void said.push(`${kind}: ${String(error)}`),
      } satisfies NonNullable<DriverPorts['late']>,
    };
  }
  const idle = () => new Promise((resolve) => setImmediate(resolve));
  const request = { requestId: 'r', surfaceId: 'todo-app', actionId: 'list_todos', params: {}, timestamp: 1 };
  const taken = (effects: readonly EngineEffect[]) =>
    effects.flatMap((effect) => (effect.kind === 'taken' ? [effect.count] : []));

  it('holds what needs it, and all that comes behind from any side, in order', async () => {
    const { late, come, said } = latePart();
    const { driver, transport, toPage } = setUp(scriptedTransport(), late);
    driver.post(start);
    driver.post([observe('1')]);
    await idle();
    transport.arrive({ type: 'action:request', payload: request });
    driver.post([
      { kind: 'execute', request: { ...request, requestId: 'own' }, nested: false },
      { kind: 'withdraw', requestId: 'none' },
    ]);
    expect(transport.frames).toEqual([]);
    expect(toPage.filter(({ kind }) => kind !== 'connection')).toEqual([]);
    await come();
    expect(transport.frames.map((frame) => (JSON.parse(frame) as { type: string }).type)).toEqual([
      'x-oui:hello',
      'surface:register',
      'observation:update',
    ]);
    expect(toPage.flatMap((effect) => (effect.kind === 'run' ? [effect.requestId] : []))).toEqual(['r', 'own']);
    expect(taken(toPage).reduce((all, count) => all + count, 0)).toBe(1);
    expect(said).toEqual([]);
  });

  it('says that it cannot go on when it does not come, and takes nothing any more', async () => {
    const { late, stayAway, said } = latePart();
    const { driver, transport } = setUp(scriptedTransport(), late);
    driver.post(start);
    await stayAway('404');
    driver.post([observe('1')]);
    await idle();
    expect(said).toEqual(['404']);
    expect(transport.frames).toEqual([]);
  });

  it('says nothing when it was closed meanwhile', async () => {
    const { late, stayAway, said } = latePart();
    const { driver } = setUp(scriptedTransport(), late);
    driver.post(start);
    driver.close();
    await stayAway('404');
    expect(said).toEqual([]);
  });

  describe('and has not when the runtime ends', () => {
    const answers = (frames: readonly { readonly type: string; readonly payload: unknown }[]) =>
      frames.flatMap(({ type, payload }) => {
        if (type !== 'action:result') return [];
        const { requestId, error } = payload as { requestId: string; error?: { code: string; details?: unknown } };
        return [[requestId, error?.code, error?.details]];
      });
    const own = { ...request, requestId: 'own', surfaceId: 'oui', actionId: 'read' };
    const refused = ['r', 'own'].map((id) => [id, 'SURFACE_UNAVAILABLE', { ran: false }]);

    it.each<[what: string, end: (driver: ReturnType<typeof createDriver>) => void]>([
      ['is told so', (driver) => driver.post([{ kind: 'dispose' }])],
      ['is closed without a word', (driver) => driver.close()],
    ])('every request that is held is answered: the engine %s', async (what, end) => {
      const { late, come, stayAway, said } = latePart();
      const { driver, transport, toPage } = setUp(scriptedTransport(), late);
      driver.post([{ kind: 'configure', config: { ...CONFIG, hasGate: true } }, ...start.slice(1)]);
      await idle();
      for (const payload of [request, own]) transport.arrive({ type: 'action:request', payload });
      end(driver);
      expect(answers(transport.frames.map((frame) => JSON.parse(frame) as never))).toEqual(refused);
      expect(toPage.filter(({ kind }) => kind === 'run' || kind === 'ask-gate')).toEqual([]);
      expect(toPage).toContainEqual({ kind: 'closed' });
      await (what === 'is told so' ? stayAway('404') : come());
      expect(said).toEqual([]);
    });

    it('over the page\'s transport too, together with the word that it has ended', async () => {
      const { late } = latePart();
      const { driver, toPage } = setUp(undefined, late, false);
      driver.post([...start, { kind: 'connected', connection: 1 }]);
      for (const payload of [request, own]) {
        driver.post([{ kind: 'message', message: { type: 'action:request', payload } }]);
      }
      driver.post([{ kind: 'dispose' }]);
      const sent = toPage.flatMap((effect) =>
        effect.kind === 'send' ? [{ type: effect.type, payload: JSON.parse(effect.payload) as unknown }] : []);
      expect(answers(sent)).toEqual(refused);
      expect(toPage).toContainEqual({ kind: 'closed' });
      await idle();
    });

    it('what a handler had come to is told, and not lost', async () => {
      const { late } = latePart();
      const { driver, toPage } = setUp(undefined, late, false);
      const entry = { requestId: 'r', stage: 'running', origin: 'agent', request, waits: false, receivedAt: 0, deadlineAt: 9 };
      driver.post([
        ...start,
        { kind: 'restore', entries: [entry as never] },
        { kind: 'returned', requestId: 'r', outcome: { success: true, data: '7' } },
        { kind: 'connected', connection: 1 },
        { kind: 'dispose' },
      ]);
      const results = toPage.flatMap((effect) =>
        effect.kind === 'send' && effect.type === 'action:result' ? [JSON.parse(effect.payload) as unknown] : []);
      expect(results).toMatchObject([{ requestId: 'r', success: true, data: 7 }]);
      await idle();
    });
  });

  it('an input that it fails on costs none of those behind it', async () => {
    const { late, come, said } = latePart();
    const { driver, toPage } = setUp(scriptedTransport(), late);
    const broken = { kind: 'execute', nested: false, request: null } as unknown as EngineInput;
    driver.post([...start, broken, { kind: 'execute', request, nested: false }]);
    await come();
    expect(said).toEqual([expect.stringMatching(/^execute: TypeError/)]);
    expect(toPage.filter(({ kind }) => kind === 'run')).toHaveLength(1);
  });
});

describe('frames that are watched', () => {
  const frames = (toPage: readonly EngineEffect[]) =>
    toPage.flatMap((effect) => (effect.kind === 'frame' ? [effect.frame] : []));

  it('are told as they go over its own connection, both ways, from when to when somebody watches', async () => {
    const { driver, transport, toPage } = setUp();
    driver.post([{ kind: 'configure', config: CONFIG }]);
    await Promise.resolve();
    expect(transport.frames.length).toBeGreaterThan(0);
    expect(frames(toPage)).toEqual([]);
    driver.post([{ kind: 'watch-frames', on: true }, { kind: 'mount', mountId: 1, surface: surface(), policies: {} }]);
    transport.arrive({ type: 'x-oui:ping', payload: { é: 1 } });
    const [registered, ping] = frames(toPage);
    expect(registered).toMatchObject({ direction: 'out', type: 'surface:register' });
    expect(registered!.bytes).toBe(new TextEncoder().encode(transport.frames.find((each) => each.includes('register'))).length);
    expect(ping).toEqual({ direction: 'in', type: 'x-oui:ping', payload: '{"é":1}', bytes: 40, at: 0 });
    expect(ping!.bytes).toBe(new TextEncoder().encode('{"type":"x-oui:ping","payload":{"é":1}}').length);
    driver.post([{ kind: 'watch-frames', on: false }]);
    const before = toPage.length;
    transport.arrive({ type: 'x-oui:ping', payload: {} });
    expect(frames(toPage.slice(before))).toEqual([]);
  });

  it('are those that were handed to the transport: what a slow reader is spared is none', async () => {
    const { driver, transport, toPage, pass } = setUp();
    driver.post(start);
    await Promise.resolve();
    driver.post([observe('0')]);
    driver.post([{ kind: 'watch-frames', on: true }]);
    transport.bufferedBytes = 10 * LIMITS.frameBytes;
    driver.post(['1', '2', '3'].map(observe));
    expect(frames(toPage)).toEqual([]);
    transport.bufferedBytes = 0;
    pass(100);
    expect(frames(toPage).map(({ payload }) => (JSON.parse(payload) as { value: unknown }).value)).toEqual([3]);
  });

  it('are cut where they are long, and say how long they were', async () => {
    const { driver, transport, toPage } = setUp();
    driver.post([{ kind: 'configure', config: CONFIG }, { kind: 'watch-frames', on: true }]);
    await Promise.resolve();
    const long = 'x'.repeat(LIMITS.inspectedFrameLength);
    transport.arrive({ type: 'x-long', payload: long });
    transport.arrive(null);
    const [cut, none] = frames(toPage).slice(-2);
    expect(cut).toMatchObject({ cut: true, bytes: long.length + 2 + '{"type":"x-long","payload":}'.length });
    expect(cut!.payload).toHaveLength(LIMITS.inspectedFrameLength);
    expect(none).toMatchObject({ type: '', payload: 'null' });
  });
});
