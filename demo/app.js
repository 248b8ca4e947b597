/** Puts the application together: pages by address, and the agent's side. */
import './agent.js';
import './call-panel.js';
import { renderList } from './list-page.js';
import { currentRoute, onRoute } from './router.js';
import { leaveTodo, renderTodo } from './todo-page.js';
import { toast } from './toast.js';
import { onChange } from './todos.js';
import { offerWizard } from './wizard-agent.js';
import { renderWizard } from './wizard-page.js';
import * as wizard from './wizard.js';

const PAGES = ['list', 'todo', 'wizard', 'about', 'unknown'];
const TITLES = {
  list: 'Todos', todo: 'Edit · Todos', wizard: 'Charts', about: 'About · OUI demo', unknown: 'Not found · OUI demo',
};

function render() {
  const { page, id } = currentRoute();
  for (const each of PAGES) document.getElementById(`page-${each}`).hidden = each !== page;
  for (const link of document.querySelectorAll('nav a')) {
    const here = link.getAttribute('href') === location.pathname;
    if (here) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  document.title = TITLES[page];
  renderList();
  if (page === 'todo') renderTodo(id);
  else leaveTodo();
  if (page === 'wizard') renderWizard();
  offerWizard(page === 'wizard');
}

const port = ['7410', ''].includes(location.port) ? '' : ` --port ${location.port}`;
document.getElementById('commands').textContent = `node dist/src/entries/cli.js ls${port}
node dist/src/entries/cli.js call${port} todo-app__add_todo title="Water the plants" priority=high`;
document.getElementById('mcp-config').textContent = JSON.stringify(
  { mcpServers: { oui: { type: 'http', url: `${location.origin}/mcp` } } }, null, 2);

onChange(render);
wizard.onChange(() => {
  if (currentRoute().page === 'wizard') renderWizard();
});
onRoute(() => {
  render();
  // A new page begins at its heading, for the keyboard and for screen readers.
  document.querySelector('main > section:not([hidden]) h1').focus();
});
render();
wizard.load().catch((error) => toast(error.message));
