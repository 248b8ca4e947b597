import { expect } from 'chai';
import { createAgentRuntime } from '../../src/agent/agent-runtime.js';
import type { AgentCallResult, AgentRuntime } from '../../src/agent/agent-types.js';
import * as engine from '../../src/entries/engine.js';
import { createRuntime } from '../../src/surface/create-runtime.js';
import { defineSurface } from '../../src/surface/definition/define-surface.js';
import { createInProcessHostFactory } from '../../src/surface/link/in-process-host.js';
import { createPostMessageTransport } from '../../src/transports/post-message.js';
import type { PostMessageTransportOptions } from '../../src/transports/post-message.js';
import { createLinearValidator } from '../../src/validation/linear.js';

const PLUGIN = '/test/browser/fixtures/plugin.html';
/** The same server under another name: another origin. */
const OTHER = location.origin.replace(location.hostname, location.hostname === 'localhost' ? '127.0.0.1' : 'localhost');

describe('a page with two plugins in frames', function () {
  // Each frame loads the library's sources one by one.
  this.timeout(30_000);
  const cleanUp: (() => void)[] = [];
  /** Everything of ours that was posted to this window, with whence. */
  let seen: { readonly data: { readonly event?: unknown; readonly handshake?: unknown }; readonly origin: string }[] = [];
  const watch = ({ data, origin }: MessageEvent): void => {
    if ((data as { __oui__?: boolean } | null)?.__oui__ === true) seen.push({ data: data as object, origin });
  };

  beforeEach(() => {
    seen = [];
    addEventListener('message', watch);
    cleanUp.push(() => removeEventListener('message', watch));
  });
  afterEach(() => {
    for (const undo of cleanUp.splice(0).reverse()) undo();
  });

  function embed(as: string, { at = location.origin, sandbox = '' } = {}): HTMLIFrameElement {
    const frame = document.createElement('iframe');
    if (sandbox) frame.setAttribute('sandbox', sandbox);
    frame.src = `${at}${PLUGIN}?as=${as}&host=${encodeURIComponent(location.origin)}`;
    document.body.append(frame);
    cleanUp.push(() => frame.remove());
    return frame;
  }

  function agentOf(frame: HTMLIFrameElement, options: PostMessageTransportOptions): AgentRuntime {
    const transport = createPostMessageTransport(frame.contentWindow!, { side: 'agent', ...options });
    const agent = createAgentRuntime({ validator: createLinearValidator(), transport });
    cleanUp.push(() => agent.dispose());
    return agent;
  }

  const until = (agent: AgentRuntime, satisfied: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => void (satisfied() && resolve());
      agent.subscribe(check);
      check();
    });
  const has = (agent: AgentRuntime, tool: string): Promise<void> =>
    until(agent, () => agent.tools().some(({ name }) => name === tool));

  it('speaks with each of them over a port of its own, the sandboxed one too', async () => {
    const first = embed('plugin-one', { at: OTHER });
    const second = embed('plugin-two', { sandbox: 'allow-scripts' });
    const one = agentOf(first, { targetOrigin: OTHER });
    const two = agentOf(second, { opaqueOrigin: true });
    await Promise.all([has(one, 'plugin-one__increment'), has(two, 'plugin-two__increment')]);
    expect([one, two].map((agent) => agent.tools().map(({ name }) => name))).to.deep.equal([
      ['plugin-one__increment'], ['plugin-two__increment'],
    ]);
    const called = await Promise.all([
      one.call('plugin-one__increment', { by: 2 }),
      two.call('plugin-two__increment', { by: 3 }),
    ]);
    expect(called.map(({ result }) => [result.error, result.data])).to.deep.equal([
      [undefined, { origin: OTHER }], [undefined, { origin: 'null' }],
    ]);
    expect(one.observation('plugin-one', 'count')?.value).to.equal(2);
    expect(two.observation('plugin-two', 'count')?.value).to.equal(3);
    expect(new Set(seen.map(({ data }) => data.handshake))).to.deep.equal(new Set(['oui-v1']));
    expect(new Set(seen.map(({ origin }) => origin))).to.deep.equal(new Set([OTHER, 'null']));
  });

  it('takes a frame that loads anew for a new document of it', async () => {
    const frame = embed('plugin-one');
    const agent = agentOf(frame, { targetOrigin: location.origin });
    await has(agent, 'plugin-one__increment');
    await agent.call('plugin-one__increment', { by: 2 });
    const gone = until(agent, () => !agent.page.connected || agent.tools().length === 0);
    frame.contentWindow!.location.reload();
    await gone;
    await has(agent, 'plugin-one__increment');
    await until(agent, () => agent.observation('plugin-one', 'count')?.value === 0);
    const { result } = await agent.call('plugin-one__increment', { by: 5 });
    expect(result.error).to.equal(undefined);
    expect(agent.observation('plugin-one', 'count')?.value).to.equal(5);
  });

  it('hears nothing of a frame of another origin, and of another frame', async () => {
    const stranger = embed('stranger-one', { at: OTHER });
    const friend = embed('plugin-one');
    // The right window with the wrong origin, a sandboxed one that is none, and one of the right origin.
    const wrong = agentOf(stranger, { targetOrigin: location.origin });
    const opaque = agentOf(stranger, { opaqueOrigin: true });
    const right = agentOf(friend, { targetOrigin: location.origin });
    await has(right, 'plugin-one__increment');
    // The stranger has announced itself to this window, which nobody here listened to, and goes on.
    const announced = (): number => seen.filter(({ origin }) => origin === OTHER).length;
    const more = announced() + 2;
    await new Promise<void>((resolve) => {
      const check = (): void => void (announced() >= more && resolve());
      addEventListener('message', check);
      cleanUp.push(() => removeEventListener('message', check));
      check();
    });
    expect([wrong, opaque].map(({ page }) => page.connected)).to.deep.equal([false, false]);
    expect(right.tools().map(({ name }) => name)).to.deep.equal(['plugin-one__increment']);
    expect(seen.every(({ data }) => data.event === undefined)).to.equal(true);
  });
});

describe('a page whose agent is in a worker', function () {
  this.timeout(30_000);

  it('answers it, and its messages go beside others on the same way', async () => {
    const worker = new Worker('/test/browser/fixtures/agent-worker.js', { type: 'module' });
    const transport = createPostMessageTransport(worker);
    const runtime = createRuntime({ transport }, { hosts: () => [createInProcessHostFactory({ engine })] });
    const surface = defineSurface({
      id: 'counter-app',
      name: 'Counter',
      description: 'Counts',
      actions: [{ id: 'add_one', description: 'Adds', settle: 'none', input: {}, handler: () => 7 }],
    });
    runtime.mount(surface);
    const told = <T>(read: (data: { tools?: string[]; called?: AgentCallResult }) => T | undefined): Promise<T> =>
      new Promise((resolve) => {
        worker.addEventListener('message', ({ data }: MessageEvent<object>) => {
          const found = read(data);
          if (found !== undefined) resolve(found);
        });
      });
    await told(({ tools }) => (tools?.includes('counter-app__add_one') ? true : undefined));
    worker.postMessage({ call: 'counter-app__add_one', params: {} });
    expect((await told(({ called }) => called)).result).to.include({ success: true, data: 7 });
    runtime.dispose();
    worker.terminate();
  });
});
