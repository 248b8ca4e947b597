import { Component, inject } from '@angular/core';
import { MAX_LENGTH } from '../../shared/notes.js';
import { NotesState } from './notes-state.js';

@Component({
  selector: 'notes-view',
  template: `
    <main>
      <h1>Notes</h1>
      <form (submit)="submit($event, text)">
        <label>New note <input #text name="text" required [maxLength]="maxLength" /></label>
        <button>Add</button>
      </form>
      <ul>
        @for (note of state.notes(); track note.id) {
          <li>
            <input
              #edited
              aria-label="Note"
              [value]="note.text"
              [maxLength]="maxLength"
              (change)="state.edit(note.id, edited.value)"
            />
            <button (click)="state.remove(note.id)">Delete</button>
          </li>
        }
      </ul>
      @if (state.exporting(); as exporting) {
        <progress [value]="exporting.done" [max]="exporting.of"></progress>
      }
    </main>
  `,
})
export class NotesView {
  readonly state = inject(NotesState);
  readonly maxLength = MAX_LENGTH;

  submit(event: Event, text: HTMLInputElement): void {
    event.preventDefault();
    this.state.add(text.value);
    text.value = '';
  }
}
