import { describeElement } from '../markup-warning.js';
import { isShadowRoot } from '../node-kind.js';
import { isBehindDialog } from './behind-dialog.js';
import { joined, reasonOf } from './control-texts.js';
import { collapse, textOf } from './read-text.js';

/** Tags and roles of what a person presses. */
const PRESSED = 'button,input:is([type="button"],[type="submit"],[type="reset"],[type="image"],[type="checkbox"],'
  + '[type="radio"]),a[href],area[href],summary,[role],[tabindex],[onclick]';

/** Whether an element looks like something to be pressed. */
export function isPressable(element: Element): boolean {
  return element.matches(PRESSED) || element.localName.includes('-');
}

/** Why a person could not press it now; `''` when they could. */
export function whyNotPressable(element: HTMLElement): string {
  if (element.matches(':disabled,[aria-disabled="true"]')) return joined(`${named(element)} is disabled`, reasonOf(element));
  return whyOutOfReach(element, [element, ...element.children]);
}

/** Why a modal dialog keeps a person from an element, wherever that dialog is; `''` when none does. */
export function whyBehindDialog(element: HTMLElement): string {
  return isBehindDialog(element) ? outOfReach(element) : '';
}

/** Why a person cannot get at an element. `boxes`: it is to be seen when one of these is. */
export function whyOutOfReach(element: HTMLElement, boxes: readonly Element[]): string {
  if (isInert(element)) return outOfReach(element);
  return boxes.some(isShown) ? '' : `${named(element)} is not to be seen now`;
}

/** Presses an element as a person does, with all events of that. Throws nothing of the page's listeners. */
export function press(element: HTMLElement): void {
  const init = { bubbles: true, cancelable: true, composed: true, button: 0, view: window };
  const pointer = { ...init, pointerId: 1, pointerType: 'mouse', isPrimary: true };
  element.dispatchEvent(new PointerEvent('pointerdown', { ...pointer, buttons: 1 }));
  element.dispatchEvent(new MouseEvent('mousedown', { ...init, buttons: 1, detail: 1 }));
  element.dispatchEvent(new PointerEvent('pointerup', pointer));
  element.dispatchEvent(new MouseEvent('mouseup', { ...init, detail: 1 }));
  element.click();
}

function outOfReach(element: HTMLElement): string {
  return `${named(element)} is out of reach now: a dialog is open, or a part of the page is switched off`;
}

/** `the button "Save"`, `the form <form id="search">`. */
function named(element: HTMLElement): string {
  if (element.localName === 'form') return `the form ${describeElement(element)}`;
  const text = element.getAttribute('aria-label') ?? (textOf(element) || (element as HTMLInputElement).value);
  const kind = { a: 'link', area: 'link', input: 'button' }[element.localName] ?? element.localName;
  return typeof text === 'string' && text ? `the ${kind} "${collapse(text)}"` : describeElement(element);
}

/** Inert by itself, by something around it, or by a modal dialog that it is not part of. */
function isInert(element: Element): boolean {
  for (let at: Element | null = element; at; at = at.parentElement ?? hostOf(at)) {
    if (at.hasAttribute('inert')) return true;
    if (at.matches(':modal')) return false;
  }
  // What is in the top layer above a modal dialog is rare; whoever closes the dialog has everything back. Dialogs in shadow
  // roots are looked for when the action runs.
  return [...element.ownerDocument.querySelectorAll('dialog:modal')].some((dialog) => !dialog.contains(element));
}

function hostOf(element: Element): Element | null {
  const root = element.getRootNode();
  return isShadowRoot(root) ? root.host : null;
}

function isShown(element: Element): boolean {
  return element.checkVisibility?.({ visibilityProperty: true }) ?? element.getClientRects().length > 0;
}
