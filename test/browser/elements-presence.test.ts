import { sendKeys, sendMouse } from '@web/test-runner-commands';
import { expect } from 'chai';
import type { OuiPresenceElement } from '../../elements/oui-presence.js';
import { runtimeWiring, setRuntimeWiring } from '../../elements/wiring.js';
import { createRuntime } from '../../src/surface/create-runtime.js';
import type { OuiActionElement } from '../../elements/oui-action.js';
import { axeProblems } from './fixtures/axe.js';
import { connectAgent } from './fixtures/connected-agent.js';
import type { ConnectedAgent } from './fixtures/connected-agent.js';
import { clear, collectWarnings, find, nextTask, render } from './fixtures/elements-page.js';
import { shows } from './fixtures/shows.js';

const PAGE = `<button>Before</button><oui-presence></oui-presence><oui-runtime></oui-runtime>
  <oui-surface surface-id="todo-app" name="Todos" description="A list.">
    <oui-action action-id="add_todo" label="Add a todo" description="Adds" settle="none"></oui-action>
    <oui-action action-id="export_all" label="Export everything" description="Exports" async settle="none"></oui-action>
  </oui-surface>`;

const textOf = (root: ShadowRoot): string => root.querySelector('[part=text]')?.textContent ?? '';
const saysIt = (element: OuiPresenceElement, text: string): Promise<void> => shows(element, (root) => textOf(root) === text);
const button = (element: OuiPresenceElement, part: 'pause' | 'resume' | 'stop'): HTMLButtonElement | null =>
  element.shadowRoot!.querySelector(`[part=${part}]`);
const spoken = (element: OuiPresenceElement): string =>
  element.shadowRoot!.querySelector('[role=status]')?.textContent ?? '';

/** A handler that is told when it started, and ends when it is told to. */
function heldHandler(action: OuiActionElement) {
  let finish: (data: unknown) => void = () => {};
  const signals: AbortSignal[] = [];
  const started = new Promise<void>((resolve) => {
    action.handler = (_params, _context, { signal }) => {
      signals.push(signal);
      resolve();
      return new Promise((end) => (finish = end));
    };
  });
  return { started, signals, finish: (data: unknown) => finish(data) };
}

