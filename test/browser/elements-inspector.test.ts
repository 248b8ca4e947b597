import { sendKeys } from '@web/test-runner-commands';
import { expect } from 'chai';
import { resetWarnings } from '../../src/protocol/warn-once.js';
import type { OuiInspectorElement } from '../../elements/oui-inspector.js';
import type { OuiObservationElement } from '../../elements/oui-observation.js';
import { createDirectTransportPair } from '../../src/transports/direct.js';
import { createAgentRuntime } from '../../src/agent/agent-runtime.js';
import { createLinearValidator } from '../../src/validation/linear.js';
import { clear, find, offered, render, runtimeOf } from './fixtures/elements-page.js';
import { element, focused, inspectorIn, part, press, shown, text, type } from './fixtures/inspector-page.js';

const MARKUP = `
  <oui-runtime></oui-runtime>
  <oui-surface surface-id="todo-app" name="Todos" description="Create and complete tasks.">
    <oui-action action-id="add_todo" description="Adds a todo" input='{
      "type": "object",
      "properties": {
        "title": { "type": "string", "minLength": 2, "description": "What is to be done" },
        "count": { "type": "integer", "minimum": 1 },
        "urgent": { "type": "boolean" },
        "priority": { "enum": ["low", "high"] },
        "place": { "type": "object", "properties": { "zip": { "type": "string" } } },
        "tags": { "type": "array", "items": { "type": "string" } },
        "when": { "oneOf": [{ "type": "string", "format": "date" }, { "type": "integer" }] },
        "secret": { "type": "string", "format": "password" },
        "anything": {}
      },
      "required": ["title"]
    }'></oui-action>
    <oui-action action-id="delete_all" description="Deletes all" confirm></oui-action>
    <oui-action action-id="not_now" description="Later" disabled disabled-reason="nothing is chosen"></oui-action>
    <oui-observation observation-id="titles" description="Titles" type="json"></oui-observation>
    <oui-observation observation-id="account" description="Account" schema='{
      "type": "object", "properties": { "pin": { "type": "string", "format": "password" } }
    }'></oui-observation>
  </oui-surface>
  <oui-surface surface-id="elsewhere" name="Elsewhere" description="On another page." routes="/nowhere">
    <oui-action action-id="go_on" description="Goes on"></oui-action>
  </oui-surface>
  <oui-inspector open></oui-inspector>`;

