import { expect } from 'chai';
import { createTestAgent, ouiMatchers } from '../../src/entries/testing.js';
import { clear, find, render } from './fixtures/elements-page.js';

describe('createTestAgent in a browser', () => {
  afterEach(clear);

  it('is the agent of a page in markup, and of its user', async () => {
    const agent = createTestAgent();
    const root = await render(`<oui-runtime></oui-runtime>
      <oui-surface surface-id="todo-app" name="Todos" description="A list.">
        <oui-action action-id="add_todo" description="Adds a todo" effect="edit">
          <oui-param name="title" type="string" description="Its title" required></oui-param>
        </oui-action>
        <oui-action action-id="clear_all" description="Clears" confirm></oui-action>
        <oui-observation observation-id="shown" description="What is shown" type="text"></oui-observation>
      </oui-surface>`);
    find(root, 'oui-runtime').runtime = agent.runtime;
    root.addEventListener('oui-action', (event) => {
      const { actionId, params } = event;
      event.respondWith(new Promise((resolve) => {
        // Rendered in a task of its own, as frameworks do.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          find(root, 'oui-observation').value = actionId === 'add_todo' ? params['title'] : 'none';
          resolve(undefined);
        };
        port2.postMessage(null);
      }));
    });
    const added = await agent.call('todo-app__add_todo', { title: 'Milk' });
    expect(ouiMatchers.toSucceed(added).pass, ouiMatchers.toSucceed(added).message()).to.equal(true);
    await agent.until('todo-app', 'shown', 'Milk');
    const cleared = agent.call('todo-app__clear_all');
    expect((await agent.deny()).actionId).to.equal('clear_all');
    expect((await cleared).error?.code).to.equal('ACTION_DENIED');
    expect(agent.observation('todo-app', 'shown')).to.equal('Milk');
    agent.dispose();
  });
});
