import { provideZonelessChangeDetection } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { provideSurfaceRuntime } from 'oui-elements/angular';
import { chosenWay } from '../../shared/notes.js';
import { createPageRuntime } from '../../shared/page-runtime.js';

/** Angular's build leaves workers of packages alone: the script is copied by `assets` of angular.json. */
const WORKER = 'oui.worker.js';

async function start(): Promise<void> {
  if (chosenWay() === 'elements') {
    const { ElementsApp } = await import('./elements-app.js');
    await bootstrapApplication(ElementsApp, { providers: [provideZonelessChangeDetection()] });
  } else {
    const { BindingsApp } = await import('./bindings-app.js');
    await bootstrapApplication(BindingsApp, {
      providers: [provideZonelessChangeDetection(), provideSurfaceRuntime(() => createPageRuntime(WORKER))],
    });
  }
}

void start();
