import { defineSurface } from 'oui-elements/core';
import { exportText, MAX_LENGTH, NO_NOTES, openView } from './notes.js';
import type { ExportProgress, Note, Order } from './notes.js';

/** What the actions need of an application: its state now, and what can be done to it. */
export interface NotesContext {
  /** In the order that the user has chosen. */
  readonly notes: readonly Note[];
  add(text: string): Note;
  edit(id: string, text: string): Note;
  remove(id: string): Note;
  /** How far the export is; `null` when none goes on. */
  showExport(progress: ExportProgress | null): void;
}

export interface SettingsContext {
  setOrder(order: Order): void;
}

/** On every page: which view is open, and how to open the other. */
export const notesAppSurface = defineSurface({
  id: 'notes-app',
  name: 'Notes application',
  description: 'The views of the notes application.',
  actions: [
    {
      id: 'open_view',
      description: 'Open a view of the application',
      effect: 'navigate',
      input: {
        type: 'object',
        properties: { view: { type: 'string', description: 'Which view', enum: ['notes', 'settings'] } },
        required: ['view'],
      },
      handler: ({ view }) => openView(view),
    },
  ],
  observations: [
    { id: 'view', description: 'The view that is open', schema: { type: 'string', enum: ['notes', 'settings'] } },
  ],
});

const TEXT = { type: 'string', description: 'What it says', minLength: 1, maxLength: MAX_LENGTH } as const;
const ID = { type: 'string', description: 'The id of the note' } as const;

export const notesSurface = defineSurface<NotesContext>()({
  id: 'notes',
  name: 'Notes',
  description: 'A list of short notes.',
  actions: [
    {
      id: 'add_note',
      description: 'Add a note to the list',
      effect: 'edit',
      input: { type: 'object', properties: { text: TEXT }, required: ['text'] },
      handler: ({ text }, page) => page.add(text),
    },
    {
      id: 'edit_note',
      description: 'Change what a note says',
      effect: 'edit',
      enabled: ({ notes }: NotesContext) => notes.length > 0 || NO_NOTES,
      input: { type: 'object', properties: { id: ID, text: TEXT }, required: ['id', 'text'] },
      handler: ({ id, text }, page) => page.edit(id, text),
    },
    {
      id: 'delete_note',
      description: 'Delete a note for good',
      effect: 'edit',
      confirm: true,
      input: { type: 'object', properties: { id: ID }, required: ['id'] },
      handler: ({ id }, page) => page.remove(id),
    },
    {
      id: 'export_notes',
      description: 'Write all notes as one text',
      effect: 'job',
      async: true,
      input: { type: 'object', properties: {} },
      handler: async (_params, page, { signal, progress }) => {
        const tell = (value: ExportProgress): void => {
          page.showExport(value);
          progress(value);
        };
        try {
          return await exportText(page.notes, signal, tell);
        } finally {
          page.showExport(null);
        }
      },
    },
  ],
  observations: [
    {
      id: 'notes',
      description: 'All notes, in the order that the settings say',
      schema: {
        type: 'array',
        items: { type: 'object', properties: { id: { type: 'string' }, text: { type: 'string' } } },
      },
    },
  ],
});

export const settingsSurface = defineSurface<SettingsContext>()({
  id: 'settings',
  name: 'Settings',
  description: 'How the list of notes is shown.',
  actions: [
    {
      id: 'set_order',
      description: 'Choose the order of the list',
      effect: 'edit',
      input: {
        type: 'object',
        properties: { order: { type: 'string', description: 'Which first', enum: ['oldest', 'newest'] } },
        required: ['order'],
      },
      handler: ({ order }, page) => {
        page.setOrder(order);
        return { order };
      },
    },
  ],
  observations: [
    { id: 'order', description: 'Which notes come first', schema: { type: 'string', enum: ['oldest', 'newest'] } },
  ],
});
