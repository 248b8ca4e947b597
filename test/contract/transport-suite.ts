import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Transport } from '../../src/protocol/ports.js';
import { resetWarnings } from '../../src/protocol/warn-once.js';
import { recordTransport } from '../unit/transports/transport-events.js';

/** A page's end whose peer can be had once it has connected. */
export interface TransportUnderTest {
  readonly page: Transport;
  /** The agent's end of the page's present connection. */
  agent(): Promise<Transport>;
  close(): Promise<void>;
}

const request = (requestId: string, params: unknown = {}) =>
  ({
    type: 'action:request',
    payload: { requestId, surfaceId: 'todo-app', actionId: 'add_todo', params, timestamp: 1 },
  }) as const;

/** What every transport must do (specification §8.1, `Transport` in src/protocol/ports.ts). */
export function describeTransport(name: string, make: () => Promise<TransportUnderTest>): void {
  describe(`transport contract: ${name}`, () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    let under: TransportUnderTest;
    let page: Transport;

    beforeEach(async () => {
      resetWarnings();
      warn.mockClear();
      under = await make();
      page = under.page;
    });
    afterEach(() => under.close());

    const connect = async (): Promise<Transport> => {
      const [, agent] = await Promise.all([page.connect(), under.agent()]);
      await agent.connect();
      return agent;
    };

    it('goes from disconnected through connecting to connected', async () => {
      expect(page.state).toBe('disconnected');
      const record = recordTransport(page);
      const agent = await connect();
      expect(record.states).toEqual([
        { state: 'connecting', reason: undefined },
        { state: 'connected', reason: undefined },
      ]);
      expect([page.state, agent.state]).toEqual(['connected', 'connected']);
    });

    it('carries events both ways, whole, in order and once', async () => {
      const agent = await connect();
      const atAgent = recordTransport(agent);
      const atPage = recordTransport(page);
      const odd = { text: 'é \u2028 😀 "\\', nested: [{ deep: [null, true, -0.5, 1e21] }] };
      const sent = Array.from({ length: 200 }, (_, index) => request(`r${index}`, odd));
      for (const event of sent) {
        page.send(event);
        agent.send(event);
      }
      expect(await atAgent.whenMessages(200)).toEqual(sent);
      expect(await atPage.whenMessages(200)).toEqual(sent);
    });

    it('takes text as it is', async () => {
      const agent = await connect();
      const atAgent = recordTransport(agent);
      page.sendText?.('{"type":"x-app:note","payload":{"a":1}}');
      page.send(request('after'));
      expect(await atAgent.whenMessages(2)).toEqual([{ type: 'x-app:note', payload: { a: 1 } }, request('after')]);
    });

    it('never delivers within send', async () => {
      const agent = await connect();
      const atAgent = recordTransport(agent);
      page.send(request('r1'));
      expect(atAgent.messages).toEqual([]);
      await atAgent.whenMessages(1);
    });

    it('delivers a copy: what the sender changes afterwards stays its own', async () => {
      const agent = await connect();
      const atAgent = recordTransport(agent);
      const params = { list: [1] };
      page.send(request('r1', params));
      params.list.push(2);
      expect(await atAgent.whenMessages(1)).toEqual([request('r1', { list: [1] })]);
      expect((atAgent.messages[0] as ReturnType<typeof request>).payload.params).not.toBe(params);
    });

    it('drops what is sent before it is connected', async () => {
      page.send(request('early'));
      const connecting = page.connect();
      page.send(request('early too'));
      const [agent] = await Promise.all([under.agent(), connecting]);
      await agent.connect();
      const atAgent = recordTransport(agent);
      page.send(request('r1'));
      expect(await atAgent.whenMessages(1)).toEqual([request('r1')]);
    });

    it('releases one listener at a time, and twice without harm', async () => {
      const agent = await connect();
      const heard: string[] = [];
      const listener = (): void => void heard.push('same');
      const release = page.onEvent(listener);
      page.onEvent(listener);
      const record = recordTransport(page);
      release();
      release();
      agent.send(request('r1'));
      await record.whenMessages(1);
      expect(heard).toEqual(['same']);
    });

    it('does not call a listener that another has just released', async () => {
      const agent = await connect();
      const heard: string[] = [];
      page.onEvent(() => release());
      const release = page.onEvent(() => heard.push('released'));
      const record = recordTransport(page);
      agent.send(request('r1'));
      await record.whenMessages(1);
      expect(heard).toEqual([]);
    });

    it('keeps going when a listener throws, and reports it', async () => {
      const agent = await connect();
      page.onEvent(() => {
        throw new Error('listener broke');
      });
      const record = recordTransport(page);
      agent.send(request('r1'));
      agent.send(request('r2'));
      expect(await record.whenMessages(2)).toHaveLength(2);
      expect(warn.mock.calls.map(([line]) => String(line))).toEqual([
        expect.stringMatching(/^\[OUI1009\].*onEvent threw: Error: listener broke/) as unknown as string,
      ]);
    });

    it('ignores text that is not JSON', async () => {
      const agent = await connect();
      const record = recordTransport(page);
      agent.sendText?.('not JSON');
      agent.send(request('r1'));
      expect(await record.whenMessages(1)).toEqual([request('r1')]);
      expect(String(warn.mock.calls[0]?.[0])).toMatch(/^\[OUI1003\]/);
    });

    it('delivers what was sent before a disconnect, then tells the other end', async () => {
      const agent = await connect();
      const order: unknown[] = [];
      agent.onEvent((message) => order.push((message as ReturnType<typeof request>).payload.requestId));
      const gone = new Promise<void>((resolve) => {
        agent.onState((state) => {
          if (state !== 'disconnected') return;
          order.push('disconnected');
          resolve();
        });
      });
      page.send(request('last'));
      page.disconnect();
      page.send(request('too late'));
      expect(page.state).toBe('disconnected');
      await gone;
      expect(order).toEqual(['last', 'disconnected']);
    });

    it('hears nothing after its own disconnect', async () => {
      const agent = await connect();
      const record = recordTransport(page);
      const atAgent = recordTransport(agent);
      agent.send(request('on its way'));
      page.disconnect();
      page.disconnect();
      await new Promise<void>((resolve) => {
        if (agent.state !== 'connected') resolve();
        agent.onState(() => resolve());
      });
      expect(atAgent.states.some(({ state }) => state === 'disconnected')).toBe(true);
      expect(record.messages).toEqual([]);
      expect(record.states.map(({ state }) => state)).toEqual(['disconnected']);
    });

    it('rejects a connect that disconnect overtakes', async () => {
      const connecting = page.connect();
      page.disconnect();
      await expect(connecting).rejects.toThrow(/by this side/);
      expect(page.state).toBe('disconnected');
    });

    it('can be opened again after a disconnect', async () => {
      await connect();
      page.disconnect();
      const [, agent] = await Promise.all([page.connect(), under.agent()]);
      await agent.connect();
      const atAgent = recordTransport(agent);
      page.send(request('again'));
      expect(await atAgent.whenMessages(1)).toEqual([request('again')]);
    });
  });
}
