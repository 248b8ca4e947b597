import { computed, DestroyRef, inject, Injectable, signal } from '@angular/core';
import type { Signal } from '@angular/core';
import { createNote, inOrder, noteOf, replaced, viewOf, without } from '../../shared/notes.js';
import type { ExportProgress, Note, Order, View } from '../../shared/notes.js';

/** The notes, for as long as the application lives. */
@Injectable({ providedIn: 'root' })
export class NotesState {
  readonly #all = signal<readonly Note[]>([]);
  readonly order = signal<Order>('oldest');
  readonly exporting = signal<ExportProgress | null>(null);
  readonly notes = computed(() => inOrder(this.#all(), this.order()));

  add(text: string): Note {
    const note = createNote(text);
    this.#all.update((all) => [...all, note]);
    return note;
  }

  edit(id: string, text: string): Note {
    const note = { ...noteOf(this.#all(), id), text };
    this.#all.update((all) => replaced(all, note));
    return note;
  }

  remove(id: string): Note {
    const note = noteOf(this.#all(), id);
    this.#all.update((all) => without(all, id));
    return note;
  }
}

/** The view that the address asks for. Call it in an injection context. */
export function injectView(): Signal<View> {
  const view = signal(viewOf(location.hash));
  const follow = (): void => view.set(viewOf(location.hash));
  addEventListener('hashchange', follow);
  inject(DestroyRef).onDestroy(() => removeEventListener('hashchange', follow));
  return view;
}
