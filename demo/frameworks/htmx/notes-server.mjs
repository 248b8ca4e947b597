/**
 * The server of the htmx application. It keeps the notes and renders every view.
 *
 * @typedef {{ id: string, text: string }} Note
 * @typedef {{ notes: Note[], order: 'oldest' | 'newest', created: number }} State
 * @typedef {{ readonly [name: string]: string }} Sent
 */

/** @type {{ readonly [character: string]: string }} */
const escapes = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };
/** @param {unknown} text */
const escaped = (text) => String(text).replace(/[&<"]/g, (character) => escapes[character] ?? character);

/**
 * What answers the requests that the page makes, of one application with its own notes.
 *
 * @returns {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => Promise<boolean>}
 *   whether the request was one of the application's
 */
export function createNotesServer() {
  /** @type {State} */
  const state = { notes: [], order: 'oldest', created: 0 };
  /** @type {{ readonly [request: string]: (sent: Sent) => string | Promise<object> }} */
  const pages = {
    'GET view': ({ view }) => (view === 'settings' ? settingsView(state) : notesView(state)),
    'POST add'({ text = '' }) {
      state.notes.push({ id: `note-${(state.created += 1)}`, text });
      return notesView(state);
    },
    'POST edit'({ id, text = '' }) {
      for (const note of state.notes) if (note.id === id) note.text = text;
      return notesView(state);
    },
    'POST delete'({ id }) {
      state.notes = state.notes.filter((note) => note.id !== id);
      return notesView(state);
    },
    'POST order'({ order }) {
      state.order = order === 'newest' ? 'newest' : 'oldest';
      return settingsView(state);
    },
    async 'GET export'({ line }) {
      const note = ordered(state)[Number(line)];
      await new Promise((resolve) => setTimeout(resolve, 120));
      return { count: state.notes.length, ...(note && { line: `- ${note.text}` }) };
    },
  };
  return async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const page = pages[`${request.method} ${pathname.split('/').at(-1)}`];
    if (page === undefined) return false;
    const sent = request.method === 'POST' ? new URLSearchParams(await bodyOf(request)) : searchParams;
    const answer = await page(Object.fromEntries(sent));
    const isText = typeof answer === 'string';
    response.writeHead(200, { 'Content-Type': isText ? 'text/html; charset=utf-8' : 'application/json' });
    response.end(isText ? answer : JSON.stringify(answer));
    return true;
  };
}

/** @param {import('node:http').IncomingMessage} request */
async function bodyOf(request) {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

/** @param {State} state */
const ordered = ({ notes, order }) => (order === 'oldest' ? notes : notes.toReversed());

/** @param {State} state */
function notesView(state) {
  const notes = ordered(state);
  const none = notes.length === 0 ? ' disabled disabled-reason="there are no notes yet"' : '';
  const choices = notes.map(({ id, text }) => `<option value="${id}">${escaped(text)}</option>`).join('');
  const which = `<label>Note <select name="id" required aria-description="The id of the note">${choices}</select></label>`;
  const rows = notes.map(({ id, text }) => (
    `<li><data itemprop="id" value="${id}"></data><span itemprop="text">${escaped(text)}</span></li>`));
  return `
    <oui-surface surface-id="notes" name="Notes" description="A list of short notes.">
      <oui-action action-id="add_note" description="Add a note to the list" effect="edit" for="add"></oui-action>
      <oui-action action-id="edit_note" description="Change what a note says" effect="edit" for="edit"${none}></oui-action>
      <oui-action action-id="delete_note" description="Delete a note for good" effect="edit" for="delete" confirm>
      </oui-action>
      <oui-action action-id="export_notes" description="Write all notes as one text" effect="job" async></oui-action>
      <oui-observation observation-id="notes" description="All notes, in the order that the settings say"
        from="#list > li" type="list"></oui-observation>
      <main>
        <h1>Notes</h1>
        <p>View: <span id="view-name">notes</span></p>
        <form id="add" hx-post="add" hx-target="#view">
          <label>New note <input name="text" required maxlength="60"></label>
          <button>Add</button>
        </form>
        <ul id="list">${rows.join('')}</ul>
        <form id="edit" hx-post="edit" hx-target="#view">
          ${which} <label>says <input name="text" required maxlength="60"></label>
          <button>Change</button>
        </form>
        <form id="delete" hx-post="delete" hx-target="#view">
          ${which} <button>Delete</button>
        </form>
      </main>
    </oui-surface>`;
}

/** @param {State} state */
function settingsView({ order }) {
  const option = (/** @type {string} */ value) => `<option value="${value}"${value === order ? ' selected' : ''}>${value} first</option>`;
  return `
    <oui-surface surface-id="settings" name="Settings" description="How the list of notes is shown.">
      <oui-action action-id="set_order" description="Choose the order of the list" effect="edit" for="order"></oui-action>
      <oui-observation observation-id="order" description="Which notes come first" from="#order-now"></oui-observation>
      <main>
        <h1>Settings</h1>
        <p>View: <span id="view-name">settings</span></p>
        <p>Now: <span id="order-now">${order}</span> first</p>
        <form id="order" hx-post="order" hx-target="#view">
          <label>Order
            <select name="order" required aria-description="Which first">${option('oldest')}${option('newest')}</select>
          </label>
          <button>Save</button>
        </form>
      </main>
    </oui-surface>`;
}
