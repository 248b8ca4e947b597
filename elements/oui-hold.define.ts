import { OuiHoldElement } from './oui-hold.js';

OuiHoldElement.define();

declare global {
  interface HTMLElementTagNameMap {
    'oui-hold': OuiHoldElement;
  }
}
