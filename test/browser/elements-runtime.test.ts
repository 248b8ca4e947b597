import { expect } from 'chai';
import { createRuntime } from '../../src/surface/create-runtime.js';
import { runtimeWiring, setRuntimeWiring } from '../../elements/wiring.js';
import type { SurfaceRuntimeOptions } from '../../src/surface/runtime-options.js';
import { createSocketPair } from '../unit/transports/socket-pair.js';
import { createDirectTransportPair } from '../../src/transports/direct.js';
import { clear, collectWarnings, find, nextTask, registered, render, runtimeOf } from './fixtures/elements-page.js';

const SURFACE = `<oui-surface surface-id="todo-app" name="Todos" description="A list.">
  <oui-action action-id="do_it" description="Does it" effect="view"></oui-action></oui-surface>`;

describe('<oui-runtime>', () => {
  afterEach(clear);

  it('disposes of its runtime when it is removed, not when it is moved', async () => {
    const root = await render(`<oui-runtime></oui-runtime>${SURFACE}<section></section>`);
    const element = find(root, 'oui-runtime');
    const first = runtimeOf(root);
    find(root, 'section').append(element);
    await nextTask();
    expect(runtimeOf(root) === first, 'still the same runtime').to.equal(true);
    element.remove();
    await nextTask();
    expect(element.runtime).to.equal(null);
    expect(() => first.attach(null)).to.throw(/disposed|ended/);
    root.append(element);
    await nextTask();
    expect(runtimeOf(root) === first, 'still the same runtime').to.equal(false);
    expect(registered(root)).to.deep.equal(['todo-app']);
  });

  it('uses a runtime that was set, and does not dispose of it', async () => {
    const root = await render(`<oui-runtime></oui-runtime>${SURFACE}`);
    const element = find(root, 'oui-runtime');
    const own = createRuntime({}, runtimeWiring());
    element.runtime = own;
    await nextTask();
    expect(own.snapshot().surfaces!.map(({ id }) => id)).to.deep.equal(['todo-app']);
    element.remove();
    await nextTask();
    expect(own.snapshot().surfaces).to.deep.equal([]);
    own.attach(null);
    own.dispose();
  });

  it('offers its surfaces in the form that it says, anew when that changes', async () => {
    const root = await render(`<oui-runtime form="index"></oui-runtime>${SURFACE}`);
    const { index, surfaces } = runtimeOf(root).snapshot();
    expect([index?.map(({ id }) => id), surfaces]).to.deep.equal([['todo-app'], undefined]);
    find(root, 'oui-runtime').form = 'full';
    await nextTask();
    expect(registered(root)).to.deep.equal(['todo-app']);
  });

  it('opens attachments with what it was given', async () => {
    const input = { properties: { note: { type: 'string', format: 'oui-attachment', 'x-oui-attachment': { as: 'text' } } } };
    const root = await render(`<oui-runtime></oui-runtime>${SURFACE.replace('view"', `view" input='${JSON.stringify(input)}'`)}`);
    find(root, 'oui-action').handler = ({ note }: { note: string }) => note;
    const asked = () => runtimeOf(root).execute({ surfaceId: 'todo-app', actionId: 'do_it', params: { note: 'a-note-1' } });
    expect((await asked()).error?.code).to.equal('ATTACHMENTS_UNSUPPORTED');
    find(root, 'oui-runtime').attachments = { resolve: (id, as) => new File([`${id} as ${as}`], 'a.txt') };
    await nextTask();
    expect((await asked()).data).to.equal('a-note-1 as text');
  });

  it('announces nothing when it says so, and answers all the same', async () => {
    const root = await render(`<oui-runtime announce="false" worker-src="none"></oui-runtime>${SURFACE}`);
    const pair = createDirectTransportPair();
    const heard: string[] = [];
    const answered = new Promise<void>((resolve) => {
      pair.agent.onEvent((message) => {
        const { type } = message as { type: string };
        heard.push(type);
        if (type === 'action:result') resolve();
      });
    });
    runtimeOf(root).attach(pair.page);
    await pair.agent.connect();
    const payload = { requestId: 'r1', surfaceId: 'oui', actionId: 'describe', params: { actions: [] }, timestamp: 1 };
    pair.agent.send({ type: 'action:request', payload });
    await answered;
    expect(heard).to.deep.equal(['x-oui:hello', 'action:result']);
  });

  it('speaks on a socket of the page\'s own, under its namespace, and leaves it as it was', async () => {
    const warnings = collectWarnings();
    const root = await render(`<oui-runtime namespace="studio" worker-src="none"></oui-runtime>${SURFACE}`);
    const element = find(root, 'oui-runtime');
    const pair = createSocketPair();
    element.socket = pair.client;
    await nextTask();
    const registered = new Promise((resolve) => pair.connect().on('studio:surface:register', resolve));
    expect(await registered).to.have.nested.property('surface.id', 'todo-app');
    const kept = runtimeOf(root);
    element.socket = pair.client;
    await nextTask();
    expect(runtimeOf(root) === kept, 'the same socket is no other').to.equal(true);
    element.url = '/oui/v1';
    await nextTask();
    expect(warnings.texts.filter((text) => /has a url and a \.socket; the socket is used/.test(text))).to.have.length(1);
    element.remove();
    await new Promise<void>((resolve) => {
      const look = (): void => (Object.keys(pair.client.listening()).length === 0 ? resolve() : void setTimeout(look));
      look();
    });
    expect([pair.client.connected, pair.client.calls]).to.deep.equal([true, []]);
  });

  it('gives its runtime the token of the function that it has at that moment', async () => {
    const wiring = runtimeWiring();
    const given: SurfaceRuntimeOptions[] = [];
    setRuntimeWiring({
      ...wiring,
      hosts(options) {
        given.push(options);
        return wiring.hosts(options);
      },
    });
    try {
      const root = await render(`<oui-runtime url="/oui/v1"></oui-runtime>${SURFACE}`);
      expect(given.at(-1)).not.to.have.property('token');
      const element = find(root, 'oui-runtime');
      element.token = () => 'mine';
      await nextTask();
      expect([given.length, new URL(given[1]!.url!).search, await given[1]!.token!()]).to.deep.equal([2, '', 'mine']);
      element.token = () => Promise.resolve('another');
      await nextTask();
      expect([given.length, await given[1]!.token!()]).to.deep.equal([2, 'another']);
    } finally {
      setRuntimeWiring(wiring);
    }
  });

  it('takes no other form and no other word for announcing', async () => {
    const warnings = collectWarnings();
    await render(`<oui-runtime form="short" announce="no"></oui-runtime>${SURFACE}`);
    expect(warnings.texts.filter((each) => /has form="short".*full, index|has announce="no".*true, false/.test(each)))
      .to.have.length(2);
  });

  it('tells each call and each change of the connection', async () => {
    const root = await render(`<oui-runtime></oui-runtime>${SURFACE}`);
    const element = find(root, 'oui-runtime');
    const pair = createDirectTransportPair();
    const own = createRuntime({}, runtimeWiring());
    element.runtime = own;
    await nextTask();
    const phases: string[] = [];
    const connected = new Promise<void>((resolve) => {
      element.addEventListener('oui-connection', ({ state, bubbles }) => {
        if (state === 'connected' && !bubbles) resolve();
      });
    });
    element.addEventListener('oui-call', ({ report }) => phases.push(`${report.actionId} ${report.phase}`));
    own.attach(pair.page);
    await pair.agent.connect();
    await connected;
    find(root, 'oui-action').handler = () => 'done';
    await own.execute({ surfaceId: 'todo-app', actionId: 'do_it' });
    await nextTask();
    expect(phases).to.deep.equal(['do_it received', 'do_it started', 'do_it ended']);
    own.dispose();
  });

  it('tells that the connection is gone when it is removed', async () => {
    const root = await render(`<oui-runtime></oui-runtime>${SURFACE}`);
    const element = find(root, 'oui-runtime');
    const pair = createDirectTransportPair();
    const states: string[] = [];
    const connected = new Promise<void>((resolve) => {
      element.addEventListener('oui-connection', ({ state }) => {
        states.push(state);
        if (state === 'connected') resolve();
      });
    });
    runtimeOf(root).attach(pair.page);
    await pair.agent.connect();
    await connected;
    element.remove();
    await nextTask();
    expect(states).to.deep.equal(['connecting', 'connected', 'disconnected']);
    expect(pair.page.state).to.equal('disconnected');
  });

  it('warns of an address that is none, and works without it', async () => {
    const warnings = collectWarnings();
    const root = await render('<oui-runtime url="http://[" worker-src="http://["></oui-runtime>');
    warnings.stop();
    expect(warnings.texts).to.have.length(2);
    expect(warnings.texts[0]).to.match(/<oui-runtime url="http:\/\/\["> has url=.*no address/);
    expect(warnings.texts[1]).to.match(/has worker-src=.*no address/);
    expect(runtimeOf(root).connection).to.equal('disconnected');
  });
});
