import type { ApprovalRequest } from '../src/protocol/approval.js';
import { OuiApprovalElement } from './oui-approval.js';
import type { ApprovalAnswer } from './oui-approval.js';

let own: OuiApprovalElement | undefined;

/**
 * Asks the user with the page's `<oui-approval>`: the one inside `near`, else the document's first, else one made here.
 * @param signal When it aborts the question is moot, and the answer is `null`.
 */
export function askWithDialog(
  request: ApprovalRequest,
  signal: AbortSignal,
  near?: ParentNode,
): Promise<ApprovalAnswer> {
  OuiApprovalElement.define();
  const { tag } = OuiApprovalElement;
  const element = (near?.querySelector(tag) ?? document.querySelector(tag)) as OuiApprovalElement | null;
  return (element ?? ownElement()).ask(request, signal);
}

/** A page that changes its whole body takes the element along: it is put back. */
function ownElement(): OuiApprovalElement {
  own ??= document.createElement(OuiApprovalElement.tag) as OuiApprovalElement;
  if (!own.isConnected) (document.body ?? document.documentElement).append(own);
  return own;
}
