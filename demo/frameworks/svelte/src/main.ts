import { mount } from 'svelte';
import { chosenWay } from '../../shared/notes.js';
import '../../shared/notes.css';

const { default: App } =
  chosenWay() === 'elements' ? await import('./ElementsApp.svelte') : await import('./BindingsApp.svelte');

mount(App, { target: document.getElementById('app')! });
