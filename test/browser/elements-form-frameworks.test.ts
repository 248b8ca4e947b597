import { expect } from 'chai';
import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createApp, h, reactive, vModelCheckbox, vModelSelect, vModelText, withDirectives } from 'vue';
import type { OUIActionResult } from '../../src/protocol/events.js';
import { clear, offered, render, runtimeOf } from './fixtures/elements-page.js';

const PAGE = `<oui-runtime></oui-runtime>
  <oui-surface surface-id="forms" name="Forms" description="Forms.">
    <oui-action action-id="do_it" description="Does it" for="it" settle="none"></oui-action>
  </oui-surface><div class="app"></div>`;

const run = (root: ParentNode, params: unknown): Promise<OUIActionResult> => (
  runtimeOf(root).execute({ surfaceId: 'forms', actionId: 'do_it', params }));

const VALUES = { title: 'Milk', urgent: true, kind: 'b', size: 'm' };

describe('a form that a framework renders', () => {
  afterEach(clear);

  it('of React: controlled inputs, in one state that each change spreads', async () => {
    const root = await render(PAGE);
    const app = createRoot(root.querySelector('.app')!);
    let blurs = 0;
    function Form() {
      const [state, setState] = useState({ title: '', urgent: false, kind: 'a', size: 's' });
      // The state of the last rendering: an update that comes before the next one is lost, as in many a page.
      const change = (event: { target: unknown }): void => {
        const { name, type, value, checked } = event.target as HTMLInputElement;
        setState({ ...state, [name]: type === 'checkbox' ? checked : value });
      };
      const submit = (event: { preventDefault(): void; nativeEvent: unknown }): void => {
        event.preventDefault();
        (event.nativeEvent as SubmitEvent).respondWith!(state);
      };
      const control = (name: 'title' | 'kind', tag: string, ...children: unknown[]) => createElement(
        tag, { name, value: state[name], onChange: change, onBlur: () => (blurs += 1) }, ...children as string[]);
      const radio = (value: string) => createElement('input', {
        type: 'radio', name: 'size', value, checked: state.size === value, onChange: change, key: value,
      });
      return createElement('form', { id: 'it', onSubmit: submit },
        control('title', 'input'),
        createElement('input', { type: 'checkbox', name: 'urgent', checked: state.urgent, onChange: change }),
        control('kind', 'select', ...['a', 'b'].map((each) => createElement('option', { key: each }, each)) as never[]),
        radio('s'), radio('m'),
        createElement('button', { disabled: state.title === '' }, 'Save'));
    }
    app.render(createElement(Form));
    await offered(root, ({ actions }) => JSON.stringify(actions[0]!.input).includes('title'));
    const { data, error } = await run(root, VALUES);
    expect(error).to.equal(undefined);
    expect(data).to.deep.equal(VALUES);
    expect(blurs).to.equal(2);
    app.unmount();
  });

  it('of Vue: v-model on inputs, lazy ones too, checkboxes and selects', async () => {
    const root = await render(PAGE);
    const state = reactive({ title: '', lazy: '', urgent: false, kind: 'a' });
    const model = (name: keyof typeof state) => ({
      name,
      'onUpdate:modelValue': (value: never) => {
        state[name] = value;
      },
    });
    const app = createApp({
      render: () => h('form', {
        id: 'it',
        onSubmit: (event: SubmitEvent) => {
          event.preventDefault();
          event.respondWith!({ ...state });
        },
      }, [
        withDirectives(h('input', model('title')), [[vModelText, state.title]]),
        withDirectives(h('input', model('lazy')), [[vModelText, state.lazy, undefined, { lazy: true }]]),
        withDirectives(h('input', { ...model('urgent'), type: 'checkbox' }), [[vModelCheckbox, state.urgent]]),
        withDirectives(h('select', model('kind'), [h('option', 'a'), h('option', 'b')]), [[vModelSelect, state.kind]]),
        h('button', { disabled: state.title === '' }, 'Save'),
      ]),
    });
    app.mount(root.querySelector('.app')!);
    await offered(root, ({ actions }) => JSON.stringify(actions[0]!.input).includes('title'));
    const { data, error } = await run(root, { title: 'Milk', lazy: 'x', urgent: true, kind: 'b' });
    expect(error).to.equal(undefined);
    expect(data).to.deep.equal({ title: 'Milk', lazy: 'x', urgent: true, kind: 'b' });
    app.unmount();
  });
});
