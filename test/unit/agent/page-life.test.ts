import { describe, expect, it } from 'vitest';
import { createAgentRuntime } from '../../../src/agent/agent-runtime.js';
import { ManualClock } from './manual-clock.js';
import { createScene, ScriptedPage, simpleValidator, todos, turnOfTheLoop } from './scripted-page.js';

const ADD = 'todo-app__add_todo';

describe('the hello', () => {
  it('is answered with ours; active is what both name', () => {
    const { page, agent, clock } = createScene({ software: 'my-agent/1' }, {
      hello: { features: ['ack', 'later', 'ping'], url: 'https://a.example/', title: 'A' },
    });
    const features = ['receipt', 'ack', 'cancel', 'approval', 'ping', 'index', 'attachment'];
    const ours = { protocol: '0.1', software: 'my-agent/1', features, now: clock.wall() };
    expect(page.heard('x-oui:hello')).toEqual([ours]);
    expect(agent.page).toEqual({
      connected: true, clientId: 'tab-1', url: 'https://a.example/', title: 'A', software: 'scripted/1',
      confirmBy: 'page', features: ['ack', 'ping'], mayBeFrozen: false,
    });
  });

  it('and requests tell the time by one clock, which nobody sets', () => {
    const { page, agent, clock } = createScene();
    void agent.call(ADD, { title: 'Milk' });
    clock.wallOffset -= 90_000;
    page.hello();
    const [request] = page.heard('action:request') as { timestamp: number }[];
    const hello = page.heard('x-oui:hello').at(-1) as { now: number };
    expect(hello.now).toBe(request!.timestamp);
  });

  it('is not sent to a page that registers without one', () => {
    const { page, agent } = createScene({}, { plain: true });
    expect(page.sent).toEqual([]);
    expect(agent.page).toEqual({ connected: true, features: [], mayBeFrozen: false });
  });

  it('makes room for what a page registers that has started anew', () => {
    const { page, agent } = createScene({}, { surfaces: [todos, { ...todos, id: 'old-one' }] });
    page.hello();
    expect(agent.surfaces()).toEqual([]);
    page.register(todos);
    expect(agent.surfaces().map(({ id }) => id)).toEqual(['todo-app']);
  });

  it('is followed by pings, which are answered', () => {
    const { page } = createScene();
    page.say('x-oui:ping', {});
    expect(page.heard('x-oui:pong')).toEqual([{}]);
  });
});

describe('a transport', () => {
  it('is connected when it is not', async () => {
    const page = new ScriptedPage('disconnected');
    const agent = createAgentRuntime({ validator: simpleValidator });
    expect(agent.page.connected).toBe(false);
    agent.attach(page);
    await turnOfTheLoop();
    expect(agent.page.connected).toBe(true);
    agent.dispose();
    expect(page.disconnects).toBe(1);
    expect(page.listeners).toBe(0);
  });

  it('is let go when another takes its place', () => {
    const { page, agent } = createScene();
    const second = new ScriptedPage();
    agent.attach(second);
    agent.attach(second);
    expect(page.listeners).toBe(0);
    expect(page.state).toBe('disconnected');
    expect(agent.tools()).toEqual([]);
    second.hello();
    second.register(todos);
    expect(agent.tools()).not.toEqual([]);
    expect(second.heard('x-oui:hello')).toHaveLength(1);
  });
});

