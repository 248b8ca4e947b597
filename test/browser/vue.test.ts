import { expect } from 'chai';
import { createApp, createSSRApp, defineComponent, h, KeepAlive, nextTick, reactive, ref, shallowRef } from 'vue';
import type { App, Component } from 'vue';
import { renderToString } from '@vue/server-renderer';
import { surfaceRuntimeKey, useObservation, useSurface, useSurfaceHold, useSurfaceRuntime } from '../../src/entries/vue.js';
import type { SurfaceHandle } from '../../src/entries/vue.js';
import { connectedRuntime, surfaceOf } from './fixtures/connected-runtime.js';
import type { ConnectedRuntime } from './fixtures/connected-runtime.js';
import { collectWarnings } from './fixtures/elements-page.js';

const REGISTERED = ['surface:register', 'observation:update'];

let page: ConnectedRuntime;
let app: App | undefined;
const place = document.createElement('div');

beforeEach(async () => {
  page = await connectedRuntime();
  document.body.append(place);
});
afterEach(() => {
  app?.unmount();
  app = undefined;
  place.remove();
  page.runtime.dispose();
});

async function show(root: Component, make = createApp): Promise<void> {
  app = make(root);
  app.provide(surfaceRuntimeKey, page.runtime);
  app.mount(place);
  await settled();
}

async function settled(): Promise<void> {
  await nextTick();
  await page.roundTrip();
}

const counter = surfaceOf<{ count: number }>((_params, { count }) => count);

