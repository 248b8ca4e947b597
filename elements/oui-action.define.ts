import { OuiActionElement } from './oui-action.js';

OuiActionElement.define();

declare global {
  interface HTMLElementTagNameMap {
    'oui-action': OuiActionElement;
  }
}
