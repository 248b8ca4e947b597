import { sendKeys, sendMouse } from '@web/test-runner-commands';
import { expect } from 'chai';
import type { OuiActionElement } from '../../elements/oui-action.js';
import '../../elements/oui-approval.define.js';
import type { OuiApprovalElement } from '../../elements/oui-approval.js';
import type { OuiPresenceElement } from '../../elements/oui-presence.js';
import type { ApprovalRequest } from '../../src/protocol/approval.js';
import { axeProblems } from './fixtures/axe.js';
import { connectAgent } from './fixtures/connected-agent.js';
import type { ConnectedAgent } from './fixtures/connected-agent.js';
import { clear, find, nextTask, render } from './fixtures/elements-page.js';
import { shows } from './fixtures/shows.js';

const PAGE = `<button>Before</button><oui-runtime></oui-runtime><oui-approval></oui-approval>
  <oui-surface surface-id="todo-app" name="Todos" description="A list.">
    <oui-action action-id="delete_todo" label="Delete a todo" description="Deletes it" confirm settle="none">
      <oui-param name="n" type="number"></oui-param>
    </oui-action>
    <oui-action action-id="export_all" label="Export everything" description="Exports" async settle="none"></oui-action>
  </oui-surface>`;

type Part = 'deny' | 'allow' | 'stop' | 'resume';

const part = (element: Element, name: Part): HTMLButtonElement | null => (
  element.shadowRoot!.querySelector(`[part=${name}]`));
const saysIt = (sign: Element, text: string): Promise<void> => (
  shows(sign, (root) => root.querySelector('[part=text]')?.textContent === text));

const question = (): ApprovalRequest => ({
  requestId: 'r', surfaceId: 's1', surfaceName: 'S', actionId: 'a1', description: 'Of the page itself', params: {},
  defaults: {}, argsHash: '0'.repeat(64), expiresAt: Date.now() + 120_000,
});

async function click(target: Element): Promise<void> {
  const { left, top, width, height } = target.getBoundingClientRect();
  await sendMouse({ type: 'click', position: [Math.round(left + width / 2), Math.round(top + height / 2)] });
}

