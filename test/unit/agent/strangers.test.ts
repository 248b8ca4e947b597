import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { surfaceIndex } from '../../../src/rules/index-entry.js';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { createScene, todos } from './scripted-page.js';

beforeEach(() => {
  resetWarnings();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

describe('a page that is no friend', () => {
  it.each([
    null, 7, 'text', [], {}, { type: 4 }, { type: 'surface:register' }, { type: 'surface:register', payload: {} },
    { type: 'surface:register', payload: { surface: { id: 'a' }, timestamp: 1 } },
    { type: 'action:result', payload: { requestId: 'x', success: 'yes', timestamp: 1 } },
    { type: 'x-oui:hello', payload: { features: 'all' } },
  ])('has %j ignored', (message) => {
    const { page, agent } = createScene();
    page.raw(message);
    page.raw(message);
    expect(vi.mocked(console.warn).mock.calls.length).toBe(1);
    expect(agent.surfaces()).toEqual([todos]);
  });

  it('has events of other versions, and those that agents send, ignored without a word', () => {
    const { page } = createScene();
    page.say('surface:paint', {});
    page.say('x-oui:later', {});
    page.say('action:request', { requestId: 'r', surfaceId: 's', actionId: 'a', timestamp: 1 });
    page.say('x-oui:cancel', { requestId: 'r' });
    expect(console.warn).not.toHaveBeenCalled();
    expect(page.sent.map(({ type }) => type)).toEqual(['x-oui:hello']);
  });

  it('has messages that are too deep ignored; the call that one of them answers ends', async () => {
    const { page, agent, call, clock } = createScene();
    let deep: unknown = 1;
    for (let level = 0; level < 80; level++) deep = [deep];
    page.say('observation:update', { surfaceId: 'todo-app', observationId: 'open_count', value: deep, timestamp: 1 });
    expect(agent.observation('todo-app', 'open_count')?.hasValue).toBe(false);
    const { done, requestId } = call('todo-app__add_todo');
    page.result(requestId, { data: deep });
    clock.advance(5_000);
    expect((await done).result.error).toMatchObject({ code: 'INTERNAL_ERROR', details: { ran: 'unknown' } });
  });

  it('is read whole as long as it keeps to its frame: a large result is no failure', async () => {
    const { page, call, clock } = createScene();
    const numbers = new Array<number>(120_000).fill(1);
    const { done, requestId } = call('todo-app__add_todo');
    page.result(requestId, { data: 'done', observations: { 'todo-app': { open_count: numbers } } });
    expect((await done).result).toMatchObject({ success: true, data: 'done' });
    const next = call('todo-app__add_todo');
    page.result(next.requestId, { data: new Array<number>(600_000).fill(1) });
    clock.advance(5_000);
    expect((await next.done).result.error?.message).toContain('more than 524288 values');
  });

  it('cannot reach a prototype through its ids', async () => {
    const surface = { ...todos, id: 'constructor', concurrent: true };
    const { page, agent, call } = createScene({}, { surfaces: [surface] });
    const { done, requestId } = call('constructor__add_todo');
    page.say('observation:update', { surfaceId: 'constructor', observationId: 'toString', value: 1, timestamp: 1 });
    page.result(requestId, { observations: { constructor: { valueOf: 2 } } });
    expect((await done).changed).toEqual({ constructor: { toString: 1, valueOf: 2 } });
    page.raw(JSON.parse('{"type":"surface:register","payload":{"__proto__":{"x":1},"timestamp":1}}'));
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    expect(agent.surfaces()).toHaveLength(1);
  });

  it('cannot break the runtime, whatever it says and in whatever order', async () => {
    const id = fc.constantFrom('todo-app', 'other', 'oui', '__proto__', 'open_count', 'todo-app:bulk_complete:status');
    const value = fc.jsonValue({ maxDepth: 2 });
    const time = fc.integer({ min: 0, max: 50 });
    const requestId = fc.constantFrom('#0', '#1', '#2', 'unknown');
    const variants = [{ ...todos, id: 'other' }, { ...todos, observations: [] }, { ...todos, actions: [] }];
    const surface = fc.constantFrom(todos, ...variants);
    const index = fc.constantFrom(surfaceIndex(todos), surfaceIndex({ ...todos, id: 'other' }));
    const cut = fc.record({
      surface: id, observation: id, path: fc.constant(''), kind: fc.constant('list'), total: time, kept: time,
    });
    const targets = ['todo-app__add_todo', 'todo-app__bulk_complete', 'todo-app__delete_todo'];
    const step = fc.oneof(
      fc.record({ type: fc.constant('surface:register'), payload: fc.record({ surface, timestamp: time }) }),
      fc.record({ type: fc.constant('surface:register'), payload: fc.record({ index, timestamp: time }) }),
      fc.record({ type: fc.constant('surface:deregister'), payload: fc.record({ surfaceId: id, timestamp: time }) }),
      fc.record({
        type: fc.constant('observation:update'),
        payload: fc.record({
          surfaceId: id, observationId: id, value, timestamp: time,
          fit: fc.record({ observations: fc.array(cut, { maxLength: 2 }) }),
        }),
      }),
      fc.record({
        type: fc.constant('action:result'),
        payload: fc.record(
          {
            requestId, success: fc.boolean(), timestamp: time, interim: fc.boolean(), data: value,
            error: fc.constant({ code: 'C', message: 'm' }), surfaces: fc.array(surface, { maxLength: 2 }),
            index: fc.array(index, { maxLength: 2 }),
            observations: fc.dictionary(id, fc.dictionary(id, value)), surfacesHash: fc.constant('h'),
          },
          { requiredKeys: ['requestId', 'success', 'timestamp'] },
        ),
      }),
      fc.record({ type: fc.constant('x-oui:receipt'), payload: fc.record({ requestId, ok: fc.boolean() }) }),
      fc.record({
        type: fc.constant('x-oui:approval'),
        payload: fc.record({
          requestId, argsHash: fc.constant('h'), expiresAt: fc.integer(),
          state: fc.constantFrom('pending', 'granted', 'denied', 'expired'),
        }),
      }),
      fc.record({
        type: fc.constant('x-oui:hello'),
        payload: fc.record({
          protocol: fc.constant('0.1'), software: fc.constant('s'), now: fc.integer(),
          features: fc.subarray(['receipt', 'ack', 'cancel', 'approval', 'ping', 'index']),
          clientId: fc.constantFrom('tab-1', 'tab-2'), confirmBy: fc.constantFrom('page', 'agent'),
        }),
      }),
      fc.record({ type: fc.constantFrom('call', 'read', 'lose', 'wait'), payload: time }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.boolean(), async (steps, plain) => {
        const { page, agent, clock } = createScene({ confirm: () => true }, { plain });
        const calls: Promise<unknown>[] = [];
        for (const { type, payload } of steps) {
          if (type === 'call') {
            calls.push(agent.call(targets[Number(payload) % 3] ?? '', { title: 'x' }));
          } else if (type === 'read') {
            calls.push(agent.read('todo-app', 'open_count').catch(() => undefined));
            calls.push(agent.describe([targets[Number(payload) % 3] ?? '']));
          } else if (type === 'lose') {
            page.become('disconnected');
            page.become('connected');
          } else if (type === 'wait') {
            clock.advance(Number(payload) * 500);
          } else {
            const name = (payload as { requestId?: string }).requestId;
            const own = name?.startsWith('#') === true ? page.requests[Number(name.slice(1))]?.requestId : undefined;
            page.say(type, own === undefined ? payload : { ...(payload as object), requestId: own });
          }
        }
        agent.observations();
        agent.tools();
        agent.dispose();
        await Promise.all(calls);
        expect(clock.open).toBe(0);
        expect(page.listeners).toBe(0);
      }),
      { numRuns: 200 },
    );
    // Many runs on a busy machine: the limit is there to end a hang, not to measure.
  }, 60_000);
});
