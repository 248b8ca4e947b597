import type { ReactElement } from 'react';
import type { Order } from '../../shared/notes.js';
import type { NotesState } from './use-notes.js';

/** Loaded when it is first opened. */
export function SettingsView({ order, setOrder }: NotesState): ReactElement {
  return (
    <main>
      <h1>Settings</h1>
      <label>
        Order{' '}
        <select value={order} onChange={({ target }) => setOrder(target.value as Order)}>
          <option value="oldest">oldest first</option>
          <option value="newest">newest first</option>
        </select>
      </label>
    </main>
  );
}
