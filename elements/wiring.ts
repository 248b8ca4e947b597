import type { RuntimeWiring } from '../src/surface/runtime.js';

let wiring: RuntimeWiring | null = null;

/** What `<oui-runtime>` creates its runtime with: engine hosts and transports. The package's entries call this. */
export function setRuntimeWiring(value: RuntimeWiring): void {
  wiring = value;
}

/** @throws {Error} when no entry has handed a wiring over. */
export function runtimeWiring(): RuntimeWiring {
  if (wiring) return wiring;
  throw new Error('<oui-runtime> cannot create its runtime: its class was not imported through an entry of '
    + 'oui-elements. Import "oui-elements/elements" or "oui-elements/elements/define", or set the .runtime property.');
}
