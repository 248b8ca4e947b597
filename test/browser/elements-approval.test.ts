import { expect } from 'chai';
import { askWithDialog } from '../../elements/approval-dialog.js';
import { approvalParams, visibleJson } from '../../elements/approval-params.js';
import { runtimeWiring, setRuntimeWiring } from '../../elements/wiring.js';
import type { ApprovalRequest } from '../../src/protocol/engine-messages.js';
import { clear, find, nextTask, render, runtimeOf } from './fixtures/elements-page.js';

const request: ApprovalRequest = {
  requestId: 'r1',
  surfaceId: 'todo-app',
  surfaceName: 'Todos',
  actionId: 'delete_todo',
  title: 'Delete a todo',
  description: 'Permanently deletes it <b>now</b>',
  params: { todoId: 'todo-7', note: 'a\u202eb' },
  defaults: { force: false },
  argsHash: '0'.repeat(64),
  expiresAt: Date.now() + 60_000,
};

function openDialogs(): HTMLDialogElement[] {
  const roots = [...document.querySelectorAll('div')].map(({ shadowRoot }) => shadowRoot);
  return roots.flatMap((root) => [...root?.querySelectorAll('dialog') ?? []]);
}

/** The one that is open. */
function openDialog(): HTMLDialogElement | null {
  const [dialog = null, ...others] = openDialogs();
  expect(others).to.have.length(0);
  return dialog;
}

/** The next one that opens: it may have to be loaded first. */
function dialogOpens(): Promise<HTMLDialogElement> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(look);
    function look(): void {
      const dialog = openDialog();
      if (!dialog) return;
      observer.disconnect();
      resolve(dialog);
    }
    observer.observe(document.body, { childList: true });
    look();
  });
}

