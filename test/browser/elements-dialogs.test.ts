import { expect } from 'chai';
import type { OUIActionResult } from '../../src/protocol/events.js';
import { find, offered, render, runtimeOf, warningsOfEachTest } from './fixtures/elements-page.js';

/** A form and a button, and a component of the page with a dialog in its shadow root. */
const PAGE = `<oui-runtime></oui-runtime>
  <oui-surface surface-id="forms" name="Forms" description="Forms.">
    <oui-action action-id="send" description="Sends" for="form" settle="none"></oui-action>
    <oui-action action-id="go" description="Goes" for="button" settle="none"></oui-action>
  </oui-surface>
  <div class="component"></div>
  <form id="form"><input name="title"></form>
  <button id="button" type="button">Go</button>`;

const run = (root: ParentNode, actionId: string, params: unknown = {}): Promise<OUIActionResult> => (
  runtimeOf(root).execute({ surfaceId: 'forms', actionId, params }));

function dialogIn(host: Element, mode: ShadowRootMode): HTMLDialogElement {
  const dialog = document.createElement('dialog');
  dialog.append('Really?', document.createElement('button'));
  host.attachShadow({ mode }).append(dialog);
  return dialog;
}

describe('a modal dialog in a shadow root', () => {
  warningsOfEachTest();

  /** What the page got to do. */
  async function dialogPage(): Promise<{ readonly root: HTMLElement; readonly done: string[] }> {
    const root = await render(PAGE);
    const done: string[] = [];
    root.addEventListener('submit', (event) => {
      event.preventDefault();
      done.push('submit');
    });
    root.addEventListener('input', () => done.push('input'));
    find(root, 'button').addEventListener('click', () => done.push('click'));
    await offered(root);
    return { root, done };
  }

  for (const mode of ['open', 'closed'] as const) {
    it(`(${mode}) keeps agents from what is behind it, as it keeps people`, async () => {
      const { root, done } = await dialogPage();
      const dialog = dialogIn(find(root, 'div'), mode);
      dialog.showModal();
      for (const [actionId, name] of [['send', 'the form <form id="form">'], ['go', 'the button "Go"']] as const) {
        const { error } = await run(root, actionId, actionId === 'send' ? { title: 'x' } : {});
        expect(error?.code, actionId).to.equal('PRECONDITION_FAILED');
        expect(error?.message).to.contain(`${name} is out of reach now: a dialog is open`);
      }
      expect(done).to.deep.equal([]);
      expect(root.querySelector('input')!.value).to.equal('');
      dialog.close();
      expect((await run(root, 'send', { title: 'x' })).success).to.equal(true);
      expect((await run(root, 'go')).success).to.equal(true);
      expect(done).to.deep.equal(['input', 'submit', 'click']);
    });
  }

  it('that opens while a form is being filled in keeps it from being submitted', async () => {
    const { root, done } = await dialogPage();
    const dialog = dialogIn(find(root, 'div'), 'closed');
    root.querySelector('input')!.addEventListener('change', () => dialog.showModal());
    const { error } = await run(root, 'send', { title: 'x' });
    expect(error?.code).to.equal('PRECONDITION_FAILED');
    expect(error?.message).to.contain('filled in and not submitted: the form <form id="form"> is out of reach');
    expect(done).to.deep.equal(['input']);
  });

  it('keeps nothing from what is in it, wherever that is scrolled to', async () => {
    const { root, done } = await dialogPage();
    const dialog = dialogIn(find(root, 'div'), 'open');
    const slot = document.createElement('slot');
    slot.style.cssText = 'display: block; height: 60px; overflow: auto';
    const filler = document.createElement('p');
    filler.style.height = '4000px';
    dialog.append(slot);
    find(root, 'div').append(filler, find(root, 'form'), find(root, 'button'));
    dialog.showModal();
    expect((await run(root, 'send', { title: 'x' })).success).to.equal(true);
    expect((await run(root, 'go')).success).to.equal(true);
    expect(done).to.deep.equal(['input', 'submit', 'click']);
  });

  it('is told from things that merely cover the page, or that no mouse gets at', async () => {
    const { root } = await dialogPage();
    root.insertAdjacentHTML('beforeend', `<div style="position: fixed; inset: 0; background: white"></div>
      <p style="height: 4000px"></p>`);
    expect((await run(root, 'go')).success).to.equal(true);
    root.append(find(root, 'button'));
    expect((await run(root, 'go')).success).to.equal(true);
    find(root, 'button').style.pointerEvents = 'none';
    expect((await run(root, 'go')).success).to.equal(true);
    document.body.style.pointerEvents = 'none';
    const dialog = dialogIn(find(root, 'div'), 'open');
    expect((await run(root, 'go')).success).to.equal(true);
    // Nothing has a place to look at: what can be seen from outside counts.
    dialog.showModal();
    expect((await run(root, 'go')).error?.code).to.equal('PRECONDITION_FAILED');
    document.body.style.pointerEvents = '';
  });

  it('that asks the user about another action stops nothing', async () => {
    const { root, done } = await dialogPage();
    const asked = document.createElement('oui-approval');
    root.append(asked);
    await asked.updateComplete;
    const surface = find(root, 'oui-surface');
    surface.insertAdjacentHTML('beforeend', `<oui-action action-id="buy" description="Buys" effect="transaction">
      </oui-action>`);
    await offered(root, ({ actions }) => actions.length === 3);
    const shown = new Promise<HTMLDialogElement>((resolve) => {
      const look = (): void => {
        const dialog = asked.shadowRoot?.querySelector<HTMLDialogElement>('dialog[open]');
        if (dialog) return resolve(dialog);
        requestAnimationFrame(look);
      };
      look();
    });
    const answer = run(root, 'buy');
    expect((await shown).matches(':modal')).to.equal(true);
    expect((await run(root, 'go')).success).to.equal(true);
    expect(done).to.deep.equal(['click']);
    runtimeOf(root).dispose();
    await answer;
  });
});
