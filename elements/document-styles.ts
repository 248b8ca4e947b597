import { adoptStyles } from '@lit/reactive-element/css-tag.js';
import type { CSSResult, CSSResultOrNative } from '@lit/reactive-element/css-tag.js';

/** What has styles of a class's own, in a shadow root. */
interface StyledElement extends HTMLElement {
  readonly constructor: { readonly elementStyles: readonly CSSResultOrNative[] };
}

/** The element's shadow root, with the styles of its class. */
export function styledRoot(element: HTMLElement): ShadowRoot {
  const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
  styleRoot(element);
  return root;
}

/**
 * Gives an element's shadow root its styles, by default those of its class. Called again when another document has adopted
 * the element: a document takes only style sheets that were made in its own window, and drops those that an element
 * brings along.
 */
export function styleRoot(
  element: HTMLElement,
  styles: readonly CSSResultOrNative[] = (element as StyledElement).constructor.elementStyles,
): void {
  const { shadowRoot: root, ownerDocument } = element;
  if (!root) return;
  if (ownerDocument === document) return adoptStyles(root, [...styles]);
  const window = ownerDocument.defaultView;
  // A document without a window shows nothing.
  root.adoptedStyleSheets = window ? styles.map((style) => {
    const sheet = new window.CSSStyleSheet();
    sheet.replaceSync((style as CSSResult).cssText);
    return sheet;
  }) : [];
}
