import { createApp } from 'vue';
import { chosenWay } from '../../shared/notes.js';
import '../../shared/notes.css';

const { default: App } =
  chosenWay() === 'elements' ? await import('./ElementsApp.vue') : await import('./BindingsApp.vue');

createApp(App).mount('#app');
