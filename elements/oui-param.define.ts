import { OuiParamElement } from './oui-param.js';

OuiParamElement.define();

declare global {
  interface HTMLElementTagNameMap {
    'oui-param': OuiParamElement;
  }
}
