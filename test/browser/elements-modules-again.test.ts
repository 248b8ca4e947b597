import { expect } from 'chai';
import type { OuiActionElement } from '../../elements/oui-action.js';
import { OuiSurfaceElement } from '../../elements/oui-surface.js';
import { clear, collectWarnings, nextTask, registered, render } from './fixtures/elements-page.js';

const surface = (id = 'todo-app'): string => (
  `<oui-surface surface-id="${id}" name="Todos" description="A list.">`
  + '<oui-action action-id="do_it" description="Does it" settle="none"></oui-action></oui-surface>');

const warnings = collectWarnings();
afterEach(async () => {
  await clear();
  warnings.stop();
});

describe('modules that are evaluated again', () => {
  it('define the same classes quietly; a changed class is told, and what is there goes on', async () => {
    const root = await render(`<oui-runtime></oui-runtime>${surface()}`);
    const again = (path: string): Promise<{ OuiSurfaceElement?: typeof OuiSurfaceElement }> => import(path);
    await again('../../elements/oui-surface.define.js?again');
    expect(warnings.texts).to.deep.equal([]);
    const { OuiSurfaceElement: changed } = await again('../../elements/oui-surface.js?again');
    expect(changed === OuiSurfaceElement).to.equal(false);
    changed!.define();
    changed!.define();
    expect(warnings.texts).to.have.length(1);
    expect(warnings.texts[0]).to.match(/OUI2002.*<oui-surface> is already defined by oui-elements/);
    root.insertAdjacentHTML('beforeend', surface('shop'));
    await nextTask();
    expect(registered(root)).to.deep.equal(['todo-app', 'shop']);
    // A framework's hot update: another function for the element that is there, or the element anew.
    const { runtime } = root.querySelector('oui-runtime')!;
    const call = { surfaceId: 'todo-app', actionId: 'do_it', params: {} };
    const action = root.querySelector<OuiActionElement>('[surface-id="todo-app"] oui-action')!;
    action.handler = () => 'old';
    expect(await runtime!.execute(call)).to.include({ success: true, data: 'old' });
    action.handler = () => 'new';
    expect(await runtime!.execute(call)).to.include({ success: true, data: 'new' });
    const anew = action.cloneNode() as OuiActionElement;
    anew.handler = () => 'newest';
    action.replaceWith(anew);
    expect(await runtime!.execute(call)).to.include({ success: true, data: 'newest' });
    expect(runtime!.snapshot().surfaces!.map(({ id, actions }) => [id, actions.length])).to.deep.equal([
      ['todo-app', 1], ['shop', 1],
    ]);
    expect(warnings.texts).to.have.length(1);
  });
});
