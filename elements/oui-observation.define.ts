import { OuiObservationElement } from './oui-observation.js';

OuiObservationElement.define();

declare global {
  interface HTMLElementTagNameMap {
    'oui-observation': OuiObservationElement;
  }
}
