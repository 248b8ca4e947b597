import { createNote, inOrder, noteOf, viewOf } from '../../shared/notes.js';
import type { ExportProgress, Note, Order, View } from '../../shared/notes.js';
import type { NotesContext, SettingsContext } from '../../shared/notes-surfaces.js';

/** The notes, for as long as the application lives. */
export class Notebook implements NotesContext, SettingsContext {
  /** Changed in place, as Svelte's users do. */
  readonly #all: Note[] = $state([]);
  order: Order = $state('oldest');
  exporting: ExportProgress | null = $state(null);
  readonly notes: readonly Note[] = $derived(inOrder(this.#all, this.order));

  add(text: string): Note {
    const note = createNote(text);
    this.#all.push(note);
    return note;
  }

  edit(id: string, text: string): Note {
    const note = { id, text };
    this.#all[this.#indexOf(id)] = note;
    return note;
  }

  remove(id: string): Note {
    return this.#all.splice(this.#indexOf(id), 1)[0]!;
  }

  showExport(progress: ExportProgress | null): void {
    this.exporting = progress;
  }

  setOrder(order: Order): void {
    this.order = order;
  }

  #indexOf(id: string): number {
    return this.#all.indexOf(noteOf(this.#all, id));
  }
}

/** The view that the address asks for. */
export class OpenView {
  current: View = $state(viewOf(location.hash));

  readonly follow = (): void => {
    this.current = viewOf(location.hash);
  };
}
