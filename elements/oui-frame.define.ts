import { OuiFrameElement } from './oui-frame.js';

OuiFrameElement.define();

declare global {
  interface HTMLElementTagNameMap {
    'oui-frame': OuiFrameElement;
  }
}
