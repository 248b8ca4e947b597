/** `oui-elements/elements/oui-runtime`: the class of `<oui-runtime>`. Defines nothing. */
import './elements-wiring.js';

export { OuiRuntimeElement } from '../../elements/oui-runtime.js';
export { OuiCallEvent, OuiConnectionEvent } from '../../elements/oui-runtime-events.js';
