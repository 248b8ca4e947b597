import { unsafeCSS } from '@lit/reactive-element';
import type { CSSResultGroup } from '@lit/reactive-element';

import { OuiElement } from './oui-element.js';

/** An element that may stand around the page's own content without showing in its layout. */
export abstract class ContainerElement extends OuiElement {
  static override styles: CSSResultGroup = unsafeCSS(':host{display:contents}:host([hidden]){display:none}');

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    root.replaceChildren(this.ownerDocument.createElement('slot'));
    return root;
  }
}
