import { lazy, Suspense } from 'react';
import type { ReactElement } from 'react';
import 'oui-elements/elements/define';
import { exportText, MAX_LENGTH, NO_NOTES, openView } from '../../shared/notes.js';
import type { ExportProgress, Order, View } from '../../shared/notes.js';
import { Navigation } from './Navigation.js';
import { NotesView } from './NotesView.js';
import { useNotes, useView } from './use-notes.js';
import type { NotesState } from './use-notes.js';

const SettingsView = lazy(async () => ({ default: (await import('./SettingsView.js')).SettingsView }));

export function App(): ReactElement {
  const { view, isOpening } = useView();
  const state = useNotes();
  return (
    <>
      <oui-runtime url="/oui/v1" />
      <oui-surface surface-id="notes-app" name="Notes application" description="The views of the notes application.">
        <oui-action
          action-id="open_view"
          description="Open a view of the application"
          effect="navigate"
          handler={({ view: wanted }) => openView(wanted as View)}
        >
          <oui-param name="view" description="Which view" enum='["notes", "settings"]' required />
        </oui-action>
        <oui-observation observation-id="view" description="The view that is open" type="text" value={view} />
      </oui-surface>
      <oui-hold active={isOpening} />
      <Navigation />
      <Suspense fallback={<oui-hold active>Loading …</oui-hold>}>
        {view === 'notes' ? <Notes {...state} /> : <Settings {...state} />}
      </Suspense>
    </>
  );
}

function Notes(state: NotesState): ReactElement {
  const { notes, add, edit, remove, showExport } = state;
  const isEmpty = notes.length === 0;
  const write = (signal: AbortSignal, progress: (value: ExportProgress) => void) =>
    exportText(notes, signal, (value) => {
      showExport(value);
      progress(value);
    }).finally(() => showExport(null));
  return (
    <oui-surface surface-id="notes" name="Notes" description="A list of short notes.">
      <oui-action
        action-id="add_note"
        description="Add a note to the list"
        effect="edit"
        handler={({ text }) => add(text as string)}
      >
        <Text />
      </oui-action>
      <oui-action
        action-id="edit_note"
        description="Change what a note says"
        effect="edit"
        disabled={isEmpty}
        disabled-reason={NO_NOTES}
        handler={({ id, text }) => edit(id as string, text as string)}
      >
        <Id />
        <Text />
      </oui-action>
      <oui-action
        action-id="delete_note"
        description="Delete a note for good"
        effect="edit"
        confirm
        handler={({ id }) => remove(id as string)}
      >
        <Id />
      </oui-action>
      <oui-action
        action-id="export_notes"
        description="Write all notes as one text"
        effect="job"
        async
        onoui-action={(event) => event.respondWith(write(event.signal, (value) => event.progress(value)))}
      />
      <oui-observation
        observation-id="notes"
        description="All notes, in the order that the settings say"
        type="json"
        value={notes}
      />
      <NotesView {...state} />
    </oui-surface>
  );
}

const Text = (): ReactElement => (
  <oui-param name="text" description="What it says" min="1" max={String(MAX_LENGTH)} required />
);

const Id = (): ReactElement => <oui-param name="id" description="The id of the note" required />;

function Settings(state: NotesState): ReactElement {
  const choose = ({ order }: { readonly order: Order }): { readonly order: Order } => {
    state.setOrder(order);
    return { order };
  };
  return (
    <oui-surface surface-id="settings" name="Settings" description="How the list of notes is shown.">
      <oui-action
        action-id="set_order"
        description="Choose the order of the list"
        effect="edit"
        handler={(params) => choose(params as { order: Order })}
      >
        <oui-param name="order" description="Which first" enum='["oldest", "newest"]' required />
      </oui-action>
      <oui-observation observation-id="order" description="Which notes come first" type="text" value={state.order} />
      <SettingsView {...state} />
    </oui-surface>
  );
}
