import { OuiApprovalElement } from './oui-approval.js';

OuiApprovalElement.define();

declare global {
  interface HTMLElementTagNameMap {
    'oui-approval': OuiApprovalElement;
  }
}
