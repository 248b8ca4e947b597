import type { ReactElement } from 'react';

export function Navigation(): ReactElement {
  return (
    <nav>
      <a href="#/notes">Notes</a>
      <a href="#/settings">Settings</a>
    </nav>
  );
}
