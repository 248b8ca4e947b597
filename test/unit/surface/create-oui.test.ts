import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDriver } from '../../../src/engine/driver.js';
import { createInstance } from '../../../src/surface/create-oui.js';
import type { OwnedTransport } from '../../../src/surface/create-oui.js';
import { defineSurface } from '../../../src/surface/definition/define-surface.js';
import { createInProcessHostFactory } from '../../../src/surface/link/in-process-host.js';
import { createSocketTransport } from '../../../src/transports/socket-io.js';
import { createInterpretedValidator } from '../../../src/validation/interpreted.js';
import { createSocketPair } from '../transports/socket-pair.js';
import { pass } from './whole-page.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const wiring = { hosts: () => [createInProcessHostFactory({ engine: { createDriver, createInterpretedValidator } })] };

const counter = defineSurface({
  id: 'counter',
  name: 'Counter',
  description: 'A number that can be raised.',
  actions: [
    {
      id: 'add',
      description: 'Adds to it.',
      effect: 'view',
      input: { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] },
      handler: ({ amount }, page: { readonly count: number }) => page.count + amount,
    },
  ],
  observations: [{ id: 'count', description: 'The number.', schema: { type: 'integer' } }],
});
const plain = defineSurface({
  id: 'plain',
  name: 'Plain',
  description: 'Needs nothing of the page.',
  actions: [{ id: 'ping_it', description: 'Answers.', effect: 'view', input: {}, handler: () => 'pong' }],
});

const contexts = { counter: () => ({ count: 40 }) };

function openInstance(namespace?: string) {
  const pair = createSocketPair();
  const server = pair.connect();
  const transport = namespace === undefined ? {} : { transport: { namespace } };
  const oui = createInstance({ socket: pair.client, surfaces: [counter, plain], contexts, ...transport }, wiring);
  return { ...pair, server, oui };
}

function request(actionId: string, surfaceId: string, params: object = {}) {
  return { requestId: `r-${actionId}`, surfaceId, actionId, params, timestamp: Date.now() };
}

describe('createOUI', () => {
  it('mounts its surfaces and answers requests on the socket', async () => {
    const { client, server } = openInstance();
    await pass(0);
    const registered = client.emitted.filter(({ event }) => event === 'oui:surface:register');
    expect(registered.map(({ args }) => (args[0] as { surface: { id: string } }).surface.id)).toEqual(['counter', 'plain']);
    server.emit('oui:dispatch', request('add', 'counter', { amount: 2 }));
    server.emit('oui:dispatch', request('ping_it', 'plain'));
    await pass(0);
    const results = client.emitted.filter(({ event }) => event === 'oui:action:result').map(({ args }) => args[0]);
    expect(results).toMatchObject([
      { requestId: 'r-add', success: true, data: 42 },
      { requestId: 'r-ping_it', success: true, data: 'pong' },
    ]);
  });

  it('sends the observations of its surfaces, under its namespace', async () => {
    const { client, oui } = openInstance('app');
    await pass(0);
    oui.surfaces.counter.pushObservation('count', 7);
    await pass(100);
    const sent = client.emitted.filter(({ event }) => event === 'app:observation').map(({ args }) => args[0]);
    expect(sent).toMatchObject([{ surfaceId: 'counter', observationId: 'count', value: 7 }]);
    expect(client.emitted.some(({ event }) => event.startsWith('oui:'))).toBe(false);
  });

  it('neither connects nor ends the socket, and leaves none of its listeners', async () => {
    const { client, oui } = openInstance();
    await pass(0);
    expect(Object.keys(client.listening())).not.toEqual([]);
    oui.dispose();
    oui.dispose();
    await pass(2_000);
    expect([client.calls, client.listening()]).toEqual([[], {}]);
  });

  it('does not compile without a socket', () => {
    // @ts-expect-error the application owns the connection
    expect(() => createInstance({ surfaces: [plain] }, wiring)).toThrow(TypeError);
  });

  it('does not compile without surfaces', () => {
    // @ts-expect-error there is nothing that an agent could do
    expect(() => createInstance({ socket: createSocketPair().client, surfaces: [] }, wiring)).toThrow(TypeError);
  });

  it('does not compile with two surfaces of one id', () => {
    // @ts-expect-error the second would take the place of the first
    expect(() => createInstance({ socket: createSocketPair().client, surfaces: [plain, plain] }, wiring)).toThrow(TypeError);
  });

  it('does not compile with a surface that defineSurface did not return', () => {
    const { socket, handmade } = { socket: createSocketPair().client, handmade: { ...plain } };
    const { id, name, description, actions } = handmade;
    // @ts-expect-error nobody has checked it
    const open = () => createInstance({ socket, surfaces: [{ id, name, description, actions }] }, wiring);
    expect(open).toThrow(/what defineSurface\(\) returned/);
  });

  it('owns its transport: one made by hand does not compile in its place', () => {
    const { oui, client } = openInstance();
    const owned: OwnedTransport = oui.transport;
    // @ts-expect-error only createOUI makes one
    const mine: OwnedTransport = createSocketTransport(client);
    expect(mine).not.toBe(owned);
    oui.dispose();
  });

  it.each<[what: string, options: object, message: RegExp]>([
    ['a socket', { surfaces: [plain] }, /needs a socket that is Socket\.IO-shaped/],
    ['a socket that can be listened to', { socket: { emit: () => 1 }, surfaces: [plain] }, /with on, off and emit/],
    ['surfaces', { socket: createSocketPair().client }, /at least one surface/],
    ['a surface', { socket: createSocketPair().client, surfaces: [] }, /at least one surface/],
    ['ids that differ', { socket: createSocketPair().client, surfaces: [plain, plain] }, /two surfaces with the id "plain"/],
    ['checked surfaces', { socket: createSocketPair().client, surfaces: [{ id: 'x' }] }, /what defineSurface\(\) returned/],
  ])('asks for %s where no compiler did', (_what, options, message) => {
    expect(() => createInstance(options as never, wiring)).toThrow(message);
  });
});
