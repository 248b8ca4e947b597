/** What the notes are, whatever framework keeps them. */

export interface Note {
  readonly id: string;
  readonly text: string;
}

export type Order = 'oldest' | 'newest';
export type View = 'notes' | 'settings';

/** The longest note, in characters. */
export const MAX_LENGTH = 60;
/** Why there is nothing to edit. */
export const NO_NOTES = 'there are no notes yet';

/** How far an export has come: so many of so many notes. */
export interface ExportProgress {
  readonly done: number;
  readonly of: number;
}

let created = 0;

export function createNote(text: string): Note {
  created += 1;
  return { id: `note-${created}`, text };
}

/** @throws {Error} when there is no such note. */
export function noteOf(notes: readonly Note[], id: string): Note {
  const found = notes.find((note) => note.id === id);
  if (found) return found;
  throw new Error(`There is no note "${id}".`);
}

export function replaced(notes: readonly Note[], note: Note): readonly Note[] {
  return notes.map((each) => (each.id === note.id ? note : each));
}

export function without(notes: readonly Note[], id: string): readonly Note[] {
  return notes.filter((each) => each.id !== id);
}

export function inOrder(notes: readonly Note[], order: Order): readonly Note[] {
  return order === 'oldest' ? notes : [...notes].reverse();
}

/** Writes the notes as text, one after the other: slow, so that whoever waits sees it advance. */
export async function exportText(
  notes: readonly Note[],
  signal: AbortSignal,
  progress: (progress: ExportProgress) => void,
): Promise<{ readonly count: number; readonly text: string }> {
  const lines: string[] = [];
  for (const { text } of notes) {
    await new Promise((resolve) => void setTimeout(resolve, 120));
    signal.throwIfAborted();
    lines.push(`- ${text}`);
    progress({ done: lines.length, of: notes.length });
  }
  return { count: lines.length, text: lines.join('\n') };
}

/** The view that the address asks for. */
export function viewOf(hash: string): View {
  return hash === '#/settings' ? 'settings' : 'notes';
}

/** Goes to a view, as its link does. */
export function openView(view: View): { readonly view: View } {
  location.hash = `#/${view}`;
  return { view };
}

/** Which of its two ways an application goes: `?way=elements`, else the bindings. */
export function chosenWay(): 'elements' | 'bindings' {
  return new URLSearchParams(location.search).get('way') === 'elements' ? 'elements' : 'bindings';
}
