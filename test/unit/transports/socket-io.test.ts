import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { OUIEvent } from '../../../src/protocol/events.js';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { createSocketTransport } from '../../../src/transports/socket-io.js';
import { createSocketPair } from './socket-pair.js';
import { recordTransport } from './transport-events.js';
import { until } from '../../until.js';

const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
beforeEach(() => {
  resetWarnings();
  warn.mockClear();
});

const request = (requestId: string): OUIEvent => ({
  type: 'action:request',
  payload: { requestId, surfaceId: 'todo-app', actionId: 'add_todo', params: {}, timestamp: 1 },
});
const result = (requestId: string, interim?: boolean): OUIEvent => ({
  type: 'action:result',
  payload: { requestId, success: true, timestamp: 1, ...(interim === undefined ? {} : { interim }) },
});
const hello: OUIEvent = { type: 'x-oui:hello', payload: { protocol: '0.1', software: 'a', features: [], now: 1 } };

/** Both ends of one socket, each with its transport. */
async function ends(options: Parameters<typeof createSocketTransport>[1] = {}) {
  const pair = createSocketPair();
  const page = createSocketTransport(pair.client, options);
  const server = pair.connect();
  const agent = createSocketTransport(server, { ...options, side: 'agent' });
  await Promise.all([page.connect(), agent.connect()]);
  return { pair, server, page, agent, atPage: recordTransport(page), atAgent: recordTransport(agent) };
}

describe('names on the socket', () => {
  it('gives the page\'s events these names, under the namespace', async () => {
    const { page, pair } = await ends();
    page.send({ type: 'surface:register', payload: { surface: {} as never, timestamp: 1 } });
    page.send({ type: 'surface:deregister', payload: { surfaceId: 'todo-app', timestamp: 1 } });
    page.send({ type: 'observation:update', payload: { surfaceId: 's', observationId: 'o', value: 1, timestamp: 1 } });
    page.send(result('r1'));
    page.send(hello);
    expect(pair.client.emitted.map(({ event }) => event)).toEqual([
      'oui:surface:register', 'oui:surface:deregister', 'oui:observation', 'oui:action:result', 'oui:x-oui:hello',
    ]);
  });

  it('gives the agent\'s events these names, under a namespace of one\'s own', async () => {
    const { agent, server, atPage } = await ends({ namespace: 'studio' });
    const pull: OUIEvent = {
      type: 'observation:request',
      payload: { surfaceId: 's', observationId: 'o', requestId: 'r2', timestamp: 1 },
    };
    agent.send(request('r1'));
    agent.send(pull);
    agent.send({ type: 'x-oui:cancel', payload: { requestId: 'r1' } });
    expect(server.emitted.map(({ event }) => event)).toEqual([
      'studio:dispatch', 'studio:observation:request', 'studio:x-oui:cancel',
    ]);
    expect(await atPage.whenMessages(3)).toEqual([
      request('r1'), pull, { type: 'x-oui:cancel', payload: { requestId: 'r1' } },
    ]);
  });

  it('hears the application\'s own events that it is told of', async () => {
    const { agent, atPage } = await ends({ extensions: ['x-app:note'] });
    agent.send({ type: 'x-app:other', payload: {} } as never);
    agent.send({ type: 'x-app:note', payload: { a: 1 } } as never);
    expect(await atPage.whenMessages(1)).toEqual([{ type: 'x-app:note', payload: { a: 1 } }]);
  });

  it('hears one event by its bare name while somebody listens for it', async () => {
    const { page, server } = await ends();
    const heard: unknown[] = [];
    const release = page.listen!('job:complete', (payload) => heard.push(payload));
    server.emit('job:complete', { jobId: 7 });
    await Promise.resolve();
    release();
    server.emit('job:complete', { jobId: 8 });
    await Promise.resolve();
    expect(heard).toEqual([{ jobId: 7 }]);
  });

  it('refuses options that cannot be', () => {
    const { client } = createSocketPair();
    expect(() => createSocketTransport(client, { namespace: '' })).toThrow(/namespace is ""; it must be a text/);
    expect(() => createSocketTransport(client, { side: 'server' as never })).toThrow(/side is "server"/);
    expect(() => createSocketTransport(client, { extensions: ['note'] })).toThrow(/"note".*"x-app:note"/);
    expect(() => createSocketTransport(client, { extensions: ['x-oui:ack'] })).toThrow(/not with "x-oui:"/);
  });
});

