/** The script tag: `dist/oui.js` and `dist/oui.iife.js`. Defines every element and exports the core by name. */
import { askUser } from '../../elements/ask-user.js';
import { OuiActionElement } from '../../elements/oui-action.js';
import { OuiFrameElement } from '../../elements/oui-frame.js';
import { OuiHoldElement } from '../../elements/oui-hold.js';
import { OuiInspectorElement } from '../../elements/oui-inspector.js';
import { OuiObservationElement } from '../../elements/oui-observation.js';
import { OuiParamElement } from '../../elements/oui-param.js';
import { OuiPresenceElement } from '../../elements/oui-presence.js';
import { OuiRuntimeElement } from '../../elements/oui-runtime.js';
import { OuiSurfaceElement } from '../../elements/oui-surface.js';
import { setRuntimeWiring } from '../../elements/wiring.js';
import { createRuntime } from '../surface/create-runtime.js';
import type { SurfaceRuntime } from '../surface/runtime.js';
import type { SurfaceRuntimeOptions } from '../surface/runtime-options.js';
import { scriptWiring } from './script-wiring.js';

setRuntimeWiring(scriptWiring);
// Not through their define modules: a bundler that reads the package's list of side effects would leave those out.
OuiRuntimeElement.define();
OuiSurfaceElement.define();
OuiActionElement.define();
OuiParamElement.define();
OuiObservationElement.define();
OuiHoldElement.define();
OuiInspectorElement.define();
OuiPresenceElement.define();
OuiFrameElement.define();

/**
 * Creates the runtime of a page, for pages that do not use `<oui-runtime>`. See `oui-elements/core`. Its user is asked
 * with `<oui-approval>`, unless `approve` is given.
 */
export function createSurfaceRuntime(options: SurfaceRuntimeOptions = {}): SurfaceRuntime {
  return createRuntime({ approve: askUser, ...options }, scriptWiring);
}

export { defineSurface, isDefinedSurface } from '../surface/definition/define-surface.js';
export { OuiActionEvent } from '../../elements/oui-action-event.js';
export { OuiFrameEvent } from '../../elements/oui-frame-event.js';
export { OuiCallEvent, OuiConnectionEvent } from '../../elements/oui-runtime-events.js';
export {
  OuiActionElement, OuiFrameElement, OuiHoldElement, OuiInspectorElement, OuiObservationElement, OuiParamElement,
  OuiPresenceElement, OuiRuntimeElement, OuiSurfaceElement,
};
