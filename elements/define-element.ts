import { warnOnce } from '../src/protocol/warn-once.js';
import * as WARNINGS from '../src/protocol/warning-codes.js';

/** An element's class: what it says of itself. */
interface NamedElement {
  readonly version: string;
}

/**
 * Registers a class as a custom element. Harmless where there are no custom elements (Node), and when it is registered
 * already. When the name belongs to another class, that one stays and one warning says so.
 */
export function defineElement(
  element: NamedElement,
  tag: string,
  registry: CustomElementRegistry | undefined,
): void {
  if (!registry) return;
  const constructor = element as unknown as CustomElementConstructor;
  const present = registry.get(tag);
  if (present) {
    if (present === constructor || present.prototype instanceof constructor) return;
    const { version } = present as Partial<NamedElement>;
    const message = `<${tag}> is already defined by ${version ?? 'a class that is not ours'}, which stays; this is `
      + `${element.version}. Load oui-elements once: one <script>, or one copy in the bundle.`;
    warnOnce(WARNINGS.LOADED_TWICE, message, version ?? tag);
    return;
  }
  try {
    registry.define(tag, constructor);
  } catch {
    // A constructor serves one name per registry; a further name gets a class of its own.
    try {
      registry.define(tag, class extends constructor {});
    } catch (error) {
      warnOnce(WARNINGS.MARKUP, `<${tag}> could not be defined: ${String(error)}. Names need a hyphen.`, tag);
    }
  }
}
