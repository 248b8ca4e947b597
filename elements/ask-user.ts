import type { ApprovalRequest } from '../src/protocol/approval.js';
import { warnOnce } from '../src/protocol/warn-once.js';
import * as WARNINGS from '../src/protocol/warning-codes.js';
import type { ApprovalAnswer } from './oui-approval.js';
import { runtimeWiring } from './wiring.js';
import type { DialogModule } from './wiring.js';

/**
 * Asks with the page's `<oui-approval>`, or one of its own, whose code comes with the first question. Without it there
 * is no answer. `near`: where an element of its own may be.
 */
export async function askUser(
  request: ApprovalRequest,
  signal: AbortSignal,
  near?: ParentNode,
): Promise<ApprovalAnswer> {
  let dialog: DialogModule;
  try {
    dialog = await runtimeWiring().loadDialog();
  } catch (error) {
    warnOnce(WARNINGS.DIALOG_UNAVAILABLE, `The dialog that asks the user could not be loaded (${String(error)}), so `
      + 'questions end unanswered. Put oui.dialog.js beside oui.js, let a trusted-types policy of the page name oui '
      + '(lit-html in a bundle of your own), or set .approve of <oui-runtime>.', 'dialog');
    return null;
  }
  return signal.aborted ? null : dialog.askWithDialog(request, signal, near);
}
