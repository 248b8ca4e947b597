import { closestComposed } from '../composed-tree.js';
import { isElement } from '../node-kind.js';

/**
 * Whether a modal dialog keeps an element from a person, whatever shadow root the dialog is in, a closed one too. Needs the
 * page's layout: it is asked when an action runs, and not at each change. This library's own question to the user counts
 * for nothing: agents go on elsewhere while it stands.
 */
export function isBehindDialog(element: Element): boolean {
  const dialogs = modalDialogs(element.ownerDocument);
  const others = dialogs.filter((dialog) => !isQuestion(dialog));
  const found = dialogs.length === others.length ? isFound(element) : undefined;
  if (found !== undefined) return !found;
  const within = (dialog: Element): boolean => closestComposed(element, (node): node is Element => node === dialog) !== null;
  return others.length > 0 && !others.some(within);
}

/** Those that can be seen from outside: of the document, and of open shadow roots. */
function modalDialogs(root: ParentNode): Element[] {
  const below = [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? modalDialogs(shadowRoot) : []));
  return [...root.querySelectorAll('dialog:modal'), ...below];
}

/** An `<oui-approval>`'s, of whichever copy of this library. */
function isQuestion(dialog: Element): boolean {
  const host = (dialog.getRootNode() as Partial<ShadowRoot>).host?.constructor as { readonly tag?: unknown } | undefined;
  return host?.tag === 'oui-approval';
}

/**
 * Whether the browser finds an element, or anything that stands around it, at its place. What is behind a modal dialog is
 * nowhere to be found, while what is merely covered is. `undefined` where none of them has a place on the screen to look at.
 */
function isFound(element: Element): boolean | undefined {
  let told: false | undefined;
  const isThere = (node: Node): node is Element => {
    const found = isElement(node) ? isFoundAtItsPlace(node) : undefined;
    if (found === false) told = found;
    return found === true;
  };
  return isThere(element) || closestComposed(element, isThere) !== null || told;
}

function isFoundAtItsPlace(element: Element): boolean | undefined {
  const { ownerDocument, localName } = element;
  const window = ownerDocument.defaultView;
  // The root is found everywhere, dialog or not.
  if (!window || localName === 'html') return undefined;
  const { pointerEvents, visibility } = window.getComputedStyle(element);
  if (pointerEvents === 'none' || visibility !== 'visible') return undefined;
  for (const box of element.getClientRects()) {
    const [left, right] = [Math.max(box.left, 0), Math.min(box.right, window.innerWidth)];
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, window.innerHeight)];
    if (right - left < 1 || bottom - top < 1) continue;
    const found = (element.getRootNode() as Document | ShadowRoot).elementsFromPoint(
      (left + right) / 2, (top + bottom) / 2,
    );
    return found.includes(element);
  }
  return undefined;
}