describe('receipts and acknowledgments', () => {
  it('makes the page\'s receipt the answer of the request\'s callback', async () => {
    const { page, agent, atPage, atAgent } = await ends();
    agent.send(request('r1'));
    await atPage.whenMessages(1);
    page.send({ type: 'x-oui:receipt', payload: { requestId: 'r1', ok: false, reason: 'not now' } });
    const receipt = { type: 'x-oui:receipt', payload: { requestId: 'r1', ok: false, reason: 'not now' } };
    expect(await atAgent.whenMessages(1)).toEqual([receipt]);
  });

  it('answers every copy of a request that came again', async () => {
    const { page, server, atPage } = await ends();
    const said: unknown[] = [];
    for (const copy of [1, 2]) {
      server.emit('oui:dispatch', request('r1').payload, (verdict: unknown) => said.push([copy, verdict]));
    }
    await atPage.whenMessages(2);
    page.send({ type: 'x-oui:receipt', payload: { requestId: 'r1', ok: true } });
    page.send({ type: 'x-oui:receipt', payload: { requestId: 'r1', ok: true } });
    await until(() => expect(said).toEqual([[1, { ok: true }], [2, { ok: true }]]));
  });

  it('refuses a request without an id itself, in the words of the wire', async () => {
    const { server, atPage } = await ends();
    const said: unknown[] = [];
    server.emit('oui:dispatch', { surfaceId: 's' }, (verdict: unknown) => said.push(verdict));
    await until(() =>
      expect(said).toEqual([{ ok: false, reason: 'a request needs requestId, surfaceId and actionId' }]),
    );
    expect(atPage.messages).toHaveLength(1);
  });

  it('says of a request without a callback that it takes no receipt', async () => {
    const { page, server, pair, atPage } = await ends();
    server.emit('oui:dispatch', request('r1').payload);
    expect(await atPage.whenMessages(1)).toEqual([{ ...request('r1'), receipt: false }]);
    page.send({ type: 'x-oui:receipt', payload: { requestId: 'r1', ok: true } });
    expect(pair.client.emitted).toEqual([]);
  });

  it('makes the agent\'s acknowledgment the answer of the result\'s callback, the first result\'s and the last\'s', async () => {
    const { page, agent, atPage, atAgent } = await ends();
    page.send(result('r1', true));
    page.send(result('r1', false));
    await atAgent.whenMessages(2);
    const acks: OUIEvent[] = [
      { type: 'x-oui:ack', payload: { requestId: 'r1', interim: false, ok: false, error: 'too large' } },
      { type: 'x-oui:ack', payload: { requestId: 'r1', interim: true, ok: true } },
    ];
    for (const ack of acks) agent.send(ack);
    const { requestId, interim, ok } = acks[0]!.payload as { requestId: string; interim: boolean; ok: boolean };
    expect(await atPage.whenMessages(2)).toEqual([
      { type: 'x-oui:ack', payload: { requestId, interim, ok, reason: 'too large' } }, acks[1],
    ]);
  });

  it.each([
    ['a verdict', [{ ok: true }], { ok: true }],
    ['a verdict behind nothing, where the socket has a time for acknowledgments', [null, { ok: true }], { ok: true }],
    ['a refusal with a reason', [{ ok: false, reason: 'full' }], { ok: false, reason: 'full' }],
    ['a refusal with an error', [{ ok: false, error: 'full' }], { ok: false, reason: 'full' }],
    ['a refusal without a reason', [{ ok: false }], undefined],
    ['nothing', [], undefined],
    ['an error of the socket\'s', [new Error('operation has timed out')], undefined],
    ['something else', ['ok'], undefined],
  ])('reads %s', async (_what, args, verdict) => {
    const { page, pair, atPage } = await ends();
    page.send(result('r1'));
    const [, callback] = pair.client.emitted[0]!.args as [unknown, (...args: unknown[]) => void];
    callback(...args);
    const expected = verdict && { type: 'x-oui:ack', payload: { requestId: 'r1', interim: false, ...verdict } };
    expect(atPage.messages).toEqual(expected ? [expected] : []);
  });

  it('acknowledges everything else at once, for sockets that send until they are answered', async () => {
    const { agent, server, pair } = await ends();
    const said: unknown[] = [];
    pair.client.emit('oui:surface:register', { surface: {} }, (verdict: unknown) => said.push(verdict));
    server.emit('oui:x-oui:ping', {}, (verdict: unknown) => said.push(verdict));
    await until(() => expect(said).toEqual([{ ok: true }, { ok: true }]));
    expect(agent.state).toBe('connected');
  });

  it('answers no callback of a connection that is gone: its number may be another\'s by now', async () => {
    const { page, server, pair, atPage } = await ends();
    const said = vi.fn();
    server.emit('oui:dispatch', request('r1').payload, said);
    await atPage.whenMessages(1);
    let called = false;
    pair.client.hear('oui:dispatch', request('r2').payload, () => (called = true));
    pair.disconnect();
    pair.connect();
    page.send({ type: 'x-oui:receipt', payload: { requestId: 'r2', ok: true } });
    await Promise.resolve();
    expect(called).toBe(false);
    expect(said).not.toHaveBeenCalled();
  });
});

