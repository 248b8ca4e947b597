import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOUI } from '../../../src/entries/compat-core.js';
import type { OUIActionResult } from '../../../src/compat/wire-types.js';
import { createSocketPair } from '../transports/socket-pair.js';
import { pass, surfaceOf } from './compat-page.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function instance(parts: Parameters<typeof surfaceOf>[0] = [{ id: 'go_on' }], getContext?: () => unknown) {
  const pair = createSocketPair();
  const oui = createOUI({ socket: pair.client, surfaces: [surfaceOf(parts)], ...(getContext && { getContext }) });
  const server = pair.connect();
  const results: OUIActionResult[] = [];
  server.on('oui:action:result', (result: OUIActionResult) => results.push(result));
  const names = () => pair.client.emitted.map(({ event }) => event);
  const dispatch = async (requestId: string) => {
    server.emit('oui:dispatch', { requestId, surfaceId: 'todo-app', actionId: 'go_on', params: {}, timestamp: 1 });
    await pass(300);
  };
  return { oui, pair, results, names, dispatch };
}

describe('createOUI', () => {
  it('registers on start, answers requests with the context, and deregisters on stop', async () => {
    const handler = vi.fn((_params: unknown, context: string) => ({ success: true, data: context }));
    const { oui, pair, results, names, dispatch } = instance([{ id: 'go_on', handler: handler as never }], () => 'context');
    expect(oui.manifests).toMatchObject([{ id: 'todo-app', actions: [{ id: 'go_on' }] }]);
    expect(oui.getSurface('todo-app')).toMatchObject({ id: 'todo-app' });
    expect(oui.getSurface('gone')).toBeUndefined();
    expect(names()).toEqual([]);
    await Promise.all([oui.start(), oui.start()]);
    await pass(0);
    expect(names()).toEqual(['oui:surface:register']);
    await dispatch('r1');
    expect(results).toMatchObject([{ requestId: 'r1', success: true, data: 'context' }]);
    oui.stop();
    await pass(2_000);
    expect(names().at(-1)).toBe('oui:surface:deregister');
    expect(pair.client.listening()).toEqual({});
    expect(pair.client.calls).toEqual([]);
  });

  it('leaves requests to who listens for them on its transport: none runs twice', async () => {
    const handler = vi.fn(() => ({ success: true, data: 'own' }));
    const { oui, results, dispatch } = instance([{ id: 'go_on', handler }]);
    const off = oui.transport.onAction(({ requestId }) => {
      oui.transport.sendResult({ requestId, success: true, data: 'by hand', timestamp: 1 });
    });
    await oui.start();
    await dispatch('r1');
    expect(handler).not.toHaveBeenCalled();
    off();
    await dispatch('r2');
    expect(results.map(({ requestId, data }) => [requestId, data])).toEqual([['r1', 'by hand'], ['r2', 'own']]);
  });

  it('refuses what only a program without types can write', () => {
    const { client: socket } = createSocketPair();
    const surface = surfaceOf([{ id: 'go_on' }]);
    expect(() => createOUI({ surfaces: [surface] } as never)).toThrow('needs a socket');
    expect(() => createOUI({ socket, surfaces: [] } as never)).toThrow('at least one surface');
    expect(() => createOUI({ socket, surfaces: [surface, surface] } as never)).toThrow('Duplicate surface id: "todo-app"');
  });
});
