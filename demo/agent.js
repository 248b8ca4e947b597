/** The agent's way into the application: what each declared action does, and what each observation shows. */
import * as todos from './todos.js';

const surface = document.querySelector('oui-surface');
const listed = ({ id, title, completed, priority, dueDate, createdAt }) => (
  { id, title, completed, priority, ...(dueDate && { dueDate }), createdAt });

const handlers = {
  add_todo: ({ params }) => ({ id: todos.add(params).id, created: true }),

  complete_todo: ({ params }) => ({ success: true, completedAt: todos.complete(params.todoId).completedAt }),

  delete_todo: ({ params }) => ({ id: todos.remove(params.todoId).id, deleted: true }),

  bulk_complete: async (event) => {
    const { completed, failed } = await todos.completeMany(event.params.todoIds, {
      signal: event.signal,
      onProgress: (done, of) => event.progress({ done, of }),
    });
    return { completed, failed: failed.length };
  },
};

// A todo that is not there is an outcome to act on, not a crash: it keeps its own code.
async function run(event) {
  try {
    return await handlers[event.actionId](event);
  } catch (error) {
    if (!(error instanceof todos.TodoError)) throw error;
    return { success: false, error: { code: error.code, message: error.message } };
  }
}

surface.addEventListener('oui-action', (event) => event.respondWith(run(event)));

const observation = (id) => surface.querySelector(`oui-observation[observation-id="${id}"]`);
const list = observation('todo_list');
const filter = observation('active_filter');
const stats = observation('stats');

function show() {
  list.value = todos.visible().map(listed);
  filter.value = todos.filter();
  stats.value = todos.stats();
}

todos.onChange(show);
show();