describe('<oui-inspector>', () => {
  let root: HTMLElement;
  let inspector: OuiInspectorElement;
  let ran: unknown[];

  beforeEach(async () => {
    localStorage.clear();
    resetWarnings();
    ran = [];
    root = await render(MARKUP);
    root.addEventListener('oui-action', (event) => {
      ran.push(event.params);
      event.respondWith({ added: true });
    });
    find(root, 'oui-observation').value = ['Milk'];
    await offered(root, ({ actions }) => actions.length === 3);
    inspector = await inspectorIn(root);
    await shown(inspector, '[role=tree]');
  });
  afterEach(clear);

  const chooseAction = async (name: string): Promise<void> => {
    element(inspector, `[data-key="todo-app ${name}"]`).click();
    await shown(inspector, 'h3', (each) => text(each).includes(`todo-app.${name}`));
  };
  const run = (): Promise<Element> => {
    part(inspector, 'run').click();
    return shown(inspector, '.said', (each) => /^(Done|Failed)/.test(text(each)));
  };

  it('shows what is mounted and what is not, and from where', async () => {
    const rows = [...inspector.shadowRoot!.querySelectorAll('[role=treeitem]')].map(text);
    expect(rows).to.deep.equal([
      'Todos active', 'add_todo', 'delete_all', 'not_now not available now', 'Elsewhere not active',
    ]);
    element(inspector, '[data-key="elsewhere"]').click();
    const detail = await shown(inspector, '.detail', (each) => text(each).includes('Elsewhere'));
    expect(text(detail)).to.contain('Its routes (/nowhere) do not match').and.contain('<oui-surface surface-id="elsewhere">');
    element(inspector, '[data-key="todo-app"]').click();
    await shown(inspector, '.detail', (each) => text(each).includes('From <oui-surface surface-id="todo-app">'));
    await chooseAction('not_now');
    expect(text(element(inspector, '.marks'))).to.equal('not available now: nothing is chosen');
    await chooseAction('delete_all');
    expect(text(element(inspector, '.marks'))).to.equal('asks the user');
  });

  it('runs an action with what its form says, and shows what came of it', async () => {
    await chooseAction('add_todo');
    type(inspector, '#field%2Ftitle', 'Bread');
    type(inspector, '#field%2Fcount', '3');
    type(inspector, '#field%2Furgent', '0');
    type(inspector, '#field%2Fpriority', '1');
    press(inspector, 'Add place');
    await shown(inspector, '[id="field%2Fplace%2Fzip"]');
    type(inspector, '#field%2Fplace%2Fzip', '12345');
    press(inspector, 'Add tags');
    await shown(inspector, 'button', (each) => text(each) === 'Add item 1');
    press(inspector, 'Add item 1');
    await shown(inspector, '[id="field%2Ftags%2F0"]');
    type(inspector, '#field%2Ftags%2F0', 'home');
    type(inspector, '#field%2Fwhen-shape', '1');
    await shown(inspector, '[id="field%2Fwhen"]:not(fieldset)');
    type(inspector, '#field%2Fwhen:not(fieldset)', '7');
    type(inspector, '#field%2Fanything', '{"x":[null]}');
    expect(text(await run())).to.match(/^Done in /);
    expect(ran).to.deep.equal([{
      title: 'Bread', count: 3, urgent: true, priority: 'high', place: { zip: '12345' }, tags: ['home'], when: 7,
      anything: { x: [null] },
    }]);
    expect(text(element(inspector, '[part=result] pre'))).to.contain('"added": true');
  });

  it('says beside each field what is wrong with it, and goes to the first', async () => {
    await chooseAction('add_todo');
    type(inspector, '#field%2Ftitle', 'x');
    type(inspector, '#field%2Fcount', '0');
    expect(text(await run())).to.equal('Failed: VALIDATION_ERROR');
    expect(ran).to.deep.equal([]);
    for (const [field, wrong] of [['title', 'must have at least 2 characters, has 1'], ['count', 'must be 1 or more']] as const) {
      const control = await shown(inspector, `[id="field%2F${field}"][aria-invalid=true]`);
      const described = control.getAttribute('aria-describedby')!.split(' ').at(-1)!;
      expect(text(inspector.shadowRoot!.getElementById(described)!)).to.contain(wrong.split(',')[0]!.slice(0, 8));
    }
    await focused(inspector, '[id="field%2Ftitle"]');
    // What cannot be read at all never leaves the form.
    type(inspector, '#field%2Fcount', 'many');
    const wrong = await shown(inspector, '[id="field%2Fcount-wrong"]', (each) => text(each) === 'This is not a number.');
    expect(wrong.matches('[part=error]')).to.equal(true);
    part(inspector, 'run').click();
    expect(text(element(inspector, '.said'))).to.equal('Failed: VALIDATION_ERROR');
  });

  it('takes any JSON, and carries it over to the form and back', async () => {
    await chooseAction('add_todo');
    const modes = inspector.shadowRoot!.querySelectorAll<HTMLInputElement>('[name=mode]');
    modes[1]!.click();
    await shown(inspector, '#json');
    type(inspector, '#json', '{"title": "Tea", "extra": 1');
    await shown(inspector, '#json-wrong');
    part(inspector, 'run').click();
    type(inspector, '#json', '{"title": "Tea", "extra": 1}');
    await shown(inspector, '#json:not([aria-invalid])');
    await run();
    expect(ran).to.deep.equal([{ title: 'Tea', extra: 1 }]);
    modes[0]!.click();
    const title = await shown(inspector, '[id="field%2Ftitle"]') as HTMLInputElement;
    expect(title.value).to.equal('Tea');
  });

  it('asks the user as for anybody else', async () => {
    const asked: string[] = [];
    find(root, 'oui-runtime').approve = ({ actionId }) => {
      asked.push(actionId);
      return false;
    };
    await chooseAction('delete_all');
    expect(text(await run())).to.equal('Failed: ACTION_DENIED');
    expect([asked, ran]).to.deep.equal([['delete_all'], []]);
  });

  it('cancels what it runs', async () => {
    const signals: AbortSignal[] = [];
    root.addEventListener('oui-action', (event) => {
      event.stopImmediatePropagation();
      signals.push(event.signal);
      event.respondWith(new Promise(() => {}));
    }, { capture: true });
    await chooseAction('add_todo');
    type(inspector, '#field%2Ftitle', 'Endless');
    part(inspector, 'run').click();
    await shown(inspector, 'button', (each) => text(each) === 'Cancel');
    await new Promise<void>((resolve) => {
      const release = runtimeOf(root).subscribe((event) => {
        if (event.type === 'call' && event.report.phase === 'ended') resolve(release());
      });
      press(inspector, 'Cancel');
    });
    await shown(inspector, '.said', (each) => text(each) === 'Failed: oui:cancelled');
  });

  it('switches surfaces and actions off, and keeps that', async () => {
    await chooseAction('add_todo');
    element<HTMLInputElement>(inspector, '[role=switch]').click();
    const runtime = runtimeOf(root);
    expect(runtime.consent.allowed('todo-app', 'add_todo')).to.equal(false);
    await shown(inspector, '[data-key="todo-app add_todo"] .denied');
    type(inspector, '#field%2Ftitle', 'Bread');
    expect(text(await run())).to.equal('Failed: ACTION_DENIED');
    element(inspector, '[data-key="todo-app"]').click();
    await shown(inspector, '.detail', (each) => text(each).includes('Agents may see this surface'));
    element<HTMLInputElement>(inspector, '[role=switch]').click();
    await shown(inspector, '[data-key="todo-app"] .denied');
    expect(runtime.snapshot().surfaces).to.deep.equal([]);
    // The next document has it from the first.
    await clear();
    root = await render(MARKUP);
    expect(runtimeOf(root).snapshot().surfaces).to.deep.equal([]);
    expect(runtimeOf(root).consent.allowed('todo-app', 'add_todo')).to.equal(false);
  });

  it('shows calls as they go, with what the result waited for, and exports them', async () => {
    await chooseAction('add_todo');
    type(inspector, '#field%2Ftitle', 'Bread');
    type(inspector, '#field%2Fsecret', 'hunter2');
    const observation = find(root, 'oui-observation');
    root.addEventListener('oui-action', () => void (observation.value = ['Milk', 'Bread']), { once: true });
    await run();
    element(inspector, '#tab-calls').click();
    const row = await shown(inspector, '.row .head') as HTMLElement;
    expect(text(row)).to.match(/^done todo-app\.add_todo .*"title":"Bread".*ms/);
    row.click();
    const body = text(await shown(inspector, '.row .body'));
    expect(body).to.match(/queued.*running.*waiting for quiet.*done/s);
    expect(body).to.match(/The page was quiet for 250 ms/).and.contain('todo-app.titles changed');
    // Caught before it is a download: in Firefox its panel would take the focus from this and later tests.
    const { click } = HTMLAnchorElement.prototype;
    const saved = new Promise<{ name: string; address: string }>((resolve) => {
      HTMLAnchorElement.prototype.click = function () {
        HTMLAnchorElement.prototype.click = click;
        resolve({ name: this.download, address: this.href });
      };
    });
    part(inspector, 'export').click();
    const { name, address } = await saved;
    // A browser reads it when it likes: later than whatever was planned with it.
    for (let task = 0; task < 3; task++) await new Promise((resolve) => setTimeout(resolve));
    const content = (await fetch(address)).text();
    expect(name).to.match(/\.json$/);
    const log = JSON.parse(await content) as { calls: { actionId: string; params: object; steps: object[] }[]; notes: object[] };
    expect(log.calls).to.have.length(1);
    expect(log.calls[0]).to.deep.include({ actionId: 'add_todo', params: { title: 'Bread', secret: '••••••' } });
    expect(JSON.stringify(log)).not.to.contain('hunter2');
    expect(text(element(inspector, '.content'))).not.to.contain('hunter2');
    type(inspector, '[type=search]', 'nothing like it');
    await shown(inspector, '.empty', (each) => text(each) === 'Nothing fits the filter.');
    type(inspector, '[type=search]', 'bread');
    await shown(inspector, '.row');
    part(inspector, 'clear').click();
    await shown(inspector, '.empty', (each) => text(each).startsWith('No call yet'));
  });

  it('shows frames as they go, and pauses', async () => {
    const pair = createDirectTransportPair();
    const agent = createAgentRuntime({ transport: pair.agent, validator: createLinearValidator() });
    runtimeOf(root).attach(pair.page);
    await pair.agent.connect();
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (agent.tools().length > 0) resolve(release());
      };
      const release = agent.subscribe(look);
    });
    element(inspector, '#tab-frames').click();
    await agent.call('todo-app__add_todo', { title: 'Bread', secret: 'hunter2' });
    const list = await shown(inspector, '[part=frames]', (each) => text(each).includes('action:result'));
    expect(text(list)).to.match(/from the page action:result.*from the agent action:request/s);
    type(inspector, '[type=search]', 'action:request');
    const head = await shown(inspector, '.row:only-child .head') as HTMLElement;
    head.click();
    const payload = text(await shown(inspector, '.row .body pre'));
    expect(payload).to.contain('"title": "Bread"').and.not.contain('hunter2');
    part(inspector, 'pause').click();
    await shown(inspector, '[part=pause][aria-pressed=true]');
    await agent.call('todo-app__add_todo', { title: 'Unseen' });
    part(inspector, 'pause').click();
    await shown(inspector, '[part=pause][aria-pressed=false]');
    expect(inspector.shadowRoot!.querySelectorAll('.row')).to.have.length(1);
    element(inspector, '#tab-connection').click();
    const facts = await shown(inspector, '.facts', (each) => text(each).includes('connected'));
    expect(text(facts)).to.match(/Agent’s end ?oui-elements.*receipt/s);
    agent.dispose();
  });

  it('shows values as they change', async () => {
    element(inspector, '#tab-observations').click();
    await shown(inspector, '.row', (each) => text(each).includes('["Milk"]'));
    find(root, 'oui-observation').value = ['Milk', 'Tea'];
    const row = await shown(inspector, '.row', (each) => text(each).includes('["Milk","Tea"]') && /0\.\d\/s/.test(text(each)));
    expect(text(row)).to.contain('todo-app.titles').and.contain('ago');
    root.querySelector<OuiObservationElement>('[observation-id=account]')!.value = { user: 'ada', pin: 'hunter2' };
    const list = await shown(inspector, '[part=observations]', (each) => text(each).includes('"user":"ada"'));
    expect(text(list)).to.contain('"pin":"••••••"').and.not.contain('hunter2');
  });

  it('shows the budgets, and pauses and stops agents', async () => {
    element(inspector, '#tab-connection').click();
    const content = await shown(inspector, '.columns', (each) => /Engine ?in the page/.test(text(each)));
    expect(text(content)).to.match(/A result ?480 KiB/).and.match(/Quiet ?250 ms/);
    press(inspector, 'Pause agents');
    await shown(inspector, 'dd', (each) => text(each) === 'paused: new requests are denied');
    const inspection = runtimeOf(root).inspect(() => {});
    expect(inspection.paused).to.equal(true);
    press(inspector, 'Let agents act');
    await shown(inspector, 'button', (each) => text(each) === 'Pause agents');
    expect(inspection.paused).to.equal(false);
    press(inspector, 'Stop agents');
    await shown(inspector, 'button', (each) => text(each) === 'Let agents act');
    expect(inspection.paused).to.equal(true);
    inspection.release();
  });

  it('speaks the page\'s language where it is told how', async () => {
    inspector.texts = { tabs: { surfaces: 'Flächen', calls: 'Aufrufe', frames: 'Rahmen', observations: 'Werte', connection: 'Leitung' } };
    await shown(inspector, '#tab-calls', (each) => text(each).startsWith('Aufrufe'));
    await chooseAction('add_todo');
    expect(text(part(inspector, 'run'))).to.equal('Try it');
  });

  it('lets go of the runtime when it leaves, and of nothing when it only moves', async () => {
    const runtime = runtimeOf(root);
    root.append(inspector);
    await shown(inspector, '[role=tree]');
    inspector.remove();
    await new Promise((resolve) => setTimeout(resolve));
    expect(inspector.shadowRoot!.childElementCount).to.equal(0);
    await runtime.execute({ surfaceId: 'todo-app', actionId: 'add_todo', params: { title: 'Unseen' } });
    root.append(inspector);
    await shown(inspector, '[role=tree]');
    element(inspector, '#tab-calls').click();
    await shown(inspector, '.empty', (each) => text(each).startsWith('No call yet'));
  });

  describe('with the keyboard alone', () => {
    const active = (): Element | null => inspector.shadowRoot!.activeElement;

    it('opens, goes through the tabs, and closes', async () => {
      element(inspector, '[part=close]').click();
      const launcher = await focused(inspector, '.launcher');
      expect(launcher.getAttribute('aria-label')).to.equal('Open the OUI inspector');
      await sendKeys({ press: 'Enter' });
      await focused(inspector, '#tab-surfaces');
      await sendKeys({ press: 'ArrowRight' });
      await focused(inspector, '#tab-calls[aria-selected=true]');
      await sendKeys({ press: 'End' });
      await focused(inspector, '#tab-connection');
      await sendKeys({ press: 'ArrowRight' });
      await focused(inspector, '#tab-surfaces');
      await sendKeys({ press: 'Escape' });
      await focused(inspector, '.launcher');
      expect(inspector.open).to.equal(false);
    });

    it('goes through the tree, and tries an action', async () => {
      element(inspector, '#tab-surfaces').focus();
      await sendKeys({ press: 'Tab' });
      expect(active()?.matches('[part=close]')).to.equal(true);
      await sendKeys({ press: 'Tab' });
      expect(active()?.getAttribute('data-key')).to.equal('todo-app');
      await sendKeys({ press: 'ArrowDown' });
      await focused(inspector, '[data-key="todo-app add_todo"][aria-selected=true]');
      await sendKeys({ press: 'ArrowLeft' });
      await focused(inspector, '[data-key="todo-app"]');
      await sendKeys({ press: 'ArrowLeft' });
      await shown(inspector, '[data-key="todo-app"][aria-expanded=false]');
      expect(inspector.shadowRoot!.querySelectorAll('[aria-level="2"]')).to.have.length(0);
      await sendKeys({ press: 'ArrowRight' });
      await shown(inspector, '[data-key="todo-app"][aria-expanded=true]');
      await sendKeys({ press: 'ArrowDown' });
      await focused(inspector, '[data-key="todo-app add_todo"]');
      element(inspector, '[id="field%2Ftitle"]').focus();
      await sendKeys({ type: 'Soap' });
      await sendKeys({ press: 'Enter' });
      await shown(inspector, '.said', (each) => text(each).startsWith('Done'));
      expect(ran).to.deep.equal([{ title: 'Soap' }]);
    });

    it('makes the panel higher and lower', async () => {
      const edge = element(inspector, '[role=separator]');
      const height = (): number => element(inspector, '.panel').getBoundingClientRect().height;
      edge.focus();
      const before = height();
      await sendKeys({ press: 'ArrowUp' });
      await shown(inspector, '[role=separator][aria-valuenow="50"]');
      expect(height()).to.be.greaterThan(before);
      await sendKeys({ press: 'End' });
      await shown(inspector, '[role=separator][aria-valuenow="20"]');
      expect(height()).to.be.lessThan(before);
    });
  });
});
