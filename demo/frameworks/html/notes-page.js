/** The notes application in plain HTML: one state, one function that shows it, and what changes it. */

const state = { notes: [], order: 'oldest', view: 'notes', created: 0 };

const one = (selector) => document.querySelector(selector);
const observation = (id) => one(`oui-observation[observation-id=${id}]`);

const actions = {
  open_view({ view }) {
    location.hash = `#/${view}`;
    return { view };
  },
  add_note({ text }) {
    const note = { id: `note-${(state.created += 1)}`, text };
    change({ notes: [...state.notes, note] });
    return note;
  },
  edit_note({ id, text }) {
    existing(id);
    const note = { id, text };
    change({ notes: state.notes.map((each) => (each.id === id ? note : each)) });
    return note;
  },
  delete_note({ id }) {
    const note = existing(id);
    change({ notes: state.notes.filter((each) => each !== note) });
    return note;
  },
  async export_notes(_params, { signal, progress }) {
    const { notes } = state;
    const bar = one('progress');
    try {
      for (const [index] of notes.entries()) {
        await new Promise((resolve) => setTimeout(resolve, 120));
        signal.throwIfAborted();
        Object.assign(bar, { hidden: false, max: notes.length, value: index + 1 });
        progress({ done: index + 1, of: notes.length });
      }
      return { count: notes.length, text: notes.map(({ text }) => `- ${text}`).join('\n') };
    } finally {
      bar.hidden = true;
    }
  },
  set_order({ order }) {
    change({ order });
    return { order };
  },
};

function existing(id) {
  const note = state.notes.find((each) => each.id === id);
  if (note) return note;
  throw new Error(`There is no note "${id}".`);
}

function change(parts) {
  Object.assign(state, parts);
  show();
}

function show() {
  const { order, view } = state;
  const notes = order === 'oldest' ? state.notes : state.notes.toReversed();
  one('#notes').hidden = view !== 'notes';
  one('#settings').hidden = view !== 'settings';
  one('select').value = order;
  one('ul').replaceChildren(...notes.map(rowOf));
  one('oui-action[action-id=edit_note]').disabled = notes.length === 0;
  observation('view').value = view;
  observation('notes').value = notes;
  observation('order').value = order;
}

function rowOf({ id, text }) {
  const row = document.createElement('li');
  const input = Object.assign(document.createElement('input'), { value: text, maxLength: 60, ariaLabel: 'Note' });
  input.addEventListener('change', () => actions.edit_note({ id, text: input.value }));
  const button = Object.assign(document.createElement('button'), { textContent: 'Delete' });
  button.addEventListener('click', () => actions.delete_note({ id }));
  row.append(input, button);
  return row;
}

document.addEventListener('oui-action', (event) => {
  const { params, signal } = event;
  const run = async () => actions[event.actionId](params, { signal, progress: (value) => event.progress(value) });
  event.respondWith(run());
});
one('form').addEventListener('submit', (event) => {
  event.preventDefault();
  actions.add_note({ text: event.target.elements.text.value });
  event.target.reset();
});
one('select').addEventListener('change', ({ target }) => change({ order: target.value }));
const follow = () => change({ view: location.hash === '#/settings' ? 'settings' : 'notes' });
addEventListener('hashchange', follow);
if (location.hash === '') history.replaceState(null, '', '#/notes');
follow();