describe('a page that disconnects', () => {
  it('loses its tools and observations at once', async () => {
    const { page, agent, events, clock } = createScene();
    page.say('observation:update', { surfaceId: 'todo-app', observationId: 'open_count', value: 3, timestamp: 5 });
    events.length = 0;
    page.become('disconnected');
    expect(agent.tools()).toEqual([]);
    expect(agent.observations()).toEqual([]);
    expect(agent.page).toMatchObject({ connected: false, clientId: 'tab-1' });
    expect(events).toEqual([{ type: 'tools' }, { type: 'page' }]);
    expect(agent.awaitedTools().map(({ name }) => name)).toContain(ADD);
    clock.advance(15_000);
    expect(agent.awaitedTools()).toEqual([]);
    const { result } = await agent.call(ADD, { title: 'x' });
    expect(result.error).toMatchObject({ code: 'SURFACE_UNAVAILABLE', details: { ran: false } });
  });

  it('ends its calls at once when nothing tells it from others', async () => {
    const { page, call, agent, clock } = createScene({}, { plain: true });
    const { done } = call(ADD);
    const waiting = agent.call(ADD, { title: 'y' });
    page.become('disconnected');
    expect((await done).result.error).toMatchObject({ code: 'SURFACE_UNAVAILABLE', details: { ran: 'unknown' } });
    expect((await waiting).result.error).toMatchObject({ code: 'SURFACE_UNAVAILABLE', details: { ran: false } });
    expect(clock.open).toBe(0);
  });

  it('is waited for when its clientId is known; its next document answers what was open', async () => {
    const { page, call, agent, clock } = createScene();
    const { done, requestId } = call(ADD);
    const waiting = agent.call(ADD, { title: 'two' });
    page.say('x-oui:receipt', { requestId, ok: true });
    page.become('disconnected');
    clock.advance(14_999);
    const next = new ScriptedPage();
    agent.attach(next);
    next.hello();
    next.register(todos);
    clock.advance(15_000);
    const request = next.next('action:request');
    next.result(requestId, { data: 'from the next document' });
    expect((await done).result.data).toBe('from the next document');
    expect(next.heard('x-oui:ack')).toEqual([{ requestId, interim: false, ok: true }]);
    next.result(((await request).payload as { requestId: string }).requestId);
    expect((await waiting).result.success).toBe(true);
  });

  it('may come back over the transport that it had', async () => {
    const { page, call } = createScene();
    const { done, requestId } = call(ADD);
    page.become('connecting');
    page.become('connected');
    page.hello();
    page.result(requestId);
    expect((await done).result.success).toBe(true);
  });

  it('is given up after 15 s', async () => {
    const { page, call, clock } = createScene();
    const { done } = call(ADD);
    page.become('disconnected');
    clock.advance(15_000);
    const { result } = await done;
    expect(result.error).toMatchObject({ code: 'SURFACE_UNAVAILABLE', details: { ran: 'unknown' } });
    expect(clock.open).toBe(0);
  });

  it('gets no more time by connecting without a word', async () => {
    const { page, call, clock } = createScene();
    const { done } = call(ADD);
    page.become('disconnected');
    clock.advance(10_000);
    page.become('connected');
    page.become('disconnected');
    clock.advance(5_000);
    expect((await done).result.error?.message).toContain('within 15 s');
    expect(clock.open).toBe(0);
  });

  it.each([
    ['another clientId', (page: ScriptedPage) => page.hello({ clientId: 'tab-2' })],
    ['no hello', (page: ScriptedPage) => page.register(todos)],
  ])('is another page when it has %s', async (_name, arrive) => {
    const { page, call, agent } = createScene();
    const { done } = call(ADD);
    page.become('disconnected');
    const next = new ScriptedPage();
    agent.attach(next);
    arrive(next);
    expect((await done).result.error?.message).toContain('Another page');
  });

  it('loses a job of which its next document says nothing, and keeps one whose status it sends', async () => {
    const { page, call, agent, clock } = createScene({}, { surfaces: [{ ...todos, concurrent: true }] });
    const lost = call('todo-app__bulk_complete', {});
    const kept = call('todo-app__bulk_complete', {});
    const tell = (to: ScriptedPage, { requestId }: { requestId: string }) =>
      to.say('observation:update', {
        surfaceId: 'todo-app', observationId: 'todo-app:bulk_complete:status',
        value: { status: 'running', interim: true, requestId }, timestamp: 9,
      });
    for (const each of [lost, kept]) {
      page.result(each.requestId, { interim: true });
      tell(page, each);
    }
    page.become('disconnected');
    const next = new ScriptedPage();
    agent.attach(next);
    next.hello();
    next.register(todos);
    tell(next, kept);
    clock.advance(35_000);
    expect((await lost.done).result.error).toMatchObject({ code: 'SURFACE_UNAVAILABLE', details: { ran: 'unknown' } });
    next.result(kept.requestId, { interim: false, data: 'kept' });
    expect((await kept.done).result.data).toBe('kept');
  });

  it('keeps a job when it says nothing of any, once the surface is back', async () => {
    const { page, call, clock } = createScene();
    const { done, requestId } = call('todo-app__bulk_complete', {});
    page.result(requestId, { interim: true });
    page.become('disconnected');
    page.become('connected');
    page.hello();
    clock.advance(30_000);
    page.register(todos);
    clock.advance(30_000);
    page.result(requestId, { interim: false, data: { completed: 3 } });
    expect((await done).result).toMatchObject({ success: true, data: { completed: 3 } });
  });

  it('loses a job when it says nothing of any, and the surface does not come back', async () => {
    const { page, call, clock } = createScene();
    const { done, requestId } = call('todo-app__bulk_complete', {});
    page.result(requestId, { interim: true });
    page.become('disconnected');
    page.become('connected');
    page.hello();
    clock.advance(35_000);
    expect((await done).result.error).toMatchObject({ code: 'SURFACE_UNAVAILABLE', details: { ran: 'unknown' } });
  });
});

describe('dispose', () => {
  it('ends everything, once', async () => {
    const { page, call, agent, clock } = createScene();
    const { done } = call(ADD);
    const reading = agent.read('todo-app', 'report');
    agent.dispose();
    agent.dispose();
    expect((await done).result.error?.code).toBe('SURFACE_UNAVAILABLE');
    await expect(reading).rejects.toMatchObject({ name: 'AgentReadError', code: 'SURFACE_UNAVAILABLE' });
    expect((await agent.call(ADD, { title: 'x' })).result.error?.message).toContain('disposed');
    expect(() => agent.attach(new ScriptedPage())).toThrow('disposed');
    expect(page.disconnects).toBe(1);
    expect(page.listeners).toBe(0);
    expect(clock.open).toBe(0);
  });

  it('works on a runtime that never had a page', () => {
    const agent = createAgentRuntime({ validator: simpleValidator, timers: new ManualClock() });
    agent.dispose();
    expect(agent.tools()).toEqual([]);
  });
});
