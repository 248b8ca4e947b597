import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { chosenWay } from '../../shared/notes.js';
import '../../shared/notes.css';

const { App } = chosenWay() === 'elements' ? await import('./ElementsApp.js') : await import('./BindingsApp.js');

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
