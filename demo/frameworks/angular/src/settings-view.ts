import { Component, inject } from '@angular/core';
import type { Order } from '../../shared/notes.js';
import { NotesState } from './notes-state.js';

@Component({
  selector: 'settings-view',
  template: `
    <main>
      <h1>Settings</h1>
      <label>
        Order
        <select #order [value]="state.order()" (change)="choose(order.value)">
          <option value="oldest">oldest first</option>
          <option value="newest">newest first</option>
        </select>
      </label>
    </main>
  `,
})
export class SettingsView {
  readonly state = inject(NotesState);

  choose(order: string): void {
    this.state.order.set(order as Order);
  }
}
