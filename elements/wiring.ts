import type { RuntimeWiring } from '../src/surface/runtime.js';

/** What `approval-dialog.ts` exports. */
export type DialogModule = typeof import('./approval-dialog.js');

/** What `presence-panel.ts` exports. */
export type PresenceModule = typeof import('./presence-panel.js');

/** What `<oui-runtime>` creates its runtime with: engine hosts and transports; and the dialog it asks the user with. */
export interface ElementWiring extends RuntimeWiring {
  /** Called at the first question: most pages never ask one. */
  loadDialog(): Promise<DialogModule>;
  /** Called by the first `<oui-presence>` that has a runtime. */
  loadPresence(): Promise<PresenceModule>;
}

let wiring: ElementWiring | null = null;

/** The package's entries call this. */
export function setRuntimeWiring(value: ElementWiring): void {
  wiring = value;
}

/** @throws {Error} when no entry has handed a wiring over. */
export function runtimeWiring(): ElementWiring {
  if (wiring) return wiring;
  throw new Error('<oui-runtime> cannot create its runtime: its class was not imported through an entry of '
    + 'oui-elements. Import "oui-elements/elements" or "oui-elements/elements/define", or set the .runtime property.');
}
