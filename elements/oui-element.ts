import { ReactiveElement, unsafeCSS } from '@lit/reactive-element';
import type { CSSResultGroup, PropertyDeclaration } from '@lit/reactive-element';

import { SOFTWARE } from '../src/surface/runtime-options.js';
import { checkAttributes } from './attribute-check.js';
import { defineElement } from './define-element.js';
import { styledRoot, styleRoot } from './document-styles.js';

/** A property of an element. Its attribute is the property's name in kebab-case: `surfaceId`, `surface-id`. */
export interface ElementProperty extends PropertyDeclaration {
  /** What the property is until somebody sets it; `undefined` when the class sees to that itself. */
  readonly initial?: unknown;
}

/** A text attribute: `''` when it is absent. */
export const TEXT: ElementProperty = { useDefault: true, initial: '' };

/** A boolean attribute: `false` when it is absent. */
export const FLAG: ElementProperty = { type: Boolean, initial: false };

/** A value that may be JSON in an attribute or the value itself in the property. Parsed where it is used. */
export const JSON_OR_VALUE: ElementProperty = { converter: { fromAttribute: (text) => text }, initial: null };

/** A property without an attribute, for data that text cannot carry. */
export const RICH: ElementProperty = { attribute: false, initial: null };

/** The same, with a getter and a setter of the class's own. */
export const ACCESSOR: ElementProperty = { attribute: false, noAccessor: true };

const attributeName = (property: string): string => property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * What all elements here share: a move within the document is not an unmount, and they register under a name only when
 * asked to. They draw nothing, unless their class has styles of its own.
 */
export abstract class OuiElement extends ReactiveElement {
  /** The element's usual name. */
  declare static readonly tag: string;

  /** The library and its version, such as `oui-elements/0.1.0`. */
  static readonly version: string = SOFTWARE;

  // `css` would bring along what it needs for texts with values in them.
  static override styles: CSSResultGroup = unsafeCSS(':host{display:none}');

  #live = false;

  // Not by overriding `createProperty`: Lit's development build warns about that in every page that bundles it.
  protected static override finalize(): void {
    if (!Object.hasOwn(this, 'finalized') && Object.hasOwn(this, 'properties')) {
      this.properties = Object.fromEntries(Object.entries(this.properties).map(([name, options]) => (
        [name, { attribute: attributeName(name), ...options }]
      )));
    }
    super.finalize();
  }

  constructor() {
    super();
    const { elementProperties } = this.constructor as typeof OuiElement;
    for (const [name, { initial }] of elementProperties as Map<PropertyKey, ElementProperty>) {
      if (initial !== undefined) Reflect.set(this, name, initial);
    }
  }

  /**
   * Registers the class as a custom element. Harmless where there are no custom elements (Node), and when it is
   * registered already. When the name belongs to another class, that one stays and one warning says so.
   */
  static define(tag: string = this.tag, registry: CustomElementRegistry | undefined = globalThis.customElements): void {
    defineElement(this, tag, registry);
  }

  /** The element is in a document now. */
  protected abstract enter(): void;
  /** It was taken out and put back in the same task, perhaps under another parent. */
  protected abstract moved(): void;
  /** It is out of the document for good. `enter` may follow later. */
  protected abstract leave(): void;

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    return styledRoot(this);
  }

  /** The browser calls it when the element has come into another document. */
  adoptedCallback(): void {
    styleRoot(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#live) {
      this.moved();
    } else {
      this.#live = true;
      const { observedAttributes, elementProperties } = this.constructor as typeof OuiElement;
      const alone = [...elementProperties].filter(([, { attribute }]) => attribute === false).map(([name]) => String(name));
      checkAttributes(this, observedAttributes, alone);
      this.enter();
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    queueMicrotask(() => {
      if (this.isConnected || !this.#live) return;
      this.#live = false;
      this.leave();
    });
  }
}
