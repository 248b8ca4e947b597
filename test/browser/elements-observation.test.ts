import { expect } from 'chai';
import { signal } from '@preact/signals-core';
import { runtimeWiring } from '../../elements/wiring.js';
import type { OUIActionResult, OUIEvent } from '../../src/protocol/events.js';
import { createRuntime } from '../../src/surface/create-runtime.js';
import { createDirectTransportPair } from '../../src/transports/direct.js';
import { clear, find, manifestOf, nextTask, render, runtimeOf, warningsOfEachTest } from './fixtures/elements-page.js';

const PAGE = `<oui-runtime></oui-runtime>
  <oui-surface surface-id="todo-app" name="Todos" description="A list.">
    <oui-action action-id="do_it" description="Does it" settle="none"></oui-action>
    <oui-observation observation-id="open_count" description="How many are open" type="integer"></oui-observation>
  </oui-surface>`;

const value = (root: ParentNode): unknown => runtimeOf(root).snapshot().observations['todo-app']?.['open_count'];

describe('<oui-observation>', () => {
  const warnings = warningsOfEachTest();
  afterEach(() => {
    expect(warnings.texts).to.deep.equal([]);
  });

  it('has no value until one is set, then the newest', async () => {
    const root = await render(PAGE);
    expect(value(root)).to.equal(undefined);
    const element = find(root, 'oui-observation');
    element.value = 3;
    await nextTask();
    expect(value(root)).to.equal(3);
    element.value = 4;
    expect(value(root)).to.equal(4);
    expect(element.value).to.equal(4);
  });

  it('declares its schema in any place that an action does, and how often it changes', async () => {
    const observation = (id: string, attributes: string, inside = ''): string => (
      `<oui-observation observation-id="${id}" description="D" ${attributes}>${inside}</oui-observation>`);
    const root = await render(`<script type="application/schema+json" id="schema">{"type":"array"}</script><oui-runtime></oui-runtime>
      <oui-surface surface-id="todo-app" name="Todos" description="A list.">
        <oui-action action-id="do_it" description="Does it"></oui-action>
        ${observation('by_attribute', 'schema=\'{"enum":[1]}\' type="text"')}${observation('by_reference', 'schema-from="#schema"')}
        ${observation('by_child', '', '<script type="application/schema+json">{"type":"null"}</script>')}
        ${observation('asked_for', 'type="number" update-frequency="polling"')}
        ${observation('all_the_time', 'type="boolean" update-frequency="realtime"')}</oui-surface>`);
    expect(manifestOf(root).observations!.map(({ id, schema, updateFrequency }) => [id, schema, updateFrequency])).to.deep.equal([
      ['by_attribute', { enum: [1] }, undefined], ['by_reference', { type: 'array' }, undefined],
      ['by_child', { type: 'null' }, undefined], ['asked_for', { type: 'number' }, 'polling'],
      ['all_the_time', { type: 'boolean' }, 'realtime'],
    ]);
  });

  it('tells that a value which was set again has changed inside', async () => {
    const root = await render(PAGE.replace('type="integer"', ''));
    const element = find(root, 'oui-observation');
    const list = ['a'];
    element.value = list;
    await nextTask();
    list.push('b');
    element.value = list;
    expect(value(root)).to.deep.equal(['a', 'b']);
  });

  it('keeps a value that was set before it was in the page', async () => {
    const template = document.createElement('template');
    template.innerHTML = PAGE;
    const fragment = template.content;
    // Not upgraded yet: a plain element with a plain property.
    (fragment.querySelector('oui-observation') as Element & { value: unknown }).value = 5;
    const root = await render('');
    root.append(fragment);
    await nextTask();
    expect(value(root)).to.equal(5);
  });

  it('follows a signal, another one, and a value again', async () => {
    const root = await render(PAGE);
    const element = find(root, 'oui-observation');
    const first = signal(1);
    const second = signal(10);
    element.signal = first;
    await nextTask();
    expect(value(root)).to.equal(1);
    first.value = 2;
    expect(value(root)).to.equal(2);
    element.signal = () => second.value + 1;
    await nextTask();
    expect(value(root)).to.equal(11);
    first.value = 3;
    expect(value(root)).to.equal(11);
    second.value = 20;
    expect(value(root)).to.equal(21);
    element.value = 0;
    await nextTask();
    expect(value(root)).to.equal(0);
    expect(element.signal).to.equal(null);
  });

  it('goes out in the result of the action that set it', async () => {
    const root = await render(PAGE);
    const element = find(root, 'oui-observation');
    const { page, agent } = createDirectTransportPair();
    const runtime = createRuntime({ transport: page }, runtimeWiring());
    find(root, 'oui-runtime').runtime = runtime;
    element.value = 1;
    await nextTask();
    find(root, 'oui-action').handler = () => {
      element.value = 2;
    };
    const result = new Promise<OUIActionResult>((resolve) => {
      agent.onEvent((message) => {
        const { type, payload } = message as OUIEvent;
        if (type === 'action:result') resolve(payload as OUIActionResult);
      });
    });
    await agent.connect();
    const payload = { requestId: 'r1', surfaceId: 'todo-app', actionId: 'do_it', params: {}, timestamp: Date.now() };
    agent.send({ type: 'action:request', payload });
    expect((await result).observations).to.deep.equal({ 'todo-app': { open_count: 2 } });
    runtime.dispose();
  });

  it('keeps its value over an update of the surface, and loses it with its element', async () => {
    const root = await render(PAGE);
    find(root, 'oui-observation').value = 3;
    await nextTask();
    const another = '<oui-observation observation-id="other" description="Another"></oui-observation>';
    find(root, 'oui-surface').insertAdjacentHTML('beforeend', another);
    await nextTask();
    expect(value(root)).to.equal(3);
    find(root, 'oui-observation').remove();
    await nextTask();
    expect(value(root)).to.equal(undefined);
  });
});

describe('<oui-hold>', () => {
  afterEach(clear);

  const settledWhile = async (root: HTMLElement, end: () => void): Promise<boolean | undefined> => {
    const running = runtimeOf(root).execute({ surfaceId: 'todo-app', actionId: 'do_it' });
    let ended = false;
    void running.then(() => (ended = true));
    // Longer than the quiet window: without the hold the result would be there.
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(ended).to.equal(false);
    end();
    return (await running).settled;
  };

  it('keeps results waiting while it is active', async () => {
    const root = await render(PAGE.replace(' settle="none"', '') + '<oui-hold active></oui-hold>');
    find(root, 'oui-action').handler = () => 1;
    expect(await settledWhile(root, () => (find(root, 'oui-hold').active = false))).to.equal(true);
  });

  it('keeps results waiting while its selector matches', async () => {
    const root = await render(PAGE.replace(' settle="none"', '') + '<oui-hold while=".spinner"></oui-hold>');
    find(root, 'oui-action').handler = () => {
      root.insertAdjacentHTML('beforeend', '<i class="spinner"></i>');
    };
    expect(await settledWhile(root, () => root.querySelector('.spinner')?.classList.remove('spinner'))).to.equal(true);
  });
});
