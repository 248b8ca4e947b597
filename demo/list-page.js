/** The list: adding, filtering, completing, deleting. */
import * as todos from './todos.js';
import { toast } from './toast.js';

const byId = (id) => document.getElementById(id);
const addForm = byId('add-form');
const filters = byId('filters');
const list = byId('todos');
const empty = byId('empty');
const progress = byId('bulk-progress');
const completeShown = byId('complete-shown');
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const rows = new Map();
let busy = false;

addForm.addEventListener('submit', (event) => {
  event.preventDefault();
  const { title, priority, dueDate } = Object.fromEntries(new FormData(addForm));
  try {
    todos.add({ title, priority, dueDate });
    addForm.reset();
  } catch (error) {
    byId('add-title').value = title.trim();
    toast(error.message);
  }
  byId('add-title').focus();
});

filters.addEventListener('submit', (event) => event.preventDefault());
filters.addEventListener('change', () => todos.setFilter(Object.fromEntries(new FormData(filters))));

completeShown.addEventListener('click', async () => {
  const open = todos.visible().filter((todo) => !todo.completed).map((todo) => todo.id);
  busy = true;
  completeShown.disabled = true;
  progress.value = 0;
  progress.hidden = false;
  const { completed } = await todos.completeMany(open, { onProgress: (done, of) => (progress.value = done / of) });
  progress.hidden = true;
  busy = false;
  toast(`Completed ${completed}.`);
  renderList();
});

list.addEventListener('change', (event) => {
  const { id } = event.target.closest('li').dataset;
  todos.change(id, { completed: event.target.checked });
});

list.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (!button) return;
  const row = button.closest('li');
  const next = row.nextElementSibling ?? row.previousElementSibling;
  const removed = todos.remove(row.dataset.id);
  toast(`Deleted “${removed.title}”.`, () => todos.restore(removed));
  (next?.querySelector('a') ?? byId('list-heading')).focus();
});

export function renderList() {
  const shown = todos.visible();
  const { total, active, overdue } = todos.stats();
  const { status, priority } = todos.filter();
  byId('summary').textContent = total === 0
    ? 'Nothing yet'
    : `${active} open of ${total}${overdue > 0 ? ` · ${overdue} overdue` : ''}`;
  filters.elements.status.value = status;
  filters.elements.priority.value = priority;
  completeShown.disabled = busy || !shown.some((todo) => !todo.completed);
  empty.hidden = shown.length > 0;
  empty.textContent = total === 0
    ? 'Nothing to do. Write something down, or let your agent.'
    : 'Nothing matches this filter.';
  placeRows(shown);
}

/** Rows stay the same elements while their todo is shown, so that focus stays where it is. */
function placeRows(shown) {
  const ids = new Set(shown.map((todo) => todo.id));
  for (const [id, row] of rows) {
    if (ids.has(id)) continue;
    row.remove();
    rows.delete(id);
  }
  shown.forEach((todo, index) => {
    let row = rows.get(todo.id);
    if (!row) {
      row = createRow(todo.id);
      rows.set(todo.id, row);
    }
    fillRow(row, todo);
    if (list.children[index] === row) return;
    const focused = row.contains(document.activeElement) ? document.activeElement : null;
    list.insertBefore(row, list.children[index] ?? null);
    focused?.focus();
  });
}

function createRow(id) {
  const row = document.createElement('li');
  row.dataset.id = id;
  const box = document.createElement('input');
  box.type = 'checkbox';
  const link = document.createElement('a');
  link.href = `/todos/${encodeURIComponent(id)}`;
  const facts = document.createElement('span');
  facts.className = 'todo-facts';
  facts.append(...['id', 'due', 'priority'].map((name) => {
    const fact = document.createElement('span');
    fact.className = name;
    return fact;
  }));
  facts.firstChild.textContent = id;
  const remove = document.createElement('button');
  remove.type = 'button';
  remove.className = 'quiet icon';
  remove.append(cross());
  row.append(box, link, facts, remove);
  return row;
}

function fillRow(row, todo) {
  const [box, link, facts, remove] = row.children;
  const [, due, priority] = facts.children;
  row.classList.toggle('completed', todo.completed);
  box.checked = todo.completed;
  box.setAttribute('aria-label', `Completed: ${todo.title}`);
  link.textContent = todo.title;
  const overdue = todos.isOverdue(todo);
  due.textContent = todo.dueDate ? `${overdue ? 'Overdue ' : ''}${day.format(new Date(todo.dueDate))}` : '';
  due.classList.toggle('overdue', overdue);
  priority.textContent = todo.priority;
  priority.dataset.priority = todo.priority;
  remove.setAttribute('aria-label', `Delete ${todo.title}`);
}

function cross() {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', 'm4 4 8 8m0-8-8 8');
  svg.append(path);
  return svg;
}
