import { warnOnce } from '../src/protocol/warn-once.js';
import * as WARNINGS from '../src/protocol/warning-codes.js';

const NAMING_ATTRIBUTES = ['surface-id', 'action-id', 'observation-id', 'name', 'url', 'while', 'toolname', 'id'];

/** `<oui-action action-id="add_todo">`: the element as its author finds it in the markup. */
export function describeElement(element: Element): string {
  const attribute = NAMING_ATTRIBUTES.find((name) => element.hasAttribute(name));
  const named = attribute ? ` ${attribute}="${element.getAttribute(attribute)}"` : '';
  return `<${element.localName}${named}>`;
}

/** Warns once about a mistake in markup. The text continues after the element: `needs a description`. */
export function warnMarkup(element: Element, text: string): void {
  warnOnce(WARNINGS.MARKUP, `${describeElement(element)} ${text}`);
}

/** The value when it is one of those allowed; else `undefined`, and a warning that lists them. */
export function allowedValue<T extends string>(
  element: Element,
  attribute: string,
  value: string,
  allowed: readonly T[],
): T | undefined {
  if (!value) return undefined;
  if ((allowed as readonly string[]).includes(value)) return value as T;
  warnMarkup(element, `has ${attribute}="${value}", which is ignored; it can be ${allowed.join(', ')}.`);
  return undefined;
}
