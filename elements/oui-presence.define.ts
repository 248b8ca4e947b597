import { OuiPresenceElement } from './oui-presence.js';

OuiPresenceElement.define();

declare global {
  interface HTMLElementTagNameMap {
    'oui-presence': OuiPresenceElement;
  }
}
