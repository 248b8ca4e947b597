import { expect } from 'chai';
import { OuiSurfaceElement } from '../../elements/oui-surface.js';
import { defineSurface } from '../../src/surface/definition/define-surface.js';
import {
  collectWarnings,
  find,
  manifestOf,
  nextTask,
  registered,
  render,
  runtimeOf,
  warningsOfEachTest,
} from './fixtures/elements-page.js';

const ACTION = '<oui-action action-id="do_it" description="Does it"></oui-action>';
const surface = (inside: string, attributes = ''): string => (
  `<oui-surface surface-id="todo-app" name="Todos" description="A list."${attributes && ` ${attributes}`}>`
  + `${inside}</oui-surface>`);

describe('<oui-surface>', () => {
  const warnings = warningsOfEachTest();

  it('registers what its attributes and children say', async () => {
    const root = await render(`<oui-runtime></oui-runtime>${surface(`
      <oui-action action-id="add_todo" label="Add" description="Adds one" effect="edit" tags="write  create" async
        usage="When asked" preconditions="Signed in" estimated-duration="instant" output='{"type":"object"}'>
        <oui-param name="title" required min="1" max="500" description="Its text"></oui-param>
        <oui-param name="priority" enum='["low", "high"]' default="low"></oui-param>
        <oui-param name="ids" type="integer" list max="9"></oui-param>
        <oui-param name="share" type="number" min="0" max="1" default="0.5"></oui-param>
      </oui-action>
      <oui-observation observation-id="open_count" description="How many" type="integer"></oui-observation>`,
      'version="1.2.0" routes="/** /" entity-type="list" entity-id="7" condition="Signed in" concurrent '
      + 'metadata=\'{"a":1}\'')}`);
    expect(manifestOf(root)).to.deep.equal({
      id: 'todo-app',
      name: 'Todos',
      description: 'A list.',
      version: '1.2.0',
      actions: [{
        id: 'add_todo',
        title: 'Add',
        description: 'Adds one',
        input: {
          type: 'object',
          properties: {
            title: { type: 'string', minLength: 1, maxLength: 500, description: 'Its text' },
            priority: { type: 'string', enum: ['low', 'high'], default: 'low' },
            ids: { type: 'array', items: { type: 'integer' }, maxItems: 9 },
            share: { type: 'number', minimum: 0, maximum: 1, default: 0.5 },
          },
          required: ['title'],
        },
        output: { type: 'object' },
        async: true,
        effect: 'edit',
        usage: 'When asked',
        preconditions: 'Signed in',
        estimatedDuration: 'instant',
        tags: ['write', 'create'],
      }],
      observations: [{ id: 'open_count', description: 'How many', schema: { type: 'integer' } }],
      activation: { routes: ['/**', '/'], entity: { type: 'list', id: '7' }, condition: 'Signed in' },
      metadata: { a: 1 },
      concurrent: true,
    });
    expect(warnings.texts).to.deep.equal([]);
  });

  it('registers once, and sends later changes of its children as one update', async () => {
    const root = await render('<oui-runtime></oui-runtime>');
    const events: string[] = [];
    runtimeOf(root).subscribe(({ type }) => events.push(type));
    root.insertAdjacentHTML('beforeend', surface(ACTION + ACTION.replace('do_it', 'do_more')));
    await nextTask();
    expect(events.filter((type) => type === 'surfaces')).to.have.length(1);

    const { mounted } = find(root, 'oui-surface');
    const [first, second] = root.querySelectorAll('oui-action');
    first!.setAttribute('description', 'Does it well');
    first!.setAttribute('disabled', '');
    first!.setAttribute('disabled-reason', 'Not now');
    second!.remove();
    find(root, 'oui-surface').insertAdjacentHTML('afterbegin', ACTION.replace('do_it', 'do_first'));
    await nextTask();
    expect(events.filter((type) => type === 'surfaces')).to.have.length(2);
    expect(find(root, 'oui-surface').mounted === mounted, 'still the same mount').to.equal(true);
    expect(manifestOf(root).actions).to.deep.equal([
      { id: 'do_first', description: 'Does it', input: { type: 'object', properties: {} } },
      {
        id: 'do_it',
        description: 'Does it well',
        input: { type: 'object', properties: {} },
        enabled: false,
        disabledReason: 'Not now',
      },
    ]);
  });

  it('waits for the parser, which connects an element before its children', async () => {
    const frame = document.createElement('iframe');
    frame.dataset['test'] = '';
    document.body.append(frame);
    const page = frame.contentDocument!;
    page.open();
    const defined = new Promise((resolve) => frame.contentWindow!.addEventListener('message', resolve, { once: true }));
    page.write(`<script src="/dist/oui.iife.js"></script><script>postMessage('defined')</script>
      <oui-runtime worker-src="none"></oui-runtime>
      <oui-surface surface-id="todo-app" name="Todos" description="A list.">${ACTION}`);
    await defined;
    await nextTask();
    const root = page.documentElement;
    expect(page.readyState).to.equal('loading');
    await find(root, 'oui-runtime').updateComplete;
    expect(registered(root)).to.deep.equal([]);
    let changes = 0;
    runtimeOf(root).subscribe(({ type }) => (changes += Number(type === 'surfaces')));

    const parsed = new Promise((resolve) => page.addEventListener('DOMContentLoaded', resolve, { once: true }));
    page.write(`${ACTION.replace('do_it', 'do_more')}</oui-surface>`);
    page.close();
    await parsed;
    await nextTask();
    expect(manifestOf(root).actions.map(({ id }) => id)).to.deep.equal(['do_it', 'do_more']);
    expect(changes).to.equal(1);
  });

  it('finds a runtime that comes later, wherever it stands', async () => {
    const root = await render(surface(ACTION));
    const inShadow = document.createElement('div');
    root.append(inShadow);
    inShadow.attachShadow({ mode: 'open' }).innerHTML = '<oui-runtime></oui-runtime>';
    await nextTask();
    expect(registered(inShadow.shadowRoot!)).to.deep.equal(['todo-app']);
  });

  it('belongs to the runtime around it, then to the document\'s, and follows when that changes', async () => {
    const root = await render(`<oui-runtime id="first"></oui-runtime>
      <oui-runtime id="around">${surface(ACTION)}</oui-runtime>`);
    const [first, around] = root.querySelectorAll('oui-runtime');
    const ids = (element: typeof first): string[] => element!.runtime!.snapshot().surfaces!.map(({ id }) => id);
    expect(ids(first)).to.deep.equal([]);
    expect(ids(around)).to.deep.equal(['todo-app']);
    root.append(find(root, 'oui-surface'));
    await nextTask();
    expect(ids(first)).to.deep.equal(['todo-app']);
    expect(ids(around)).to.deep.equal([]);
    first!.remove();
    await nextTask();
    expect(ids(around)).to.deep.equal(['todo-app']);
  });

  it('takes a runtime from any provider of the context protocol, and from its property before all', async () => {
    const root = await render('<oui-runtime id="a"></oui-runtime><oui-runtime id="b"></oui-runtime><div></div>');
    const [a, b] = [...root.querySelectorAll('oui-runtime')].map(({ runtime }) => runtime!);
    const host = find(root, 'div');
    host.addEventListener('context-request', (event) => {
      const request = event as Event & { context: unknown; callback(value: unknown): void };
      if (request.context !== Symbol.for('oui-elements/runtime')) return;
      event.stopPropagation();
      request.callback(b);
    });
    host.innerHTML = surface(ACTION);
    await nextTask();
    expect([a, b].map((runtime) => runtime!.snapshot().surfaces!.length)).to.deep.equal([0, 1]);
    find(host, 'oui-surface').runtime = a!;
    await nextTask();
    expect([a, b].map((runtime) => runtime!.snapshot().surfaces!.length)).to.deep.equal([1, 0]);
  });

  it('stays mounted when it is moved within the document, and not when it is removed', async () => {
    const root = await render(`<oui-runtime></oui-runtime>${surface(ACTION)}<section></section>`);
    const element = find(root, 'oui-surface');
    const { mounted } = element;
    find(root, 'section').append(element);
    await nextTask();
    expect(element.mounted === mounted, 'still the same mount').to.equal(true);
    element.remove();
    await nextTask();
    expect(element.mounted).to.equal(null);
    expect(registered(root)).to.deep.equal([]);
    root.append(element);
    await nextTask();
    expect(registered(root)).to.deep.equal(['todo-app']);
  });

  it('is offered while it is not inactive', async () => {
    const root = await render(`<oui-runtime></oui-runtime>${surface(ACTION, 'inactive')}`);
    expect(registered(root)).to.deep.equal([]);
    find(root, 'oui-surface').inactive = false;
    await nextTask();
    expect(registered(root)).to.deep.equal(['todo-app']);
    find(root, 'oui-surface').inactive = true;
    await nextTask();
    expect(registered(root)).to.deep.equal([]);
  });

  it('takes a surface from defineSurface, with a context that is read at each call', async () => {
    const root = await render('<oui-runtime></oui-runtime><oui-surface></oui-surface>');
    const element = find(root, 'oui-surface');
    let user = 'Ada';
    element.surface = defineSurface<{ user: string }>({
      id: 'greeter',
      name: 'Greeter',
      description: 'Greets.',
      actions: [{
        id: 'greet', description: 'Greets', effect: 'view', input: {}, handler: (_, context) => `Hello ${context.user}`,
      }],
    });
    element.context = () => ({ user });
    await nextTask();
    const greet = async (): Promise<unknown> => (
      await runtimeOf(root).execute({ surfaceId: 'greeter', actionId: 'greet' })).data;
    expect(await greet()).to.equal('Hello Ada');
    user = 'Grace';
    expect(await greet()).to.equal('Hello Grace');
  });

  it('asks the enabled functions of its surface again when it gets another context', async () => {
    const root = await render('<oui-runtime></oui-runtime><oui-surface></oui-surface>');
    const element = find(root, 'oui-surface');
    element.surface = defineSurface<{ selected: number }>({
      id: 'greeter',
      name: 'Greeter',
      description: 'Greets.',
      actions: [{
        id: 'greet', description: 'Greets', input: {}, enabled: ({ selected }) => selected > 0, handler: () => 'Hello',
      }],
    });
    element.context = { selected: 0 };
    await nextTask();
    const enabled = (): boolean | undefined => manifestOf(root, 'greeter').actions[0]!.enabled;
    expect(enabled()).to.equal(false);
    element.context = { selected: 1 };
    await nextTask();
    expect(enabled()).to.equal(undefined);
  });

  it('finds its parts through shadow roots', async () => {
    const root = await render(`<oui-runtime></oui-runtime>${surface('<div></div>')}`);
    find(root, 'div').attachShadow({ mode: 'open' }).innerHTML = ACTION;
    await nextTask();
    expect(manifestOf(root).actions.map(({ id }) => id)).to.deep.equal(['do_it']);
  });

  it('keeps to itself: it writes no attribute, and its content keeps its place in a layout', async () => {
    const html = surface(ACTION);
    const root = await render(`<oui-runtime></oui-runtime>${html}`);
    expect(find(root, 'oui-surface').outerHTML).to.equal(html);
    expect(getComputedStyle(find(root, 'oui-surface')).display).to.equal('contents');
    expect(getComputedStyle(find(root, 'oui-action')).display).to.equal('none');
  });

  it('says what is wrong in the markup, and offers the rest', async () => {
    const root = await render(`<oui-runtime></oui-runtime>${surface(`${ACTION}${ACTION}
      <oui-action action-id="no_description"></oui-action>
      <oui-action description="Has no id"></oui-action>
      <oui-action action-id="bad_json" description="Broken" input="{ type: 'object' }"></oui-action>
      <oui-action action-id="no_source" description="Broken" input-from="#nowhere"></oui-action>
      <oui-action action-id="odd" description="Odd" effect="explode"></oui-action>
      <oui-observation observation-id="do_it" description="Same id"></oui-observation>
      <oui-observation observation-id="nameless"></oui-observation>
      <oui-param name="lost"></oui-param>`)}
      <oui-action action-id="outside" description="Outside"></oui-action>
      <oui-runtime></oui-runtime>`);
    expect(manifestOf(root).actions.map(({ id }) => id)).to.deep.equal(['do_it', 'odd']);
    const expected = [
      /OUI2001.*<oui-action action-id="do_it"> is ignored.*todo-app/,
      /<oui-observation observation-id="do_it"> is ignored/,
      /<oui-action action-id="no_description"> needs a description/,
      /<oui-action> needs an action-id/,
      /<oui-action action-id="bad_json"> has broken JSON in attribute input/,
      /<oui-action action-id="no_source"> has input-from="#nowhere"/,
      /<oui-action action-id="odd"> has effect="explode".*view, selection/,
      /<oui-observation observation-id="nameless"> needs a description/,
      /<oui-param name="lost"> stands outside of any <oui-action>/,
      /<oui-action action-id="outside"> stands outside of any <oui-surface>/,
      /<oui-runtime> is not the only <oui-runtime>/,
    ];
    for (const pattern of expected) {
      expect(warnings.texts.filter((text) => pattern.test(text)), String(pattern)).to.have.length(1);
    }
    expect(warnings.texts).to.have.length(expected.length);
  });

  it('says what it misses', async () => {
    const root = await render(`${surface(ACTION)}<oui-surface surface-id="bare-one"></oui-surface>`);
    await warnings.next(/<oui-surface surface-id="todo-app"> has no runtime/);
    root.insertAdjacentHTML('afterbegin', '<oui-runtime></oui-runtime>');
    root.append(find(root, 'oui-surface'));
    root.insertAdjacentHTML('beforeend', '<oui-surface surface-id="empty-one"></oui-surface>');
    await warnings.next(/<oui-surface surface-id="empty-one"> has no <oui-action> inside/);
  });

  it('says why a surface as a whole cannot be offered', async () => {
    await render(`<oui-runtime></oui-runtime><oui-surface surface-id="Todo App" name="x">${ACTION}</oui-surface>`);
    expect(warnings.texts).to.have.length(1);
    expect(warnings.texts[0]).to.match(/<oui-surface surface-id="Todo App"> is not offered.*"Todo App": id must match/);
    expect(warnings.texts[0]).to.match(/description .*the agent chooses by it/);
  });
});

