/** `oui-elements/elements/oui-presence`: the class of `<oui-presence>`. Defines nothing. */
import './elements-wiring.js';

export type { PresenceTexts } from '../../elements/presence-texts.js';
export { OuiPresenceElement } from '../../elements/oui-presence.js';