describe('a socket that is offline', () => {
  it('keeps events in order until it is connected, as they were when they were sent, with their callbacks', async () => {
    const pair = createSocketPair();
    const page = createSocketTransport(pair.client);
    const atPage = recordTransport(page);
    void page.connect();
    expect(page.state).toBe('connecting');
    const value = { n: 1 };
    page.send({ type: 'observation:update', payload: { surfaceId: 's', observationId: 'o', value, timestamp: 1 } });
    page.send(result('r1'));
    value.n = 2;
    expect(pair.client.emitted).toEqual([]);
    const agent = createSocketTransport(pair.connect(), { side: 'agent' });
    const atAgent = recordTransport(agent);
    void agent.connect();
    expect(await atAgent.whenMessages(2)).toMatchObject([{ payload: { value: { n: 1 } } }, result('r1')]);
    agent.send({ type: 'x-oui:ack', payload: { requestId: 'r1', interim: false, ok: true } });
    expect(await atPage.whenMessages(1)).toMatchObject([{ type: 'x-oui:ack', payload: { ok: true } }]);
  });

  it('keeps a hundred, drops the oldest of more, and says so once an outage', async () => {
    const { page, pair } = await ends();
    for (const outage of [1, 2]) {
      pair.disconnect();
      for (let index = 0; index < 103; index++) page.send(result(`r${index}`));
      expect(warn).toHaveBeenCalledTimes(outage);
      expect(String(warn.mock.lastCall?.[0])).toMatch(
        /^\[OUI1701\] More than 100 events .* namespace "oui" .* oldest are dropped, the first of them "oui:action:result"/,
      );
      pair.client.emitted.length = 0;
      pair.connect();
      const ids = pair.client.emitted.map(({ args }) => (args[0] as { requestId: string }).requestId);
      expect(ids).toEqual(Array.from({ length: 100 }, (_, index) => `r${index + 3}`));
    }
  });

  it('tells why it was lost, and waits for it where it can come back', async () => {
    const { pair, page, agent, atPage, atAgent } = await ends();
    pair.disconnect('ping timeout');
    const reason = 'the socket was disconnected: ping timeout';
    expect(atPage.states).toEqual([{ state: 'disconnected', reason }, { state: 'connecting', reason: undefined }]);
    expect(atAgent.states).toEqual([{ state: 'disconnected', reason }]);
    pair.connect();
    expect([page.state, agent.state]).toEqual(['connected', 'disconnected']);
  });

  it('takes a message that comes before the news of its connection', async () => {
    const { page, pair, atPage } = await ends();
    pair.disconnect();
    pair.client.connected = true;
    pair.client.hear('oui:x-oui:ping', {});
    expect(page.state).toBe('connected');
    expect(atPage.messages).toEqual([{ type: 'x-oui:ping', payload: {} }]);
  });

  it('takes a socket that does not say whether it is connected for connected', async () => {
    const heard: string[] = [];
    const page = createSocketTransport({ emit: (event) => heard.push(event), on: () => {}, off: () => {} });
    await page.connect();
    page.send(hello);
    expect(heard).toEqual(['oui:x-oui:hello']);
  });
});

describe('the application\'s socket', () => {
  it('is neither connected nor disconnected, and keeps every listener but ours', async () => {
    const pair = createSocketPair();
    const theirs = vi.fn();
    pair.client.on('oui:dispatch', theirs).on('connect', theirs).on('disconnect', theirs);
    const before = pair.client.listening();
    const page = createSocketTransport(pair.client);
    expect(pair.client.listening()).toEqual(before);
    void page.connect();
    const release = page.listen!('job:complete', () => undefined);
    pair.connect();
    expect(pair.client.listening()).toMatchObject({ 'oui:dispatch': 2, connect: 2, disconnect: 2, 'job:complete': 1 });
    page.disconnect();
    release();
    expect(pair.client.listening()).toEqual(before);
    expect(pair.client.calls).toEqual([]);
    expect(pair.client.connected).toBe(true);
  });

  it('says nothing more after disconnect', async () => {
    const { page, pair, atPage } = await ends();
    page.send(result('r1'));
    const [, callback] = pair.client.emitted[0]!.args as [unknown, (...args: unknown[]) => void];
    page.disconnect();
    callback({ ok: true });
    pair.client.hear('oui:x-oui:ping', {});
    page.send(hello);
    expect(atPage.messages).toEqual([]);
    expect(pair.client.emitted).toHaveLength(1);
  });
});