describe('define', () => {
  it('is harmless when repeated, serves further names, and leaves a stranger\'s element alone with one warning', () => {
    const warnings = collectWarnings();
    OuiSurfaceElement.define();
    expect(customElements.get('oui-surface')).to.equal(OuiSurfaceElement);
    OuiSurfaceElement.define('another-surface');
    OuiSurfaceElement.define('another-surface');
    expect(document.createElement('another-surface')).to.be.instanceOf(OuiSurfaceElement);
    expect(warnings.texts).to.deep.equal([]);
    customElements.define('taken-surface', class extends HTMLElement {});
    OuiSurfaceElement.define('taken-surface');
    OuiSurfaceElement.define('taken-surface');
    OuiSurfaceElement.define('nohyphen');
    warnings.stop();
    expect(warnings.texts).to.have.length(2);
    expect(warnings.texts[0]).to.match(/OUI2002.*<taken-surface> is already defined/);
    expect(warnings.texts[1]).to.match(/OUI2001.*<nohyphen> could not be defined/);
  });

  it('keeps what was set before the class was there', async () => {
    const early = document.createElement('early-surface') as OuiSurfaceElement;
    early.surfaceId = 'early-bird';
    early.routes = ['/a'];
    OuiSurfaceElement.define('early-surface');
    document.body.append(early);
    await early.updateComplete;
    expect(early.surfaceId).to.equal('early-bird');
    expect(early.routes).to.deep.equal(['/a']);
    early.remove();
  });
});
