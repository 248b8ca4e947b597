import { OuiSurfaceElement } from './oui-surface.js';

OuiSurfaceElement.define();

declare global {
  interface HTMLElementTagNameMap {
    'oui-surface': OuiSurfaceElement;
  }
}
