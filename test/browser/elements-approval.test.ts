import { sendKeys, sendMouse } from '@web/test-runner-commands';
import { expect } from 'chai';
import { approvalParams } from '../../elements/approval-params.js';
import '../../elements/oui-approval.define.js';
import type { ApprovalAnswer, OuiApprovalElement } from '../../elements/oui-approval.js';
import { runtimeWiring, setRuntimeWiring } from '../../elements/wiring.js';
import type { ApprovalRequest } from '../../src/protocol/approval.js';
import { visibleJson } from '../../src/rules/visible-text.js';
import { clear, find, nextTask, render, runtimeOf } from './fixtures/elements-page.js';
import { shows } from './fixtures/shows.js';

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
  expiresAt: Date.now() + 600_000,
};

const inside = (element: OuiApprovalElement): ShadowRoot => element.shadowRoot!;

/** The open dialog of whichever element asks. */
function openDialog(): HTMLDialogElement | null {
  const dialogs = [...document.querySelectorAll('oui-approval')]
    .map(({ shadowRoot }) => shadowRoot?.querySelector('dialog'))
    .filter((dialog) => dialog?.open === true);
  expect(dialogs.length).to.be.lessThan(2);
  return dialogs[0] ?? null;
}

/** The next dialog that opens: it may have to be loaded first. */
function dialogOpens(): Promise<HTMLDialogElement> {
  return new Promise((resolve) => {
    const look = (): void => {
      const dialog = openDialog();
      if (dialog) resolve(dialog);
      else requestAnimationFrame(look);
    };
    look();
  });
}

const button = (element: OuiApprovalElement, part: 'allow' | 'deny'): HTMLButtonElement =>
  inside(element).querySelector(`[part=${part}]`)!;

/** Answers count from now on. */
const armed = (element: OuiApprovalElement): Promise<void> =>
  shows(element, (root) => root.querySelector('[part=deny]')?.getAttribute('aria-disabled') === 'false');

/** A real click. */
async function click(target: Element): Promise<void> {
  const { left, top, width, height } = target.getBoundingClientRect();
  const position: [number, number] = [Math.round(left + width / 2), Math.round(top + height / 2)];
  await sendMouse({ type: 'click', position });
}

