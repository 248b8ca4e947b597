import { OuiInspectorElement } from './oui-inspector.js';

OuiInspectorElement.define();

declare global {
  interface HTMLElementTagNameMap {
    'oui-inspector': OuiInspectorElement;
  }
}