describe('the approval dialog', () => {
  it('shows what runs, exactly, as text', async () => {
    const controller = new AbortController();
    const answer = askWithDialog(request, controller.signal);
    await nextTask();
    const dialog = openDialog()!;
    expect(dialog.open).to.equal(true);
    expect(dialog.matches(':modal')).to.equal(true);
    expect(dialog.querySelector('h2')!.textContent).to.equal('Allow “Delete a todo”?');
    expect(dialog.querySelector('p')!.textContent).to.equal(request.description);
    expect([...dialog.querySelectorAll('dt')].map(({ textContent }) => textContent))
      .to.deep.equal(['todoId', 'note', 'force (default)']);
    expect([...dialog.querySelectorAll('pre')].map(({ textContent }) => textContent))
      .to.deep.equal(['"todo-7"', '"a\\u{202e}b"', 'false']);
    const root = dialog.getRootNode() as ShadowRoot;
    expect(root.activeElement?.textContent).to.equal('Deny');
    expect(root.querySelectorAll('[style], style')).to.have.length(0);
    controller.abort();
    expect(await answer).to.equal(null);
    expect(openDialog()).to.equal(null);
  });

  it('takes no click of a script for an answer', async () => {
    const controller = new AbortController();
    let answered = false;
    const answer = askWithDialog(request, controller.signal);
    void answer.then(() => (answered = true));
    await nextTask();
    for (const button of openDialog()!.querySelectorAll('button')) {
      button.click();
      button.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    }
    await nextTask();
    expect(answered).to.equal(false);
    expect(openDialog()!.open).to.equal(true);
    controller.abort();
    expect(await answer).to.equal(null);
  });

  it('gives no answer when it is closed otherwise, and gives focus back', async () => {
    const root = await render('<button>Before</button>');
    find(root, 'button').focus();
    const answer = askWithDialog(request, new AbortController().signal);
    await nextTask();
    openDialog()!.close();
    expect(await answer).to.equal(null);
    expect(document.activeElement).to.equal(find(root, 'button'));
    await clear();
  });

  it('asks one question at a time, and none that is moot', async () => {
    const controllers = [new AbortController(), new AbortController(), new AbortController()];
    const answers = controllers.map(({ signal }, index) => (
      askWithDialog({ ...request, title: `Question ${index}` }, signal)));
    await nextTask();
    const heading = (): string | null | undefined => openDialog()?.querySelector('h2')?.textContent;
    expect(heading()).to.equal('Allow “Question 0”?');
    controllers[1]!.abort();
    controllers[0]!.abort();
    expect(await Promise.all(answers.slice(0, 2))).to.deep.equal([null, null]);
    await nextTask();
    expect(heading()).to.equal('Allow “Question 2”?');
    controllers[2]!.abort();
    await answers[2];
  });

  it('is what <oui-runtime> asks with, unless it has .approve', async () => {
    const root = await render(`<oui-runtime></oui-runtime>
      <oui-surface surface-id="todo-app" name="Todos" description="A list.">
        <oui-action action-id="delete_todo" description="Deletes it" confirm settle="none">
          <oui-param name="todoId" required></oui-param>
        </oui-action>
      </oui-surface>`);
    let ran = 0;
    find(root, 'oui-action').handler = () => (ran += 1);
    const run = (signal?: AbortSignal): ReturnType<ReturnType<typeof runtimeOf>['execute']> => runtimeOf(root).execute({
      surfaceId: 'todo-app', actionId: 'delete_todo', params: { todoId: 'todo-7' }, ...(signal && { signal }),
    });
    const asked = new Promise<void>((resolve) => {
      find(root, 'oui-runtime').addEventListener('oui-call', ({ report }) => {
        if (report.phase === 'asking') resolve();
      });
    });
    const unanswered = run();
    await asked;
    (await dialogOpens()).close();
    expect((await unanswered).error?.code).to.equal('APPROVAL_REQUIRED');

    const asks: ApprovalRequest[] = [];
    const answers = [true, false];
    find(root, 'oui-runtime').approve = (each) => {
      asks.push(each);
      return answers.shift() ?? null;
    };
    await nextTask();
    expect((await run()).data).to.equal(1);
    expect((await run()).error?.code).to.equal('ACTION_DENIED');
    expect(ran).to.equal(1);
    expect(asks[0]).to.deep.include({ actionId: 'delete_todo', params: { todoId: 'todo-7' }, defaults: {} });
    await clear();
  });
});

describe('without the dialog', () => {
  const wiring = runtimeWiring();
  const { warn } = console;

  afterEach(async () => {
    setRuntimeWiring(wiring);
    console.warn = warn;
    await clear();
  });

  it('a question ends unanswered, with one warning', async () => {
    const warnings: string[] = [];
    console.warn = (text: string) => warnings.push(text);
    setRuntimeWiring({ ...wiring, loadDialog: () => Promise.reject(new Error('404')) });
    const root = await render(`<oui-runtime></oui-runtime>
      <oui-surface surface-id="todo-app" name="Todos" description="A list.">
        <oui-action action-id="clear_list" description="Deletes everything" confirm settle="none"></oui-action>
      </oui-surface>`);
    for (let round = 0; round < 2; round++) {
      const { error } = await runtimeOf(root).execute({ surfaceId: 'todo-app', actionId: 'clear_list' });
      expect(error?.code).to.equal('APPROVAL_REQUIRED');
    }
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.contain('OUI2003').and.to.contain('oui.dialog.js');
  });
});

describe('parameters for the dialog', () => {
  it('are listed whatever they are', () => {
    expect(approvalParams(undefined, {})).to.deep.equal([]);
    expect(approvalParams([1], { a: 2 })).to.deep.equal([
      { name: 'value', text: '[\n  1\n]', isDefault: false }, { name: 'a', text: '2', isDefault: true },
    ]);
    expect(visibleJson('\u200b\ufeff\u{e0041}ä\u2028')).to.equal('"\\u{200b}\\u{feff}\\u{e0041}ä\\u{2028}"');
  });
});
