import { lazy, Suspense } from 'react';
import type { ReactElement } from 'react';
import { SurfaceRuntimeProvider, useObservation, useSurface, useSurfaceHold } from 'oui-elements/react';
import { notesAppSurface, notesSurface, settingsSurface } from '../../shared/notes-surfaces.js';
import { createPageRuntime } from '../../shared/page-runtime.js';
import { Navigation } from './Navigation.js';
import { NotesView } from './NotesView.js';
import { useNotes, useView } from './use-notes.js';
import type { NotesState } from './use-notes.js';

const runtime = createPageRuntime();
const SettingsView = lazy(async () => ({ default: (await import('./SettingsView.js')).SettingsView }));

export function App(): ReactElement {
  return (
    <SurfaceRuntimeProvider runtime={runtime}>
      <Views />
    </SurfaceRuntimeProvider>
  );
}

function Views(): ReactElement {
  const { view, isOpening } = useView();
  const state = useNotes();
  const app = useSurface({ surface: notesAppSurface });
  useObservation(app, 'view', view);
  // Results wait for a view whose code is still on its way.
  useSurfaceHold(isOpening);
  return (
    <>
      <Navigation />
      <Suspense fallback={<Loading />}>{view === 'notes' ? <Notes {...state} /> : <Settings {...state} />}</Suspense>
    </>
  );
}

function Notes(state: NotesState): ReactElement {
  const surface = useSurface({ surface: notesSurface, context: state });
  useObservation(surface, 'notes', state.notes);
  return <NotesView {...state} />;
}

function Settings(state: NotesState): ReactElement {
  const surface = useSurface({ surface: settingsSurface, context: state });
  useObservation(surface, 'order', state.order);
  return <SettingsView {...state} />;
}

/** When the page begins with it. */
function Loading(): ReactElement {
  useSurfaceHold(true);
  return <p>Loading …</p>;
}
