import type { ApprovalRequest } from '../src/protocol/engine-messages.js';
import { approvalParams } from './approval-params.js';

/** `true` approved, `false` denied, `null` no answer. */
export type ApprovalAnswer = boolean | null;

const STYLES = `
:host { all: initial; }
dialog {
  box-sizing: border-box; width: min(32rem, calc(100vw - 2rem)); max-height: calc(100vh - 2rem);
  padding: 1.25rem; overflow: auto; border-radius: 14px;
  border: 1px solid var(--oui-border, color-mix(in srgb, CanvasText 20%, Canvas));
  color-scheme: light dark; color: var(--oui-text, CanvasText); background: var(--oui-surface, Canvas);
  font: 400 1rem/1.5 var(--oui-font, system-ui, sans-serif); box-shadow: 0 24px 64px rgb(0 0 0 / .3);
}
dialog::backdrop { background: rgb(10 14 24 / .5); }
h2 { margin: 0 0 .25rem; font-size: 1.2rem; line-height: 1.3; overflow-wrap: anywhere; }
p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
.from { font-size: .875rem; opacity: .75; }
dl { margin: 0 0 1rem; padding: .75rem; border-radius: 10px; background: color-mix(in srgb, CanvasText 7%, Canvas); }
dt { font-size: .875rem; font-weight: 600; overflow-wrap: anywhere; }
dd { margin: 0; }
dd + dt { margin-top: .6rem; }
.default { font-weight: 400; opacity: .75; }
pre {
  margin: 0; max-height: 12rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere;
  unicode-bidi: plaintext;
  font: .875rem/1.45 ui-monospace, monospace;
}
div { display: flex; flex-wrap: wrap; gap: .5rem; justify-content: flex-end; }
button {
  min-width: 6.5rem; min-height: 2.75rem; padding: .4rem 1rem; border-radius: 10px; font: inherit; font-weight: 600;
  cursor: pointer; color: inherit; background: transparent;
  border: 1px solid color-mix(in srgb, CanvasText 35%, Canvas);
}
.approve { color: var(--oui-on-accent, #fff); background: var(--oui-accent, #2456d6); border-color: transparent; }
button:focus-visible { outline: 3px solid var(--oui-focus, #6a9bff); outline-offset: 2px; }
@media (forced-colors: active) { button { border-color: ButtonText; } }
`;

let queue: Promise<unknown> = Promise.resolve();

/**
 * Asks the user, in a modal dialog, whether an action may run. Questions wait for each other: one dialog at a time.
 *
 * Only the user's own clicks and keys count: a click that a script makes is not an answer. Escape gives none either.
 * @param signal When it aborts the question is moot: the dialog closes and the answer is `null`.
 */
export function askWithDialog(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
  const answer = queue.then(() => (signal.aborted ? null : show(request, signal)));
  queue = answer.catch(() => {});
  return answer;
}

function show(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  root.adoptedStyleSheets = [sheet];

  const title = request.title ?? request.actionId;
  const heading = textElement('h2', `Allow “${title}”?`);
  heading.id = 'title';
  const description = textElement('p', request.description);
  description.id = 'description';
  const from = textElement('p', `An agent asks for this in ${request.surfaceName}.`);
  from.className = 'from';
  const deny = button('Deny', 'deny');
  const approve = button('Approve', 'approve');
  const buttons = document.createElement('div');
  buttons.append(deny, approve);

  const dialog = document.createElement('dialog');
  dialog.setAttribute('role', 'alertdialog');
  dialog.setAttribute('aria-labelledby', heading.id);
  dialog.setAttribute('aria-describedby', description.id);
  dialog.setAttribute('part', 'dialog');
  dialog.append(heading, description, from, ...paramList(request), buttons);
  root.append(dialog);

  return new Promise((resolve) => {
    const before = document.activeElement;
    const end = (answer: ApprovalAnswer): void => {
      signal.removeEventListener('abort', moot);
      dialog.close();
      host.remove();
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
      resolve(answer);
    };
    const moot = (): void => end(null);
    signal.addEventListener('abort', moot, { once: true });
    for (const [element, answer] of [[approve, true], [deny, false]] as const) {
      element.addEventListener('click', (event) => {
        if (event.isTrusted) end(answer);
      });
    }
    // Escape, and whatever else closes a dialog: the user has not answered.
    dialog.addEventListener('close', moot, { once: true });
    (document.body ?? document.documentElement).append(host);
    dialog.showModal();
    deny.focus();
  });
}

function paramList(request: ApprovalRequest): HTMLElement[] {
  const params = approvalParams(request.params, request.defaults);
  if (params.length === 0) return [];
  const list = document.createElement('dl');
  for (const { name, text, isDefault } of params) {
    const term = textElement('dt', name);
    if (isDefault) {
      const mark = textElement('span', ' (default)');
      mark.className = 'default';
      term.append(mark);
    }
    const value = document.createElement('dd');
    value.append(textElement('pre', text));
    list.append(term, value);
  }
  return [list];
}

function textElement(name: string, text: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

function button(text: string, part: string): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.textContent = text;
  element.className = part;
  element.setAttribute('part', part);
  return element;
}