describe('<oui-approval>', () => {
  let root: HTMLElement;
  let element: OuiApprovalElement;
  let answers: ApprovalAnswer[];
  const ask = (more: Partial<ApprovalRequest> = {}, signal?: AbortSignal): Promise<ApprovalAnswer> => {
    const answer = element.ask({ ...request, ...more }, signal);
    void answer.then((given) => answers.push(given));
    return answer;
  };
  const heading = (): string | null | undefined => openDialog()?.querySelector('h2')?.textContent;

  beforeEach(async () => {
    root = await render('<button>Before</button><oui-approval></oui-approval>');
    element = find(root, 'oui-approval');
    answers = [];
    find(root, 'button').focus();
  });
  afterEach(clear);

  it('shows nothing until it is asked', () => {
    expect(getComputedStyle(element).display).to.equal('contents');
    expect(element.getBoundingClientRect().height).to.equal(0);
    expect(openDialog()).to.equal(null);
  });

  it('shows what runs, exactly, as text', async () => {
    void ask();
    await element.updateComplete;
    const dialog = openDialog()!;
    expect(dialog.matches(':modal')).to.equal(true);
    expect(heading()).to.equal('Allow “Delete a todo”?');
    expect(dialog.querySelector('[part=description]')!.textContent).to.equal(request.description);
    expect([...dialog.querySelectorAll('dt')].map(({ textContent }) => textContent))
      .to.deep.equal(['todoId', 'note', 'forcedefault']);
    expect([...dialog.querySelectorAll('pre')].map(({ textContent }) => textContent))
      .to.deep.equal(['"todo-7"', '"a\\u{202e}b"', 'false']);
    expect(dialog.querySelector('[part=time]')!.textContent).to.match(/\u00a0(9|10):[0-5]\d/);
    expect(inside(element).querySelectorAll('[style], style')).to.have.length(0);
    // Named and described for those who do not see it; the safe choice has the focus.
    expect(dialog.getAttribute('role')).to.equal('alertdialog');
    for (const id of ['heading', ...dialog.getAttribute('aria-describedby')!.split(' ')]) {
      expect(inside(element).getElementById(id)?.textContent?.trim()).to.not.equal('');
    }
    expect(inside(element).activeElement).to.equal(button(element, 'deny'));
  });

  it('shows a long value whole, to be scrolled with the keyboard', async () => {
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index}`);
    void ask({ params: { lines, short: 1 } });
    await element.updateComplete;
    const [long, short] = [...openDialog()!.querySelectorAll('pre')];
    expect(long!.textContent).to.contain('line 499');
    expect(long!.scrollHeight).to.be.greaterThan(long!.clientHeight);
    expect([long!.tabIndex, short!.tabIndex]).to.deep.equal([0, -1]);
    expect(openDialog()!.getBoundingClientRect().height).to.be.at.most(innerHeight);
    for (const part of ['deny', 'allow'] as const) {
      expect(button(element, part).getBoundingClientRect().bottom).to.be.at.most(innerHeight);
    }
  });

  it('takes the user\'s click and key, and gives the focus back', async () => {
    const allowed = ask();
    await armed(element);
    await click(button(element, 'allow'));
    expect(await allowed).to.equal(true);
    expect(openDialog()).to.equal(null);
    expect(document.activeElement).to.equal(find(root, 'button'));

    const denied = ask();
    await armed(element);
    await sendKeys({ press: 'Enter' });
    expect(await denied).to.equal(false);

    const tabbed = ask();
    await armed(element);
    await sendKeys({ press: 'Tab' });
    expect(inside(element).activeElement).to.equal(button(element, 'allow'));
    await sendKeys({ press: 'Enter' });
    expect(await tabbed).to.equal(true);

    const escaped = ask();
    await armed(element);
    await sendKeys({ press: 'Escape' });
    expect(await escaped).to.equal(null);
    expect(document.activeElement).to.equal(find(root, 'button'));
  });

  it('takes nothing that a script does for an answer', async () => {
    const moot = new AbortController();
    const answer = ask({}, moot.signal);
    await armed(element);
    for (const part of ['allow', 'deny'] as const) {
      const target = button(element, part);
      target.click();
      for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click']) {
        target.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, composed: true }));
      }
      target.focus();
      for (const key of ['Enter', ' ', 'Escape']) {
        for (const type of ['keydown', 'keypress', 'keyup']) {
          target.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, cancelable: true, composed: true }));
        }
      }
    }
    // A form around it, and one inside it, submit nothing.
    const form = document.createElement('form');
    form.method = 'dialog';
    openDialog()!.append(form);
    form.addEventListener('submit', (event) => event.preventDefault());
    form.requestSubmit();
    openDialog()!.dispatchEvent(new Event('cancel', { cancelable: true }));
    openDialog()!.dispatchEvent(new Event('close'));
    form.remove();
    await nextTask();
    expect(answers).to.deep.equal([]);
    expect(openDialog()).to.not.equal(null);
    moot.abort();
    expect(await answer).to.equal(null);
    expect(openDialog()).to.equal(null);
  });

  it('takes no answer that came before the user could read the question', async () => {
    const askedAt = performance.now();
    const first = ask();
    await element.updateComplete;
    expect(button(element, 'allow').getAttribute('aria-disabled')).to.equal('true');
    // A click at once. It may be late on a busy machine, so what counts is when it was made.
    let clicked = Infinity;
    button(element, 'allow').addEventListener('click', (event) => (clicked = event.timeStamp));
    await click(button(element, 'allow'));
    await nextTask();
    if (clicked - askedAt < 500) expect(answers).to.deep.equal([]);
    if (answers.length > 0) return;
    await armed(element);
    await click(button(element, 'allow'));
    expect(await first).to.equal(true);
  });

  it('takes no press for an answer that began on the question before', async () => {
    const moot = new AbortController();
    const before = ask({ title: 'Before' }, moot.signal);
    const after = ask({ title: 'After' });
    await armed(element);
    const { left, top, width, height } = button(element, 'allow').getBoundingClientRect();
    await sendMouse({ type: 'move', position: [Math.round(left + width / 2), Math.round(top + height / 2)] });
    await sendMouse({ type: 'down' });
    moot.abort();
    expect(await before).to.equal(null);
    await shows(element, (shown) => shown.querySelector('h2')?.textContent?.includes('After') === true);
    await armed(element);
    const clicked = new Promise((resolve) => openDialog()!.addEventListener('click', resolve, { once: true }));
    await sendMouse({ type: 'up' });
    await clicked;
    await nextTask();
    expect(answers).to.deep.equal([null]);
    await click(button(element, 'allow'));
    expect(await after).to.equal(true);
  });

  it('asks one question after the other, in order, and none that is moot', async () => {
    const moot = [new AbortController(), new AbortController(), new AbortController()];
    const asked = moot.map(({ signal }, index) => ask({ title: `Question ${index}` }, signal));
    await shows(element, () => heading() === 'Allow “Question 0”?');
    expect(openDialog()!.textContent).to.contain('2 more questions follow.');
    moot[1]!.abort();
    // It was answered elsewhere: it closes by itself, and the next one comes.
    moot[0]!.abort();
    expect(await Promise.all(asked.slice(0, 2))).to.deep.equal([null, null]);
    await shows(element, () => heading() === 'Allow “Question 2”?');
    await armed(element);
    expect(inside(element).activeElement).to.equal(button(element, 'deny'));
    expect(openDialog()!.textContent).to.not.contain('follow');
    await click(button(element, 'deny'));
    expect(await asked[2]).to.equal(false);
    expect(document.activeElement).to.equal(find(root, 'button'));
    expect(await ask({}, AbortSignal.abort())).to.equal(null);
    expect(openDialog()).to.equal(null);
  });

  it('gives no answer when its time is over, when it is closed otherwise, and when it leaves the page', async () => {
    const late = ask({ expiresAt: Date.now() + 1_500 });
    await shows(element, (shown) => shown.querySelector('[role=status]')?.textContent !== '');
    expect(await late).to.equal(null);
    expect(await ask({ expiresAt: Date.now() - 1 })).to.equal(null);

    const closed = ask();
    await element.updateComplete;
    openDialog()!.close();
    expect(await closed).to.equal(null);

    const [left, waiting] = [ask(), ask()];
    await element.updateComplete;
    element.remove();
    expect(await Promise.all([left, waiting])).to.deep.equal([null, null]);
    root.append(element);
    const again = ask();
    await element.updateComplete;
    root.prepend(element);
    await nextTask();
    await armed(element);
    await click(button(element, 'allow'));
    expect(await again).to.equal(true);
  });

  it('speaks any language, follows the page\'s colours, and names files', async () => {
    element.texts = { allow: 'Erlauben', deny: 'Ablehnen', heading: (action) => `„${action}“ erlauben?` };
    element.attachmentName = (id) => (id === 'file_0001' ? 'holiday.jpg' : undefined);
    element.setAttribute('style', '--oui-accent: rgb(1, 2, 3); --oui-color-scheme: dark');
    void ask({ params: { picture: 'file_0001', rest: ['file_0001', 'file_0002', 4] } });
    await element.updateComplete;
    expect(heading()).to.equal('„Delete a todo“ erlauben?');
    expect(['allow', 'deny'].map((part) => button(element, part as 'allow').textContent))
      .to.deep.equal(['Erlauben', 'Ablehnen']);
    expect(getComputedStyle(button(element, 'allow')).backgroundColor).to.equal('rgb(1, 2, 3)');
    expect(getComputedStyle(openDialog()!).colorScheme).to.equal('dark');
    expect([...openDialog()!.querySelectorAll('dd')].map(({ textContent }) => textContent)).to.deep.equal([
      'holiday.jpg"file_0001"', 'holiday.jpg[\n  "file_0001",\n  "file_0002",\n  4\n]', 'false',
    ]);
  });
});

describe('a page that asks', () => {
  afterEach(clear);

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
    // One made for the page, since it has none; it stays for the next question.
    expect(document.body.lastElementChild!.localName).to.equal('oui-approval');
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

describe('a page with an <oui-approval> of its own', () => {
  afterEach(clear);

  it('is asked with it, and with the one inside <oui-runtime> first', async () => {
    const surface = `<oui-surface surface-id="todo-app" name="Todos" description="A list.">
      <oui-action action-id="clear_list" description="Deletes everything" confirm settle="none"></oui-action>
    </oui-surface>`;
    const root = await render(`<oui-approval></oui-approval>
      <oui-runtime>${surface}<oui-approval id="inner"></oui-approval></oui-runtime>`);
    const call = runtimeOf(root).execute({ surfaceId: 'todo-app', actionId: 'clear_list' });
    const dialog = await dialogOpens();
    expect(((dialog.getRootNode() as ShadowRoot).host as Element).id).to.equal('inner');
    dialog.close();
    expect((await call).error?.code).to.equal('APPROVAL_REQUIRED');
  });

  it('asks nobody where the host records what its user approves', async () => {
    const root = await render(`<oui-runtime confirm-by="grant"></oui-runtime>
      <oui-surface surface-id="todo-app" name="Todos" description="A list.">
        <oui-action action-id="clear_list" description="Deletes everything" confirm settle="none"></oui-action>
      </oui-surface>`);
    find(root, 'oui-action').handler = () => 'cleared';
    const runtime = runtimeOf(root);
    const call = { surfaceId: 'todo-app', actionId: 'clear_list' };
    const refused = await runtime.execute(call);
    expect(refused.error?.code).to.equal('APPROVAL_REQUIRED');
    const { argsHash } = refused.error!.details as { argsHash: string };
    expect(runtime.grantApproval({ approvalId: 'a1', argsHash, expiresAt: Date.now() + 60_000 })).to.equal(true);
    expect((await runtime.execute({ ...call, approval: { approvalId: 'a1', argsHash } })).data).to.equal('cleared');
    expect(openDialog()).to.equal(null);
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
      { name: 'value', text: '[\n  1\n]', isDefault: false, files: [] },
      { name: 'a', text: '2', isDefault: true, files: [] },
    ]);
    expect(visibleJson('\u200b\ufeff\u{e0041}ä\u2028')).to.equal('"\\u{200b}\\u{feff}\\u{e0041}ä\\u{2028}"');
  });
});