describe('composables for Vue', () => {
  it('offer a surface while the component is mounted; handlers and observations follow refs', async () => {
    const count = ref(1);
    let handle: SurfaceHandle | undefined;
    await show({
      setup() {
        handle = useSurface({ surface: counter, context: () => ({ count: count.value }) });
        useObservation(handle, 'value', count);
        return () => h('p', count.value);
      },
    });
    expect(page.said()).to.deep.equal(REGISTERED);
    count.value = 2;
    expect((await page.call()).data).to.equal(2);
    expect(await handle!.execute('look_at')).to.include({ success: true, data: 2 });
    await page.until(() => page.values().length === 2);
    expect(page.values()).to.deep.equal([1, 2]);
    app!.unmount();
    app = undefined;
    await settled();
    expect(page.said().at(-1)).to.equal('surface:deregister');
  });

  it('tell of what changes deep in a reactive object', async () => {
    const state = reactive({ rows: [{ text: 'a' }] });
    const list = surfaceOf();
    await show({
      setup() {
        useObservation(useSurface({ surface: list }), 'value', () => state.rows);
        return () => null;
      },
    });
    state.rows[0]!.text = 'b';
    await page.until(() => page.values().length === 2);
    expect(page.values()[1]).to.deep.equal([{ text: 'b' }]);
  });

  it('follow what enabled reads of the context', async () => {
    const count = ref(0);
    const action = { id: 'look_at', description: 'Looks.', effect: 'view', input: {}, handler: () => 1 } as const;
    const guarded = surfaceOf<{ count: number }>(undefined, {
      actions: [{ ...action, enabled: ({ count: present }) => present > 0 || 'nothing to see' }],
    });
    await show({
      setup() {
        useSurface({ surface: guarded, context: () => ({ count: count.value }) });
        return () => null;
      },
    });
    expect((await page.call()).error?.message).to.contain('nothing to see');
    count.value = 1;
    await settled();
    expect(page.frames('surface:register').at(-1)).not.to.have.nested.property('surface.actions[0].enabled', false);
    expect((await page.call()).success).to.equal(true);
  });

  it('KeepAlive: what is put away is not offered, and comes back with its values', async () => {
    const shown = ref(true);
    const Kept = defineComponent(() => {
      useObservation(useSurface({ surface: counter, context: { count: 1 } }), 'value', 7);
      return () => h('p');
    });
    await show({ render: () => h(KeepAlive, null, { default: () => (shown.value ? h(Kept) : h('i')) }) });
    shown.value = false;
    await settled();
    expect(page.said()).to.deep.equal([...REGISTERED, 'surface:deregister']);
    shown.value = true;
    await settled();
    expect(page.said()).to.deep.equal([...REGISTERED, 'surface:deregister', ...REGISTERED]);
  });

  it('leave no gap when another component, or another surface under the same id, takes the place', async () => {
    const key = ref(1);
    const other = surfaceOf<{ count: number }>((_params, { count }) => count * 10, { description: 'In tens.' });
    const surface = shallowRef(counter);
    const Keyed = defineComponent(() => {
      useSurface({ surface, context: { count: 1 } });
      return () => h('p');
    });
    await show({ render: () => h(Keyed, { key: key.value }) });
    key.value = 2;
    await settled();
    expect(page.said()).to.deep.equal(['surface:register']);
    surface.value = other;
    await settled();
    expect(page.said()).to.deep.equal(['surface:register', 'surface:register']);
    expect((await page.call()).data).to.equal(10);
  });

  it('a hot update, the old component out and the new one in: no gap, no double, and the new handler answers', async () => {
    const renewed = surfaceOf<{ count: number }>((_params, { count }) => count * 10, { description: 'In tens.' });
    const made = (surface: typeof counter) => defineComponent(() => {
      useObservation(useSurface({ surface, context: { count: 1 } }), 'value', 1);
      return () => h('p');
    });
    const component = shallowRef(made(counter));
    await show({ render: () => h(component.value) });
    component.value = made(renewed);
    await settled();
    expect((await page.call()).data).to.equal(10);
    expect(page.said()).to.deep.equal([...REGISTERED, 'surface:register']);
    app!.unmount();
    app = undefined;
    await settled();
    expect(page.runtime.snapshot().surfaces).to.deep.equal([]);
  });

  it('active and holds follow refs, and end with the component', async () => {
    const isActive = ref(false);
    const busy = ref(true);
    const held: string[] = [];
    const hold = page.runtime.hold.bind(page.runtime);
    page.runtime.hold = () => {
      const free = hold();
      held.push('held');
      return () => {
        held.push('released');
        free();
      };
    };
    await show({
      setup() {
        useSurface({ surface: counter, context: { count: 1 }, active: isActive });
        useSurfaceHold(busy);
        return () => null;
      },
    });
    expect(page.said()).to.deep.equal([]);
    expect(held).to.deep.equal(['held']);
    isActive.value = true;
    busy.value = false;
    await settled();
    expect(page.said()).to.deep.equal(['surface:register']);
    busy.value = true;
    app!.unmount();
    app = undefined;
    expect(held).to.deep.equal(['held', 'released', 'held', 'released']);
  });

  it('say what is missing where no runtime was provided', () => {
    expect(() => useSurfaceRuntime()).to.throw(/app\.provide\(surfaceRuntimeKey/);
  });

  it('do nothing on a server; its markup, with elements, comes alive without a warning', async () => {
    const count = ref(1);
    const Page = defineComponent(() => {
      useObservation(useSurface({ surface: counter, context: { count: 1 } }), 'value', count);
      useSurfaceHold(true);
      return () => h('main', [
        h('oui-surface', { 'surface-id': 'made-there', 'name': 'Made there', 'description': 'Of a server.' }, [
          h('oui-action', { 'action-id': 'go_on', 'description': 'Goes on', 'handler': () => 1 }),
          h('oui-observation', { 'observation-id': 'seen', 'description': 'Seen', 'type': 'integer', 'value': 3 }),
        ]),
        h('p', count.value),
      ]);
    });
    const warnings = collectWarnings();
    const onServer = createSSRApp(Page);
    onServer.provide(surfaceRuntimeKey, page.runtime);
    place.innerHTML = await renderToString(onServer);
    await page.roundTrip();
    expect(page.said()).to.deep.equal([]);
    const rendered = place.querySelector('p');
    await show(Page, createSSRApp);
    warnings.stop();
    expect(place.querySelector('p')).to.equal(rendered);
    expect(place.querySelector('oui-surface')).to.have.property('surfaceId', 'made-there');
    expect(typeof (place.querySelector('oui-action') as never as { handler: unknown }).handler).to.equal('function');
    expect(page.said()).to.deep.equal(REGISTERED);
    expect(warnings.texts).to.deep.equal([]);
  });
});
