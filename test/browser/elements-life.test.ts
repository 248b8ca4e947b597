import { expect } from 'chai';
import { OuiSurfaceElement } from '../../elements/oui-surface.js';
import type { OuiActionEvent } from '../../elements/oui-action-event.js';
import { connectAgent } from './fixtures/connected-agent.js';
import type { ConnectedAgent } from './fixtures/connected-agent.js';
import { find, manifestOf, nextTask, registered, render, runtimeOf, warningsOfEachTest } from './fixtures/elements-page.js';

const ACTION = '<oui-action action-id="do_it" description="Does it" settle="none"></oui-action>';
const COUNT = '<oui-observation observation-id="open_count" description="How many" type="integer"></oui-observation>';
const surface = (inside = ACTION, id = 'todo-app'): string => (
  `<oui-surface surface-id="${id}" name="Todos" description="A list.">${inside}</oui-surface>`);

const actionsOf = (root: ParentNode, id?: string): string[] => manifestOf(root, id).actions.map((action) => action.id);

/** An agent at the other end of the page's `<oui-runtime>`, which has heard of the surface. */
async function connectedAgent(root: ParentNode): Promise<ConnectedAgent> {
  const agent = await connectAgent(async (runtime) => {
    find(root, 'oui-runtime').runtime = runtime;
    await nextTask();
  });
  await agent.next(({ type }) => (type === 'surface:register' ? true : undefined));
  return agent;
}

const warnings = warningsOfEachTest();

