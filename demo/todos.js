/**
 * The list itself: what it holds, what may be done to it, and that it survives a reload.
 * It knows neither the page nor agents; both call the same functions.
 *
 * @typedef {'low' | 'medium' | 'high'} Priority
 * @typedef {{ id: string, title: string, completed: boolean, priority: Priority, dueDate?: string, createdAt: string,
 *   completedAt?: string }} Todo
 * @typedef {{ status: 'all' | 'active' | 'completed', priority: 'all' | Priority }} Filter
 */

const KEY = 'todos';
export const LIST_MAX = 1000;
const WEIGHT = { high: 0, medium: 1, low: 2 };

/** Something that cannot be done, with a code that programs can tell apart. */
export class TodoError extends Error {
  constructor(code, message) {
    super(message);
    this.name = 'TodoError';
    this.code = code;
  }
}

const listeners = new Set();
let state = load();

/** Calls the listener after every change. */
export function onChange(listener) {
  listeners.add(listener);
}

/** @returns {Filter} */
export const filter = () => state.filter;

/** @param {string} id @returns {Todo | undefined} */
export const find = (id) => state.todos.find((todo) => todo.id === id);

/** The todos that the filter lets through: open ones first, urgent before the rest. @returns {Todo[]} */
export function visible() {
  const { status, priority } = state.filter;
  return state.todos
    .filter((todo) => status === 'all' || todo.completed === (status === 'completed'))
    .filter((todo) => priority === 'all' || todo.priority === priority)
    .sort((a, b) => Number(a.completed) - Number(b.completed)
      || WEIGHT[a.priority] - WEIGHT[b.priority]
      || (a.dueDate ?? '9999').localeCompare(b.dueDate ?? '9999')
      || a.createdAt.localeCompare(b.createdAt));
}

export const isOverdue = (todo) => !todo.completed && todo.dueDate !== undefined && todo.dueDate < today();

export function stats() {
  const completed = state.todos.filter((todo) => todo.completed).length;
  const total = state.todos.length;
  return { total, active: total - completed, completed, overdue: state.todos.filter(isOverdue).length };
}

/** @param {{ title: string, priority?: Priority, dueDate?: string }} fields @returns {Todo} */
export function add({ title, priority = 'medium', dueDate }) {
  if (state.todos.length >= LIST_MAX) {
    throw new TodoError('todo:limit_reached', `The list is full: it holds ${LIST_MAX} todos. Delete some first.`);
  }
  const text = title.trim();
  if (text === '') throw new TodoError('todo:empty_title', 'The title is blank. Say what is to be done.');
  const todo = {
    id: `todo-${state.nextId}`,
    title: text,
    completed: false,
    priority,
    ...(dueDate && { dueDate }),
    createdAt: new Date().toISOString(),
  };
  save({ ...state, nextId: state.nextId + 1, todos: [...state.todos, todo] });
  return todo;
}

/** Changes fields of a todo. `dueDate: undefined` takes the date away. @returns {Todo} */
export function change(id, fields) {
  const todo = existing(id);
  const changed = { ...todo, ...fields };
  if (changed.completed !== todo.completed) {
    if (changed.completed) changed.completedAt = new Date().toISOString();
    else delete changed.completedAt;
  }
  if (!changed.dueDate) delete changed.dueDate;
  save({ ...state, todos: state.todos.map((each) => (each === todo ? changed : each)) });
  return changed;
}

/** Completing what is complete already changes nothing. @returns {Todo} */
export function complete(id) {
  const todo = existing(id);
  return todo.completed ? todo : change(id, { completed: true });
}

/**
 * Completes many, a share at a time, so that whoever watches sees it advance.
 * @param {string[]} ids @param {{ signal?: AbortSignal, onProgress?: (done: number, of: number) => void }} options
 */
export async function completeMany(ids, { signal, onProgress } = {}) {
  const share = Math.ceil(ids.length / 5);
  let completed = 0;
  const failed = [];
  for (let start = 0; start < ids.length; start += share) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    signal?.throwIfAborted();
    for (const id of ids.slice(start, start + share)) {
      if (find(id)) {
        complete(id);
        completed += 1;
      } else {
        failed.push(id);
      }
    }
    onProgress?.(Math.min(start + share, ids.length), ids.length);
  }
  return { completed, failed };
}

/** @returns {Todo} what was removed */
export function remove(id) {
  const todo = existing(id);
  save({ ...state, todos: state.todos.filter((each) => each !== todo) });
  return todo;
}

/** Puts a removed todo back. @param {Todo} todo */
export function restore(todo) {
  if (!find(todo.id)) save({ ...state, todos: [...state.todos, todo] });
}

/** @param {Partial<Filter>} fields */
export function setFilter(fields) {
  save({ ...state, filter: { ...state.filter, ...fields } });
}

function existing(id) {
  const todo = find(id);
  if (todo) return todo;
  const ids = state.todos.slice(0, 10).map((each) => each.id);
  const rest = state.todos.length - ids.length;
  throw new TodoError('todo:not_found', ids.length === 0
    ? `There is no todo "${id}": the list is empty.`
    : `There is no todo "${id}". The list has ${ids.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`);
}

function save(next) {
  state = next;
  try {
    localStorage.setItem(KEY, JSON.stringify(state));
  } catch {
    // Storage is off or full: the list then lives as long as the page.
  }
  for (const listener of listeners) listener();
}

function load() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    if (Array.isArray(kept?.todos) && kept.filter && Number.isInteger(kept.nextId)) return kept;
  } catch {
    // Nothing kept, or nothing that can be read: start afresh.
  }
  const createdAt = new Date().toISOString();
  const open = { completed: false, createdAt };
  return {
    nextId: 4,
    filter: { status: 'all', priority: 'all' },
    todos: [
      { id: 'todo-1', title: 'Read what the agent may do here', priority: 'high', ...open },
      { id: 'todo-2', title: 'Let an agent add one', priority: 'medium', dueDate: today(), ...open },
      { id: 'todo-3', title: 'Open this page', priority: 'low', completed: true, createdAt, completedAt: createdAt },
    ],
  };
}

/** The local date, as a date field has it. */
function today() {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

// Another tab changed the list.
addEventListener('storage', (event) => {
  if (event.key !== KEY) return;
  state = load();
  for (const listener of listeners) listener();
});

// What is shown first is kept too: it is the same list after a reload.
save(state);
