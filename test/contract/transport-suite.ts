import { assert, expect } from 'chai';
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

/** What a page says: a socket has names for either direction. */
const result = (requestId: string, data: unknown = {}) =>
  ({ type: 'action:result', payload: { requestId, success: true, data, timestamp: 1 } }) as const;

/** The functions of a test runner that the suite needs; mocha's and vitest's are alike here. */
export interface TransportRunner {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void>): void;
  beforeEach(body: () => Promise<void>): void;
  afterEach(body: () => Promise<void>): void;
}

/** Where bindings differ. */
export interface TransportTraits {
  /** Carries text as it is. */
  readonly text: boolean;
  /** The connection is the application's: what waits for it is kept, and letting go of it does not end it. */
  readonly borrowed: boolean;
}

export const OWN_TEXT: TransportTraits = { text: true, borrowed: false };
export const OWN_OBJECTS: TransportTraits = { text: false, borrowed: false };
export const BORROWED: TransportTraits = { text: false, borrowed: true };

/** What every transport must do (specification §8.1, `Transport` in src/protocol/ports.ts). */
export function describeTransport(
  name: string,
  traits: TransportTraits,
  make: () => Promise<TransportUnderTest>,
  { describe, it, beforeEach, afterEach }: TransportRunner,
): void {
  describe(`transport contract: ${name}`, () => {
    let warnings: string[] = [];
    let restore: () => void = () => undefined;
    let under: TransportUnderTest;
    let page: Transport;

    beforeEach(async () => {
      resetWarnings();
      warnings = [];
      const { warn } = console;
      console.warn = (line: unknown) => void warnings.push(String(line));
      restore = () => (console.warn = warn);
      under = await make();
      page = under.page;
    });
    afterEach(async () => {
      restore();
      await under.close();
    });

    const connect = async (): Promise<Transport> => {
      const [, agent] = await Promise.all([page.connect(), under.agent()]);
      await agent.connect();
      return agent;
    };

    it('goes from disconnected through connecting to connected', async () => {
      expect(page.state).to.equal('disconnected');
      const record = recordTransport(page);
      const agent = await connect();
      expect(record.states).to.deep.equal([
        { state: 'connecting', reason: undefined },
        { state: 'connected', reason: undefined },
      ]);
      expect([page.state, agent.state]).to.deep.equal(['connected', 'connected']);
    });

    it('carries events both ways, whole, in order and once', async () => {
      const agent = await connect();
      const atAgent = recordTransport(agent);
      const atPage = recordTransport(page);
      const odd = { text: 'é \u2028 😀 "\\', nested: [{ deep: [null, true, -0.5, 1e21] }] };
      const ids = Array.from({ length: 200 }, (_, index) => `r${index}`);
      for (const id of ids) {
        page.send(result(id, odd));
        agent.send(request(id, odd));
      }
      expect(await atAgent.whenMessages(200)).to.deep.equal(ids.map((id) => result(id, odd)));
      expect(await atPage.whenMessages(200)).to.deep.equal(ids.map((id) => request(id, odd)));
    });

    if (traits.text) it('takes text as it is', async () => {
      const agent = await connect();
      const atAgent = recordTransport(agent);
      page.sendText?.('{"type":"x-app:note","payload":{"a":1}}');
      page.send(result('after'));
      expect(await atAgent.whenMessages(2)).to.deep.equal([{ type: 'x-app:note', payload: { a: 1 } }, result('after')]);
    });

    it('never delivers within send', async () => {
      const agent = await connect();
      const atAgent = recordTransport(agent);
      page.send(result('r1'));
      expect(atAgent.messages).to.deep.equal([]);
      await atAgent.whenMessages(1);
    });

    it('delivers a copy: what the sender changes afterwards stays its own', async () => {
      const agent = await connect();
      const atAgent = recordTransport(agent);
      const params = { list: [1] };
      page.send(result('r1', params));
      params.list.push(2);
      expect(await atAgent.whenMessages(1)).to.deep.equal([result('r1', { list: [1] })]);
      expect((atAgent.messages[0] as ReturnType<typeof result>).payload.data).not.to.equal(params);
    });

    if (!traits.borrowed) it('drops what is sent before it is connected', async () => {
      page.send(result('early'));
      const connecting = page.connect();
      page.send(result('early too'));
      const [agent] = await Promise.all([under.agent(), connecting]);
      await agent.connect();
      const atAgent = recordTransport(agent);
      page.send(result('r1'));
      expect(await atAgent.whenMessages(1)).to.deep.equal([result('r1')]);
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
      expect(heard).to.deep.equal(['same']);
    });

    it('does not call a listener that another has just released', async () => {
      const agent = await connect();
      const heard: string[] = [];
      page.onEvent(() => release());
      const release = page.onEvent(() => heard.push('released'));
      const record = recordTransport(page);
      agent.send(request('r1'));
      await record.whenMessages(1);
      expect(heard).to.deep.equal([]);
    });

    it('keeps going when a listener throws, and reports it', async () => {
      const agent = await connect();
      page.onEvent(() => {
        throw new Error('listener broke');
      });
      const record = recordTransport(page);
      agent.send(request('r1'));
      agent.send(request('r2'));
      expect(await record.whenMessages(2)).to.have.length(2);
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.match(/^\[OUI1009\].*onEvent threw: Error: listener broke/);
    });

    if (traits.text) it('ignores text that is not JSON', async () => {
      const agent = await connect();
      const record = recordTransport(page);
      agent.sendText?.('not JSON');
      agent.send(request('r1'));
      expect(await record.whenMessages(1)).to.deep.equal([request('r1')]);
      expect(warnings[0]).to.match(/^\[OUI1003\]/);
    });

    if (!traits.borrowed) it('delivers what was sent before a disconnect, then tells the other end', async () => {
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
      page.send(result('last'));
      page.disconnect();
      page.send(result('too late'));
      expect(page.state).to.equal('disconnected');
      await gone;
      expect(order).to.deep.equal(['last', 'disconnected']);
    });

    if (!traits.borrowed) it('hears nothing after its own disconnect', async () => {
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
      expect(atAgent.states.some(({ state }) => state === 'disconnected')).to.equal(true);
      expect(record.messages).to.deep.equal([]);
      expect(record.states.map(({ state }) => state)).to.deep.equal(['disconnected']);
    });

    it('rejects a connect that disconnect overtakes', async () => {
      const connecting = page.connect();
      page.disconnect();
      const refused = await connecting.then(() => undefined, (error: Error) => error.message);
      assert.match(refused ?? 'it connected', /by this side/);
      expect(page.state).to.equal('disconnected');
    });

    it('can be opened again after a disconnect', async () => {
      await connect();
      page.disconnect();
      const [, agent] = await Promise.all([page.connect(), under.agent()]);
      await agent.connect();
      const atAgent = recordTransport(agent);
      page.send(result('again'));
      expect(await atAgent.whenMessages(1)).to.deep.equal([result('again')]);
    });
  });
}
