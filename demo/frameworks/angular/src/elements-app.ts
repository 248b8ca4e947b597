import { Component, CUSTOM_ELEMENTS_SCHEMA, inject } from '@angular/core';
import 'oui-elements/elements/define';
import type { OuiActionEvent } from 'oui-elements/elements';
import { exportText, MAX_LENGTH, NO_NOTES, openView } from '../../shared/notes.js';
import type { Order, View } from '../../shared/notes.js';
import { AppNavigation } from './app-navigation.js';
import { injectView, NotesState } from './notes-state.js';
import { NotesView } from './notes-view.js';
import { SettingsView } from './settings-view.js';

interface Params {
  readonly id: string;
  readonly text: string;
}

@Component({
  selector: 'notes-elements',
  imports: [NotesView],
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <oui-surface surface-id="notes" name="Notes" description="A list of short notes.">
      <oui-action action-id="add_note" description="Add a note to the list" effect="edit" [handler]="add">
        <oui-param name="text" description="What it says" min="1" [attr.max]="maxLength" required></oui-param>
      </oui-action>
      <oui-action
        action-id="edit_note"
        description="Change what a note says"
        effect="edit"
        [disabled]="state.notes().length === 0"
        [disabledReason]="noNotes"
        [handler]="edit"
      >
        <oui-param name="id" description="The id of the note" required></oui-param>
        <oui-param name="text" description="What it says" min="1" [attr.max]="maxLength" required></oui-param>
      </oui-action>
      <oui-action
        action-id="delete_note"
        description="Delete a note for good"
        effect="edit"
        confirm
        [handler]="remove"
      >
        <oui-param name="id" description="The id of the note" required></oui-param>
      </oui-action>
      <oui-action
        action-id="export_notes"
        description="Write all notes as one text"
        effect="job"
        async
        (oui-action)="write($event)"
      ></oui-action>
      <oui-observation
        observation-id="notes"
        description="All notes, in the order that the settings say"
        type="json"
        [value]="state.notes()"
      ></oui-observation>
      <notes-view />
    </oui-surface>
  `,
})
export class NotesElements {
  readonly state = inject(NotesState);
  readonly maxLength = MAX_LENGTH;
  readonly noNotes = NO_NOTES;
  readonly add = ({ text }: Params) => this.state.add(text);
  readonly edit = ({ id, text }: Params) => this.state.edit(id, text);
  readonly remove = ({ id }: Params) => this.state.remove(id);

  write(event: Event): void {
    const action = event as OuiActionEvent;
    const work = exportText(this.state.notes(), action.signal, (value) => {
      this.state.exporting.set(value);
      action.progress(value);
    });
    action.respondWith(work.finally(() => this.state.exporting.set(null)));
  }
}

@Component({
  selector: 'settings-elements',
  imports: [SettingsView],
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <oui-surface surface-id="settings" name="Settings" description="How the list of notes is shown.">
      <oui-action action-id="set_order" description="Choose the order of the list" effect="edit" [handler]="choose">
        <oui-param name="order" description="Which first" enum='["oldest", "newest"]' required></oui-param>
      </oui-action>
      <oui-observation
        observation-id="order"
        description="Which notes come first"
        type="text"
        [value]="state.order()"
      ></oui-observation>
      <settings-view />
    </oui-surface>
  `,
})
export class SettingsElements {
  readonly state = inject(NotesState);
  readonly choose = ({ order }: { readonly order: Order }) => {
    this.state.order.set(order);
    return { order };
  };
}

@Component({
  selector: 'notes-app',
  imports: [AppNavigation, NotesElements, SettingsElements],
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <oui-runtime url="/oui/v1" worker-src="oui.worker.js"></oui-runtime>
    <oui-surface surface-id="notes-app" name="Notes application" description="The views of the notes application.">
      <oui-action
        action-id="open_view"
        description="Open a view of the application"
        effect="navigate"
        [handler]="open"
      >
        <oui-param name="view" description="Which view" enum='["notes", "settings"]' required></oui-param>
      </oui-action>
      <oui-observation
        observation-id="view"
        description="The view that is open"
        type="text"
        [value]="view()"
      ></oui-observation>
    </oui-surface>
    <app-navigation />
    @if (view() === 'notes') {
      <notes-elements />
    } @else {
      <settings-elements />
    }
  `,
})
export class ElementsApp {
  readonly view = injectView();
  readonly open = ({ view }: { readonly view: View }) => openView(view);
}