describe('stopping agents from a question', function () {
  // axe and a busy machine take their time.
  this.timeout(60_000);
  let root: HTMLElement;
  let dialog: OuiApprovalElement;
  let agent: ConnectedAgent;

  const isOpen = (): boolean => dialog.shadowRoot!.querySelector('dialog')!.open;
  const opens = (): Promise<void> => shows(dialog, () => isOpen());
  /** Answers count from now on. */
  const armed = (): Promise<void> => (
    shows(dialog, (shown) => shown.querySelector('[part=deny]')?.getAttribute('aria-disabled') === 'false'));
  /** From the dialog's beginning, where who goes round with the keyboard comes by. */
  async function tabToStop(): Promise<void> {
    dialog.shadowRoot!.querySelector<HTMLElement>('.content')!.focus();
    await sendKeys({ press: 'Tab' });
    expect(dialog.shadowRoot!.activeElement).to.equal(part(dialog, 'stop'));
  }
  const remove = (n: number) => agent.call('todo-app', 'delete_todo', { n });

  async function page(more = ''): Promise<void> {
    root = await render(PAGE + more);
    dialog = find(root, 'oui-approval');
    await dialog.updateComplete;
    agent = await connectAgent(async (runtime) => {
      find(root, 'oui-runtime').runtime = runtime;
      await nextTask();
    }, { approve: (request, signal) => dialog.ask(request, signal) }, ['approval']);
  }
  beforeEach(() => sessionStorage.removeItem('oui:paused:'));
  afterEach(async () => {
    agent.end();
    sessionStorage.removeItem('oui:paused:');
    document.documentElement.querySelector(':scope > oui-presence')?.remove();
    await clear();
  });

  it('denies it and ends all that agents do, as the sign does, until its user resumes', async () => {
    await page('<oui-presence></oui-presence>');
    const sign = find(root, 'oui-presence');
    const [deleting, exporting] = root.querySelectorAll('oui-action') as unknown as [OuiActionElement, OuiActionElement];
    let job: AbortSignal | undefined;
    const started = new Promise<void>((resolve) => {
      exporting.handler = (_params, _context, { signal }) => {
        job = signal;
        resolve();
        return new Promise(() => {});
      };
    });
    const exported = agent.call('todo-app', 'export_all');
    await started;
    find(root, 'button').focus();
    const asked = [remove(1), remove(2), remove(3)];
    await armed();
    // What somebody else asks waits behind them.
    const own = dialog.ask(question());
    await shows(dialog, (shown) => shown.textContent!.includes('3 more questions'));
    let openAfter: boolean | undefined;
    const pressed = new Promise<void>((resolve) => {
      part(dialog, 'stop')!.addEventListener('click', () => setTimeout(() => {
        openAfter = isOpen();
        resolve();
      }));
    });
    // By the keyboard alone; neither is it what has the focus.
    expect(dialog.shadowRoot!.activeElement).to.equal(part(dialog, 'deny'));
    await tabToStop();
    await sendKeys({ press: 'Enter' });
    const codes = (await Promise.all([...asked, exported])).map(({ error }) => error?.code);
    expect(codes).to.deep.equal(Array(4).fill('ACTION_DENIED'));
    expect([job!.aborted, agent.runtime.paused]).to.deep.equal([true, true]);
    // No other question stands where the one before has just been answered, until theirs are gone.
    await pressed;
    expect(openAfter).to.equal(false);
    await saysIt(sign, 'Agents stopped');
    expect(sign.shadowRoot!.querySelector('[role=status]')!.textContent).to.equal('Agents are stopped.');
    expect(sessionStorage.getItem('oui:paused:')).to.equal('stopped');
    expect((await remove(4)).error?.code).to.equal('ACTION_DENIED');

    // It is asked about all the same, and nothing else is.
    await armed();
    expect(dialog.shadowRoot!.querySelector('[part=description]')!.textContent).to.equal('Of the page itself');
    await sendKeys({ press: 'Enter' });
    expect(await own).to.equal(false);
    // And what the page does for its user goes on.
    const mine = agent.runtime.execute({ surfaceId: 'todo-app', actionId: 'delete_todo', params: { n: 5 } });
    await armed();
    await sendKeys({ press: 'Enter' });
    expect((await mine).error?.code).to.equal('ACTION_DENIED');
    expect(document.activeElement).to.equal(find(root, 'button'));

    deleting.handler = () => 'deleted';
    await resumeBy(sign);
    const again = remove(6);
    await armed();
    await click(part(dialog, 'allow')!);
    expect((await again).data).to.equal('deleted');
  });

  it('is not what Escape does, nor a script, nor a press that was meant for the page', async () => {
    await page('<oui-presence></oui-presence>');
    const escaped = remove(1);
    await opens();
    // Not yet in view for long enough.
    await tabToStop();
    const early = performance.now();
    let pressed = Infinity;
    part(dialog, 'stop')!.addEventListener('click', (event) => (pressed = event.timeStamp), { once: true });
    await sendKeys({ press: 'Enter' });
    if (pressed - early < 400) expect(agent.runtime.paused).to.equal(false);
    if (agent.runtime.paused) return;
    await armed();
    part(dialog, 'stop')!.click();
    part(dialog, 'stop')!.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }));
    await nextTask();
    expect([isOpen(), agent.runtime.paused]).to.deep.equal([true, false]);
    await sendKeys({ press: 'Escape' });
    expect((await escaped).error?.code).to.equal('APPROVAL_REQUIRED');
    expect(agent.runtime.paused).to.equal(false);
  });

  it('is read well, can be translated, fits a phone, and has nothing that axe finds wrong', async () => {
    await page('<oui-presence></oui-presence>');
    dialog.texts = { stop: 'Agenten anhalten' };
    void remove(1);
    await armed();
    const stop = part(dialog, 'stop')!;
    expect([stop.textContent, stop.title]).to.deep.equal([
      'Agenten anhalten', 'Refuse this, end what agents are doing, and refuse what they ask for until you resume them.',
    ]);
    for (const scheme of ['light', 'dark']) {
      dialog.setAttribute('style', `--oui-color-scheme: ${scheme}`);
      expect(await axeProblems(dialog), scheme).to.deep.equal([]);
    }
    const all = (['stop', 'deny', 'allow'] as const).map((name) => part(dialog, name)!.getBoundingClientRect());
    for (const { left, right, bottom, height } of all) {
      expect([left >= 0, right <= innerWidth, bottom <= innerHeight, height >= 44]).to.deep.equal([true, true, true, true]);
    }
    agent.runtime.stop();
  });

  it('brings a sign where the page has none, which goes when the page brings its own', async () => {
    await page();
    const stopped = remove(1);
    await armed();
    await click(part(dialog, 'stop')!);
    expect((await stopped).error?.code).to.equal('ACTION_DENIED');
    const made = document.documentElement.querySelector<OuiPresenceElement>(':scope > oui-presence')!;
    await saysIt(made, 'Agents stopped');
    await resumeBy(made);
    expect(agent.runtime.paused).to.equal(false);

    root.append(document.createElement('oui-presence'));
    await nextTask();
    expect(document.querySelectorAll('oui-presence')).to.have.length(1);

    // The document after this one: agents are stopped, and its user sees by what to resume them.
    await clear();
    sessionStorage.setItem('oui:paused:', 'stopped');
    const later = await render('<oui-runtime></oui-runtime>');
    await nextTask();
    const sign = document.documentElement.querySelector<OuiPresenceElement>(':scope > oui-presence')!;
    await saysIt(sign, 'Agents stopped');
    await resumeBy(sign);
    expect(find(later, 'oui-runtime').runtime!.paused).to.equal(false);
  });

  it('stops the one that asks, also where the page\'s sign speaks for another runtime alone', async () => {
    await page('<oui-presence></oui-presence>');
    const other = await render('<oui-runtime></oui-runtime>');
    find(root, 'oui-presence').runtime = find(other, 'oui-runtime').runtime;
    await nextTask();
    const stopped = remove(1);
    await armed();
    await click(part(dialog, 'stop')!);
    expect((await stopped).error?.code).to.equal('ACTION_DENIED');
    expect(agent.runtime.paused).to.equal(true);
    const made = document.documentElement.querySelector<OuiPresenceElement>(':scope > oui-presence')!;
    // One that is hidden, and another of one runtime's, are nothing to resume by.
    const hidden = document.createElement('oui-presence');
    hidden.hidden = true;
    root.append(hidden);
    await nextTask();
    expect(made.isConnected).to.equal(true);
    await resumeBy(made);
    expect(agent.runtime.paused).to.equal(false);
    sessionStorage.removeItem('oui:paused:own');

    // Nor can the rest be resumed by it in the next document.
    await clear();
    made.remove();
    sessionStorage.setItem('oui:paused:', 'stopped');
    const own = document.createElement('oui-presence');
    own.runtime = agent.runtime;
    const later = await render('');
    later.append(own, document.createElement('oui-runtime'));
    await nextTask();
    expect(find(later, 'oui-runtime').runtime!.paused).to.equal(true);
    expect(document.documentElement.querySelector(':scope > oui-presence')).to.not.equal(null);
  });

  it('is not offered where nobody could resume: no runtime to speak for, and the page hides its sign', async () => {
    await page('<oui-presence hidden></oui-presence>');
    // A hidden sign is none: another is made.
    void remove(1);
    await armed();
    await click(part(dialog, 'stop')!);
    expect(document.querySelectorAll('oui-presence')).to.have.length(2);
    find(root, 'oui-runtime').remove();
    document.documentElement.querySelector(':scope > oui-presence')!.remove();
    await nextTask();
    const moot = new AbortController();
    void dialog.ask(question(), moot.signal);
    await opens();
    expect(part(dialog, 'stop')).to.equal(null);
    moot.abort();
  });
});

/** Presses the sign's button once resuming counts: not within half a second of the press before. */
async function resumeBy(sign: Element): Promise<void> {
  await shows(sign, () => part(sign, 'resume') !== null);
  while (part(sign, 'resume')) {
    part(sign, 'resume')!.click();
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}
