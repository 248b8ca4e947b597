import { computed, onBeforeUnmount, onMounted, reactive, ref, shallowRef } from 'vue';
import type { Ref } from 'vue';
import { createNote, inOrder, noteOf, viewOf } from '../../shared/notes.js';
import type { ExportProgress, Note, Order, View } from '../../shared/notes.js';
import type { NotesContext, SettingsContext } from '../../shared/notes-surfaces.js';

export interface NotesState extends NotesContext, SettingsContext {
  readonly order: Order;
  readonly exporting: ExportProgress | null;
}

/** The notes, for as long as the application lives. */
export function useNotes(): NotesState {
  // Changed in place, as Vue's users do.
  const all = ref<Note[]>([]);
  const order = ref<Order>('oldest');
  const exporting = shallowRef<ExportProgress | null>(null);
  const indexOf = (id: string): number => all.value.indexOf(noteOf(all.value, id));
  return reactive({
    notes: computed(() => inOrder(all.value, order.value)),
    order,
    exporting,
    add(text: string) {
      const note = createNote(text);
      all.value.push(note);
      return note;
    },
    edit(id: string, text: string) {
      const note = { id, text };
      all.value[indexOf(id)] = note;
      return note;
    },
    remove: (id: string) => all.value.splice(indexOf(id), 1)[0]!,
    showExport: (progress: ExportProgress | null) => void (exporting.value = progress),
    setOrder: (wanted: Order) => void (order.value = wanted),
  });
}

/** The view that the address asks for. */
export function useView(): Ref<View> {
  const view = ref(viewOf(location.hash));
  const follow = (): void => void (view.value = viewOf(location.hash));
  onMounted(() => addEventListener('hashchange', follow));
  onBeforeUnmount(() => removeEventListener('hashchange', follow));
  return view;
}
