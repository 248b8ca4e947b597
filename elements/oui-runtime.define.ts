import { OuiRuntimeElement } from './oui-runtime.js';

OuiRuntimeElement.define();

declare global {
  interface HTMLElementTagNameMap {
    'oui-runtime': OuiRuntimeElement;
  }
}
