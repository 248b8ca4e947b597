import { Component } from '@angular/core';

@Component({
  selector: 'app-navigation',
  template: `
    <nav>
      <a href="#/notes">Notes</a>
      <a href="#/settings">Settings</a>
    </nav>
  `,
})
export class AppNavigation {}
