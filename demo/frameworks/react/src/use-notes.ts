import { useEffect, useMemo, useState, useTransition } from 'react';
import { createNote, inOrder, noteOf, replaced, viewOf, without } from '../../shared/notes.js';
import type { ExportProgress, Note, Order, View } from '../../shared/notes.js';
import type { NotesContext, SettingsContext } from '../../shared/notes-surfaces.js';

export interface NotesState extends NotesContext, SettingsContext {
  readonly order: Order;
  readonly exporting: ExportProgress | null;
}

/** The notes, for as long as the application lives. */
export function useNotes(): NotesState {
  const [all, setAll] = useState<readonly Note[]>([]);
  const [order, setOrder] = useState<Order>('oldest');
  const [exporting, showExport] = useState<ExportProgress | null>(null);
  return useMemo(
    () => ({
      notes: inOrder(all, order),
      order,
      exporting,
      showExport,
      setOrder,
      add(text) {
        const note = createNote(text);
        setAll((before) => [...before, note]);
        return note;
      },
      edit(id, text) {
        const note = { ...noteOf(all, id), text };
        setAll((before) => replaced(before, note));
        return note;
      },
      remove(id) {
        const note = noteOf(all, id);
        setAll((before) => without(before, id));
        return note;
      },
    }),
    [all, order, exporting],
  );
}

/** The view that the address asks for. It opens in a transition: the old one stays until the new one is there. */
export function useView(): { readonly view: View; readonly isOpening: boolean } {
  const [view, setView] = useState(() => viewOf(location.hash));
  const [isOpening, startTransition] = useTransition();
  useEffect(() => {
    const follow = (): void => startTransition(() => setView(viewOf(location.hash)));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return { view, isOpening };
}
