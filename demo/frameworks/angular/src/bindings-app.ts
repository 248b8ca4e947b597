import { Component, inject } from '@angular/core';
import { injectObservation, injectSurface } from 'oui-elements/angular';
import { notesAppSurface, notesSurface, settingsSurface } from '../../shared/notes-surfaces.js';
import { AppNavigation } from './app-navigation.js';
import { injectView, NotesState } from './notes-state.js';
import { NotesView } from './notes-view.js';
import { SettingsView } from './settings-view.js';

@Component({ selector: 'bound-notes', imports: [NotesView], template: '<notes-view />' })
export class BoundNotes {
  readonly #state = inject(NotesState);
  readonly #surface = injectSurface({
    surface: notesSurface,
    context: () => ({
      notes: this.#state.notes(),
      add: (text) => this.#state.add(text),
      edit: (id, text) => this.#state.edit(id, text),
      remove: (id) => this.#state.remove(id),
      showExport: (progress) => this.#state.exporting.set(progress),
    }),
  });

  constructor() {
    injectObservation(this.#surface, 'notes', this.#state.notes);
  }
}

@Component({ selector: 'bound-settings', imports: [SettingsView], template: '<settings-view />' })
export class BoundSettings {
  readonly #state = inject(NotesState);
  readonly #surface = injectSurface({
    surface: settingsSurface,
    context: () => ({ setOrder: (order) => this.#state.order.set(order) }),
  });

  constructor() {
    injectObservation(this.#surface, 'order', this.#state.order);
  }
}

@Component({
  selector: 'notes-app',
  imports: [AppNavigation, BoundNotes, BoundSettings],
  template: `
    <app-navigation />
    @if (view() === 'notes') {
      <bound-notes />
    } @else {
      <bound-settings />
    }
  `,
})
export class BindingsApp {
  readonly view = injectView();
  readonly #app = injectSurface({ surface: notesAppSurface });

  constructor() {
    injectObservation(this.#app, 'view', this.view);
  }
}