/** Presses a button once resuming counts: not within half a second of the press before. */
async function resume(element: OuiPresenceElement): Promise<void> {
  await shows(element, () => button(element, 'resume') !== null);
  while (button(element, 'resume')) {
    button(element, 'resume')!.click();
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

describe('<oui-presence>', () => {
  let root: HTMLElement;
  let element: OuiPresenceElement;
  let agent: ConnectedAgent;
  let add: OuiActionElement;
  let exportAll: OuiActionElement;

  beforeEach(async () => {
    sessionStorage.removeItem('oui:paused:');
    root = await render(PAGE);
    element = find(root, 'oui-presence');
    [add, exportAll] = root.querySelectorAll('oui-action') as unknown as [OuiActionElement, OuiActionElement];
    agent = await connectAgent(async (runtime) => {
      find(root, 'oui-runtime').runtime = runtime;
      await nextTask();
    });
    await saysIt(element, 'Agent connected');
  });
  afterEach(async () => {
    agent.end();
    sessionStorage.removeItem('oui:paused:');
    await clear();
  });

  it('is nothing without an agent, says that one is connected, and is gone with it', async () => {
    const { left, right, bottom } = element.shadowRoot!.querySelector('[part=sign]')!.getBoundingClientRect();
    expect([left > 0, right <= innerWidth, bottom <= innerHeight]).to.deep.equal([true, true, true]);
    expect(element.shadowRoot!.querySelectorAll('[style], style')).to.have.length(0);
    expect(button(element, 'stop')).to.equal(null);
    await agent.disconnect();
    await shows(element, (inside) => inside.querySelector('[part=sign]') === null);
    const alone = await render('<oui-runtime></oui-runtime><oui-presence place="inline"></oui-presence>');
    expect(find(alone, 'oui-presence').shadowRoot!.querySelector('[part=sign]')).to.equal(null);
  });

  it('shows what an agent does, live, and not what the page does', async () => {
    add.handler = () => 'page';
    await agent.runtime.execute({ surfaceId: 'todo-app', actionId: 'add_todo' });
    expect(textOf(element.shadowRoot!)).to.equal('Agent connected');

    const exporting = heldHandler(exportAll);
    const exported = agent.call('todo-app', 'export_all');
    await exporting.started;
    await saysIt(element, 'Agent: Export everything');
    const adding = heldHandler(add);
    const added = agent.call('todo-app', 'add_todo');
    await adding.started;
    await saysIt(element, 'Agent: Add a todo');
    expect(element.shadowRoot!.querySelector('[part=more]')!.textContent).to.equal('and 1 more');
    adding.finish(1);
    await added;
    await saysIt(element, 'Agent: Export everything');
    exporting.finish(1);
    await exported;
    await saysIt(element, 'Agent: Export everything, ended');
    await agent.call('oui', 'describe', { actions: [] });
    await saysIt(element, 'Agent: reads this page, ended');
    // A screen reader was told once of all that.
    expect(spoken(element)).to.equal('An agent is acting: Export everything');
  });

  it('shows what the user is asked about', async () => {
    let answer: (given: boolean) => void = () => {};
    const asking = await connectAgent(async (runtime) => {
      find(root, 'oui-runtime').runtime = runtime;
      add.confirm = true;
      add.handler = () => 'allowed';
      await nextTask();
    }, { approve: () => new Promise((resolve) => (answer = resolve)) }, ['approval']);
    const outcome = asking.call('todo-app', 'add_todo');
    await saysIt(element, 'Agent asks: Add a todo');
    answer(true);
    expect((await outcome).data).to.equal('allowed');
    await saysIt(element, 'Agent: Add a todo, ended');
    asking.end();
  });

  it('pauses: what runs goes on, what comes is denied until the user resumes', async () => {
    const adding = heldHandler(add);
    const added = agent.call('todo-app', 'add_todo');
    await adding.started;
    await shows(element, () => button(element, 'stop') !== null);
    button(element, 'pause')!.click();
    await saysIt(element, 'Paused, still running: Add a todo');
    expect(spoken(element)).to.equal('Agents are paused.');
    expect((await agent.call('todo-app', 'export_all')).error).to.include({ code: 'ACTION_DENIED' });
    expect(adding.signals[0]!.aborted).to.equal(false);
    adding.finish('done');
    expect((await added).data).to.equal('done');
    await saysIt(element, 'Agents paused');
    // The second press of a double one is none.
    button(element, 'resume')!.click();
    await nextTask();
    await resume(element);
    expect(spoken(element)).to.equal('Agents may act again.');
    add.handler = () => 'again';
    expect((await agent.call('todo-app', 'add_todo')).data).to.equal('again');
  });

  it('stops: handlers and jobs are ended by their signals, and nothing new begins', async () => {
    const adding = heldHandler(add);
    const exporting = heldHandler(exportAll);
    const outcomes = [agent.call('todo-app', 'export_all'), agent.call('todo-app', 'add_todo')];
    await Promise.all([adding.started, exporting.started]);
    await shows(element, () => button(element, 'stop') !== null);
    button(element, 'stop')!.click();
    expect((await Promise.all(outcomes)).map(({ error }) => error?.code)).to.deep.equal(['ACTION_DENIED', 'ACTION_DENIED']);
    expect([adding, exporting].map(({ signals }) => signals[0]!.aborted)).to.deep.equal([true, true]);
    await saysIt(element, 'Agents stopped');
    expect(spoken(element)).to.equal('Agents are stopped.');
    expect((await agent.call('todo-app', 'add_todo')).error!.code).to.equal('ACTION_DENIED');
    expect(agent.runtime.paused).to.equal(true);
  });

  it('keeps still under a pointer that is down: what it was put on is what is clicked', async () => {
    const middle = (shown: HTMLElement): [number, number] => {
      const { left, top, width, height } = shown.getBoundingClientRect();
      return [Math.round(left + width / 2), Math.round(top + height / 2)];
    };
    const adding = heldHandler(add);
    const added = agent.call('todo-app', 'add_todo');
    await adding.started;
    await shows(element, () => button(element, 'stop') !== null);
    await sendMouse({ type: 'click', position: middle(button(element, 'stop')!) });
    await saysIt(element, 'Agents stopped');
    await added;
    // Where the press before gave it the focus it stays, and goes when another button is pressed.
    button(element, 'stop')!.focus();
    let clicks = 0;
    button(element, 'resume')!.addEventListener('click', () => (clicks += 1));
    await sendMouse({ type: 'click', position: middle(button(element, 'resume')!) });
    expect(clicks).to.equal(1);
    await resume(element);
    await saysIt(element, 'Agent connected');

    const again = heldHandler(add);
    const ended = agent.call('todo-app', 'add_todo');
    await again.started;
    await shows(element, () => button(element, 'stop') !== null);
    const pause = button(element, 'pause')!;
    await sendMouse({ type: 'move', position: middle(pause) });
    await sendMouse({ type: 'down' });
    again.finish(1);
    await ended;
    await nextTask();
    const before = middle(pause);
    await sendMouse({ type: 'up' });
    await saysIt(element, 'Agents paused');
    expect(middle(pause)).to.deep.equal(before);
  });

  for (const place of ['bottom-end', 'top-start', 'inline']) {
    it(`keeps its buttons where they are, whatever comes and goes: ${place}`, async () => {
      element.place = place;
      await element.updateComplete;
      await shows(element, (inside) => inside.querySelector('.place')?.getAttribute('data-place') === place);
      const edges = (part: 'pause' | 'resume' | 'stop'): string => {
        const { left, right } = button(element, part)!.getBoundingClientRect();
        return `${left.toFixed(1)} ${right.toFixed(1)}`;
      };
      const pause = edges('pause');
      const exporting = heldHandler(exportAll);
      const exported = agent.call('todo-app', 'export_all');
      await exporting.started;
      await saysIt(element, 'Agent: Export everything');
      const stop = edges('stop');
      expect(edges('pause')).to.equal(pause);
      const adding = heldHandler(add);
      const added = agent.call('todo-app', 'add_todo');
      await adding.started;
      await saysIt(element, 'Agent: Add a todo');
      expect([edges('pause'), edges('stop')]).to.deep.equal([pause, stop]);
      for (const handler of [adding, exporting]) handler.finish(1);
      await Promise.all([added, exported]);
      // Who reaches for it between one call and the next finds it.
      await saysIt(element, 'Agent: Export everything, ended');
      expect([edges('pause'), edges('stop')]).to.deep.equal([pause, stop]);
      button(element, 'stop')!.click();
      await saysIt(element, 'Agents stopped');
      expect(edges('resume')).to.equal(pause);
    });
  }

  it('is worked by the keyboard alone, and no key meets another button than it was meant for', async () => {
    find(root, 'button').focus();
    const adding = heldHandler(add);
    void agent.call('todo-app', 'add_todo');
    await adding.started;
    await shows(element, () => button(element, 'stop') !== null);
    await sendKeys({ press: 'Tab' });
    expect(element.shadowRoot!.activeElement).to.equal(button(element, 'pause'));
    await sendKeys({ press: 'Tab' });
    expect(element.shadowRoot!.activeElement).to.equal(button(element, 'stop'));
    await sendKeys({ press: 'Enter' });
    await saysIt(element, 'Agents stopped');
    // Nothing runs any more, and the button stays under the finger.
    expect(element.shadowRoot!.activeElement).to.equal(button(element, 'stop'));
    await sendKeys({ press: 'Enter' });
    expect(agent.runtime.paused).to.equal(true);
    find(root, 'button').focus();
    await sendKeys({ press: 'Tab' });
    await shows(element, () => button(element, 'stop') === null);
    const resumes = button(element, 'resume')!;
    expect(element.shadowRoot!.activeElement).to.equal(resumes);
    while (agent.runtime.paused) await sendKeys({ press: 'Enter' });
    expect(element.shadowRoot!.activeElement === resumes, 'the focus stays').to.equal(true);
    await saysIt(element, 'Agent connected');
  });

  it('holds over a reload: for runtimes that come, with the sign or before it', async () => {
    button(element, 'pause')!.click();
    await saysIt(element, 'Agents paused');
    element.remove();
    const later = await connectAgent(async (runtime) => {
      find(root, 'oui-runtime').runtime = runtime;
      await nextTask();
    });
    add.handler = () => 1;
    expect((await later.call('todo-app', 'add_todo')).error!.code).to.equal('ACTION_DENIED');
    const sign = document.createElement('oui-presence');
    root.append(sign);
    await saysIt(sign, 'Agents paused');
    await resume(sign);
    expect((await later.call('todo-app', 'add_todo')).data).to.equal(1);
    expect(sessionStorage.getItem('oui:paused:')).to.equal(null);
    later.end();
  });

  it('speaks for all runtimes of the page, or for the one that it was given', async () => {
    const own = createRuntime({}, runtimeWiring());
    const more = await render('<oui-runtime></oui-runtime><oui-presence id="mine"></oui-presence>');
    const second = find(more, 'oui-runtime').runtime!;
    const narrow = find(more, 'oui-presence');
    narrow.runtime = own;
    await nextTask();
    button(element, 'pause')!.click();
    expect([agent.runtime.paused, second.paused, own.paused]).to.deep.equal([true, true, false]);
    await resume(element);
    expect([agent.runtime.paused, second.paused]).to.deep.equal([false, false]);
    own.pause();
    await saysIt(narrow, 'Agents paused');
    expect([agent.runtime.paused, second.paused, sessionStorage.getItem('oui:paused:mine')]).to.deep.equal([false, false, null]);
    await resume(narrow);
    expect(own.paused).to.equal(false);
    own.dispose();
  });

  it('speaks any language, stands where it is told, and follows the page\'s colours', async () => {
    element.texts = { connected: 'Agent verbunden', pause: 'Anhalten' };
    await saysIt(element, 'Agent verbunden');
    expect(button(element, 'pause')!.textContent).to.equal('Anhalten');
    element.place = 'top-start';
    await element.updateComplete;
    const sign = element.shadowRoot!.querySelector('[part=sign]')!;
    const { top, left } = sign.getBoundingClientRect();
    expect([top < 40, left < 40]).to.deep.equal([true, true]);
    element.setAttribute('place', 'inline');
    await element.updateComplete;
    const before = find(root, 'button').getBoundingClientRect();
    expect(Math.abs(sign.getBoundingClientRect().top - before.top)).to.be.lessThan(60);
    const warnings = collectWarnings();
    element.setAttribute('place', 'left');
    await element.updateComplete;
    warnings.stop();
    expect(warnings.texts[0]).to.match(/has place="left".*bottom-end/);
  });

  it('has nothing that axe finds wrong: quiet, at work, and paused', async () => {
    expect(await axeProblems(element), 'quiet').to.deep.equal([]);
    const adding = heldHandler(add);
    void agent.call('todo-app', 'add_todo');
    await adding.started;
    await saysIt(element, 'Agent: Add a todo');
    expect(await axeProblems(element), 'at work').to.deep.equal([]);
    element.classList.add('dark');
    const dark = new CSSStyleSheet();
    dark.replaceSync('.dark { --oui-color-scheme: dark; }');
    document.adoptedStyleSheets.push(dark);
    expect(await axeProblems(element), 'dark').to.deep.equal([]);
    button(element, 'stop')!.click();
    await saysIt(element, 'Agents stopped');
    expect(await axeProblems(element), 'stopped').to.deep.equal([]);
    document.adoptedStyleSheets.pop();
  });
});

describe('without its code', () => {
  afterEach(clear);

  it('one warning says what is missing', async () => {
    const wiring = runtimeWiring();
    setRuntimeWiring({ ...wiring, loadPresence: () => Promise.reject(new Error('404')) });
    const warnings = collectWarnings();
    await render('<oui-runtime></oui-runtime><oui-presence></oui-presence><oui-presence></oui-presence>');
    await warnings.next(/OUI2301.*could not be loaded \(404\)/);
    warnings.stop();
    setRuntimeWiring(wiring);
    expect(warnings.texts).to.have.length(1);
  });

  it('what the user decided in an earlier document holds all the same, for a runtime of its own too', async () => {
    const wiring = runtimeWiring();
    setRuntimeWiring({ ...wiring, loadPresence: () => new Promise(() => {}) });
    sessionStorage.setItem('oui:paused:mine', 'stopped');
    const own = createRuntime({}, wiring);
    const sign = find(await render('<oui-presence id="mine"></oui-presence>'), 'oui-presence');
    sign.runtime = own;
    await sign.updateComplete;
    expect(own.paused).to.equal(true);
    own.dispose();
    sessionStorage.removeItem('oui:paused:mine');
    setRuntimeWiring(wiring);
  });
});