describe('a runtime', () => {
  it('that comes after the page was told to have none serves everything', async () => {
    const root = await render(`${surface()}<oui-hold active></oui-hold>`);
    await warnings.next(/todo-app"> has no runtime and is not offered/);
    root.insertAdjacentHTML('afterbegin', '<oui-runtime></oui-runtime>');
    await nextTask();
    expect(registered(root)).to.deep.equal(['todo-app']);
  });

  it('in the place of another, in the same task or later, takes surfaces, values and holds over', async () => {
    const root = await render(`<oui-runtime></oui-runtime>${surface(ACTION + COUNT)}<oui-hold></oui-hold>`);
    find(root, 'oui-observation').value = 3;
    await nextTask();
    const values = (): unknown => runtimeOf(root).snapshot().observations;
    const first = runtimeOf(root);
    find(root, 'oui-runtime').replaceWith(document.createElement('oui-runtime'));
    await nextTask();
    expect(runtimeOf(root) === first, 'another runtime').to.equal(false);
    expect([registered(root), values()]).to.deep.equal([['todo-app'], { 'todo-app': { open_count: 3 } }]);
    find(root, 'oui-runtime').remove();
    await nextTask();
    expect(find(root, 'oui-surface').mounted).to.equal(null);
    root.append(document.createElement('oui-runtime'));
    await nextTask();
    expect([registered(root), values()]).to.deep.equal([['todo-app'], { 'todo-app': { open_count: 3 } }]);

    const held = runtimeOf(root);
    let holds = 0;
    const { hold } = held;
    held.hold = () => {
      holds += 1;
      return hold.call(held);
    };
    find(root, 'oui-hold').active = true;
    await nextTask();
    expect(holds).to.equal(1);
  });
});

describe('a surface', () => {
  it('in a template is nothing until it is stamped', async () => {
    const root = await render(`<oui-runtime></oui-runtime><template>${surface(ACTION + COUNT)}</template>`);
    expect(registered(root)).to.deep.equal([]);
    const { content } = find(root, 'template');
    for (const stamp of [() => content.cloneNode(true), () => document.importNode(content, true)]) {
      root.append(stamp());
      await nextTask();
      expect([registered(root), actionsOf(root)]).to.deep.equal([['todo-app'], ['do_it']]);
      find(root, 'oui-surface').remove();
      await nextTask();
      expect(registered(root)).to.deep.equal([]);
    }
    expect(warnings.texts).to.deep.equal([]);
  });

  it('that was cloned is one of its own, with what its markup says', async () => {
    const root = await render(`<oui-runtime></oui-runtime>${surface(ACTION + COUNT)}`);
    const original = find(root, 'oui-surface');
    find(root, 'oui-action').handler = () => 'the original';
    find(root, 'oui-observation').value = 3;
    await nextTask();
    const clone = original.cloneNode(true) as OuiSurfaceElement;
    clone.surfaceId = 'copy';
    root.append(clone);
    await nextTask();
    expect(registered(root)).to.deep.equal(['todo-app', 'copy']);
    // Handlers and values are no markup.
    expect(runtimeOf(root).snapshot().observations).to.deep.equal({ 'todo-app': { open_count: 3 } });
    clone.addEventListener('oui-action', (event) => event.respondWith(`the ${event.surfaceId}`));
    const run = async (surfaceId: string): Promise<unknown> => (
      await runtimeOf(root).execute({ surfaceId, actionId: 'do_it' })).data;
    expect([await run('todo-app'), await run('copy')]).to.deep.equal(['the original', 'the copy']);
  });

  it('with the id of another serves while it is there, and one warning says so', async () => {
    const root = await render(`<oui-runtime></oui-runtime>${surface()}${surface(ACTION.replace('do_it', 'do_other'))}`);
    expect([registered(root), actionsOf(root)]).to.deep.equal([['todo-app'], ['do_other']]);
    await warnings.next(/Surface "todo-app" is mounted 2 times; the newest one serves until it goes/);
    expect(warnings.texts).to.have.length(1);
    root.lastElementChild!.remove();
    await nextTask();
    expect(actionsOf(root)).to.deep.equal(['do_it']);
  });

  it('follows its ids, and those of its parts', async () => {
    const root = await render(`<oui-runtime></oui-runtime>${surface(ACTION + COUNT)}`);
    find(root, 'oui-observation').value = 3;
    await nextTask();
    find(root, 'oui-surface').setAttribute('surface-id', 'shop');
    find(root, 'oui-action').setAttribute('action-id', 'buy');
    find(root, 'oui-observation').setAttribute('observation-id', 'left');
    await nextTask();
    expect([registered(root), actionsOf(root)]).to.deep.equal([['shop'], ['buy']]);
    expect(runtimeOf(root).snapshot().observations).to.deep.equal({ shop: { left: 3 } });
    find(root, 'oui-action').setAttribute('action-id', 'sell');
    await nextTask();
    expect(actionsOf(root)).to.deep.equal(['sell']);
    find(root, 'oui-surface').setAttribute('surface-id', '');
    await nextTask();
    expect(registered(root)).to.deep.equal([]);
    find(root, 'oui-surface').setAttribute('surface-id', 'shop');
    await nextTask();
    expect(registered(root)).to.deep.equal(['shop']);
  });

  it('gives an action, an observation and a parameter away to another', async () => {
    const root = await render(`<oui-runtime></oui-runtime>
      ${surface(`${ACTION.replace('do_it', 'stay')}${ACTION}${COUNT}`, 'one')}${surface(ACTION.replace('do_it', 'other'), 'two')}`);
    const [one, two] = root.querySelectorAll('oui-surface');
    const moving = one!.querySelector('[action-id="do_it"]')!;
    moving.addEventListener('oui-action', (event) => {
      (event as OuiActionEvent).respondWith((event as OuiActionEvent).surfaceId);
    });
    find(root, 'oui-observation').value = 3;
    await nextTask();
    let changes = 0;
    runtimeOf(root).subscribe(({ type }) => (changes += Number(type === 'surfaces')));
    two!.append(moving, find(root, 'oui-observation'));
    await nextTask();
    expect([actionsOf(root, 'one'), actionsOf(root, 'two'), changes]).to.deep.equal([['stay'], ['other', 'do_it'], 2]);
    expect(runtimeOf(root).snapshot().observations).to.deep.equal({ two: { open_count: 3 } });
    expect((await runtimeOf(root).execute({ surfaceId: 'two', actionId: 'do_it' })).data).to.equal('two');

    moving.innerHTML = '<oui-param name="title"></oui-param>';
    two!.querySelector('oui-action')!.append(moving.firstElementChild!);
    await nextTask();
    const inputs = manifestOf(root, 'two').actions.map(({ input }) => Object.keys((input as { properties: object }).properties));
    expect(inputs).to.deep.equal([['title'], []]);
  });
});

describe('while an agent is connected, a surface', () => {
  it('whose markup is replaced whole in one task answers what runs, and is there with what is new', async () => {
    const root = await render(`<oui-runtime></oui-runtime><main>${surface(ACTION + COUNT)}</main>`);
    const agent = await connectedAgent(root);
    const outcome = agent.call('todo-app', 'do_it');
    let finish: (value: string) => void = () => {};
    const started = new Promise<void>((resolve) => {
      find(root, 'oui-action').handler = () => {
        resolve();
        return new Promise<string>((end) => (finish = end));
      };
    });
    await started;
    find(root, 'main').innerHTML = surface(ACTION + ACTION.replace('do_it', 'do_more'));
    await nextTask();
    expect(actionsOf(root)).to.deep.equal(['do_it', 'do_more']);
    finish('done');
    expect(await outcome).to.include({ success: true, data: 'done' });
    find(root, 'oui-action').handler = () => 'by the new one';
    expect((await agent.call('todo-app', 'do_it')).data).to.equal('by the new one');
    // What ran has kept it: the agent never lost the surface.
    expect(agent.heard.map(({ type }) => type)).not.to.include('surface:deregister');
    agent.end();
  });

  it('that a tool puts another element in place of goes on there, with the values that it had', async () => {
    const root = await render(`<oui-runtime></oui-runtime>${surface(ACTION + COUNT)}`);
    const agent = await connectedAgent(root);
    find(root, 'oui-observation').value = 3;
    class Reloaded extends OuiSurfaceElement {}
    Reloaded.define('oui-surface-reloaded');
    const old = find(root, 'oui-surface');
    const fresh = document.createElement('oui-surface-reloaded') as OuiSurfaceElement;
    for (const { name, value } of old.attributes) fresh.setAttribute(name, value);
    fresh.append(...old.childNodes);
    old.replaceWith(fresh);
    await nextTask();
    find(root, 'oui-action').handler = () => 'here';
    const { data, observations } = await agent.call('todo-app', 'do_it');
    expect([data, observations]).to.deep.equal(['here', { 'todo-app': { open_count: 3 } }]);
    expect([old.mounted, fresh.mounted?.surfaceId]).to.deep.equal([null, 'todo-app']);
    agent.end();
  });

  it('that is moved, also by moveBefore, is not told to be gone', async () => {
    const root = await render(`<oui-runtime></oui-runtime>${surface(ACTION + COUNT)}<section></section>`);
    const agent = await connectedAgent(root);
    const section = find(root, 'section') as HTMLElement & { moveBefore?(node: Node, before: Node | null): void };
    const element = find(root, 'oui-surface');
    section.append(element);
    await nextTask();
    root.append(element);
    (section.moveBefore ?? section.insertBefore).call(section, element, null);
    await nextTask();
    find(root, 'oui-action').handler = () => 'here';
    expect((await agent.call('todo-app', 'do_it')).data).to.equal('here');
    expect(agent.heard.filter(({ type }) => /surface/.test(type)).map(({ type }) => type)).to.deep.equal(['surface:register']);
    agent.end();
  });
});

describe('shadow roots', () => {
  /** A component whose shadow root nobody can look into from outside. */
  function closed(root: ParentNode, selector: string, html: string): ShadowRoot {
    const shadow = root.querySelector(selector)!.attachShadow({ mode: 'closed' });
    shadow.innerHTML = html;
    return shadow;
  }

  it('that are closed hold surfaces, runtimes, and surfaces around what is slotted', async () => {
    const root = await render('<oui-runtime></oui-runtime>');
    root.insertAdjacentHTML('beforeend', `<div class="a"></div><div class="b">${ACTION}</div>`);
    closed(root, '.a', surface(ACTION, 'inside'));
    closed(root, '.b', surface(`${ACTION.replace('do_it', 'own')}<slot></slot>`, 'around'));
    await nextTask();
    expect(registered(root)).to.deep.equal(['inside', 'around']);
    expect(actionsOf(root, 'around')).to.deep.equal(['own', 'do_it']);
    expect(warnings.texts).to.deep.equal([]);

    const alone = await render('<div class="c"></div>');
    const shadow = closed(alone, '.c', `<oui-runtime>${surface(ACTION, 'with-runtime')}</oui-runtime>`);
    await nextTask();
    expect(registered(shadow)).to.deep.equal(['with-runtime']);
  });

  it('hold forms: of the action\'s own root, of one around it, or given as its .target', async () => {
    const form = (id: string): string => `<form id="${id}"><input name="${id}_field"><button>Go</button></form>`;
    const root = await render(`<oui-runtime></oui-runtime>${surface(`${ACTION}<div class="a"></div>`)}${form('out')}<div class="login"></div>`);
    const action = (id: string, target: string): string => (
      `<oui-action action-id="${id}" description="Does it" settle="none"${target && ` for="${target}"`}></oui-action>`);
    const outer = closed(root, '.a', `<div class="b"></div>${form('mid')}`);
    const inner = closed(outer, '.b', `${action('own', 'in')}${action('around', 'mid')}${action('document', 'out')}`
      + `${action('given', '')}${form('in')}`);
    const login = closed(root, '.login', form('secret'));
    const given = inner.querySelector<HTMLElementTagNameMap['oui-action']>('[action-id="given"]')!;
    given.target = login.querySelector('form');
    const fields = (): Record<string, string[]> => Object.fromEntries(manifestOf(root).actions.map(({ id, input }) => (
      [id, Object.keys((input as { properties: object }).properties)])));
    const wanted = { do_it: [], own: ['in_field'], around: ['mid_field'], document: ['out_field'], given: ['secret_field'] };
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (registered(root).length === 1 && JSON.stringify(Object.values(fields()).flat().sort()) === JSON.stringify(Object.values(wanted).flat().sort())) resolve();
      };
      runtimeOf(root).subscribe(look);
      look();
    });
    expect(fields()).to.deep.equal(wanted);
    for (const shadow of [root, outer, inner, login]) {
      shadow.addEventListener('submit', (event) => {
        event.preventDefault();
        (event as SubmitEvent).respondWith!(Object.fromEntries(new FormData(event.target as HTMLFormElement)));
      });
    }
    const run = async (actionId: string, field: string): Promise<unknown> => (
      await runtimeOf(root).execute({ surfaceId: 'todo-app', actionId, params: { [field]: 'x' } })).data;
    for (const [id, [field]] of Object.entries(wanted)) {
      if (field) expect(await run(id, field), id).to.deep.equal({ [field]: 'x' });
    }
    // What stands further out is followed too.
    outer.querySelector('form')!.remove();
    await new Promise<void>((resolve) => {
      const look = (): void => {
        const around = manifestOf(root).actions.find(({ id }) => id === 'around')!;
        if (around.enabled === false) resolve();
      };
      runtimeOf(root).subscribe(look);
      look();
    });
  });
});
