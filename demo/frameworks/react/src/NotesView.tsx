import type { ReactElement } from 'react';
import { MAX_LENGTH } from '../../shared/notes.js';
import type { NotesState } from './use-notes.js';

/** What people see and use. */
export function NotesView({ notes, exporting, add, edit, remove }: NotesState): ReactElement {
  const submit = (data: FormData): void => void add(data.get('text') as string);
  return (
    <main>
      <h1>Notes</h1>
      <form action={submit}>
        <label>
          New note <input name="text" required maxLength={MAX_LENGTH} />
        </label>
        <button>Add</button>
      </form>
      <ul>
        {notes.map(({ id, text }) => (
          <li key={id}>
            <input
              aria-label="Note"
              defaultValue={text}
              key={text}
              maxLength={MAX_LENGTH}
              onBlur={({ target: { value } }) => value !== text && edit(id, value)}
            />
            <button onClick={() => remove(id)}>Delete</button>
          </li>
        ))}
      </ul>
      {exporting && <progress value={exporting.done} max={exporting.of} />}
    </main>
  );
}
