/** One todo: editing and deleting it. */
import { go } from './router.js';
import { toast } from './toast.js';
import * as todos from './todos.js';

const form = document.getElementById('edit-form');
const heading = document.getElementById('todo-heading');
const meta = document.getElementById('todo-meta');
const missing = document.getElementById('todo-missing');
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
let shown = null;
let shownText = '';

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const { title, priority, dueDate } = Object.fromEntries(new FormData(form));
  const { id } = shown;
  todos.change(id, {
    title: title.trim() || shown.title,
    priority,
    dueDate: dueDate || undefined,
    completed: form.elements.completed.checked,
  });
  toast('Saved.');
  go('/todos');
});

document.getElementById('edit-delete').addEventListener('click', () => {
  const removed = todos.remove(shown.id);
  toast(`Deleted “${removed.title}”.`, () => todos.restore(removed));
  go('/todos');
});

/** Shows a todo. What the user is typing stays, unless the todo itself has changed meanwhile. */
export function renderTodo(id) {
  shown = todos.find(id) ?? null;
  form.hidden = shown === null;
  missing.hidden = shown !== null;
  heading.textContent = shown ? shown.title : 'Not on the list';
  missing.textContent = `There is no todo ${id}. It may have been deleted.`;
  const text = JSON.stringify(shown);
  if (!shown || text === shownText) return;
  shownText = text;
  form.elements.title.value = shown.title;
  form.elements.priority.value = shown.priority;
  form.elements.dueDate.value = shown.dueDate ?? '';
  form.elements.completed.checked = shown.completed;
  meta.textContent = `${shown.id} · added ${moment.format(new Date(shown.createdAt))}${
    shown.completedAt ? ` · completed ${moment.format(new Date(shown.completedAt))}` : ''}`;
}

/** Forgets what is in the form: the next visit starts with the todo as it is. */
export function leaveTodo() {
  shownText = '';
}
