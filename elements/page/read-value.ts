import type { Control } from './form-controls.js';
import { isReadable } from './form-controls.js';
import { asText, valueOfControl } from './form-values.js';
import { isSecret, textOf } from './read-text.js';

/** States that an element tells by itself. */
const STATES = ['aria-checked', 'aria-pressed', 'aria-selected', 'aria-expanded'];
const WORDS: { readonly [word: string]: boolean } = {
  true: true, yes: true, on: true, 1: true, false: false, no: false, off: false, 0: false, '': false,
};

/** The text of an element; of a control its value. */
export function readText(element: Element): string | null {
  if (isSecret(element)) return null;
  return isControl(element) ? asText(valueOfControl(element as HTMLElement as Control)) : textOf(element);
}

/**
 * What an element says by its state (checked, pressed, open), by its text where that is `yes`, `no`, `true`, `false`,
 * `on`, `off`, `1`, `0` or nothing; else that it is there.
 */
export function readBoolean(element: Element): boolean | null {
  if (isSecret(element)) return null;
  if (element.localName === 'input' && /^(checkbox|radio)$/.test((element as HTMLInputElement).type)) {
    return (element as HTMLInputElement).checked;
  }
  if (/^(details|dialog)$/.test(element.localName)) return element.hasAttribute('open');
  const state = STATES.find((name) => element.hasAttribute(name));
  if (state) return element.getAttribute(state) === 'true';
  const text = readText(element) ?? '';
  return WORDS[text.toLowerCase()] ?? true;
}

/** Children of a list that are none of its items. */
const NO_ITEMS = 'hr,script,style,template,[role="separator"]';

/** The items of a list element; `null` when it is none. */
export function itemsOf(element: Element): Element[] | null {
  const isList = /^(ul|ol|menu)$/.test(element.localName);
  if (!isList && !/^(list|listbox|menu|tree|feed)$/.test(element.getAttribute('role') ?? '')) return null;
  return [...element.children].filter((child) => !child.matches(NO_ITEMS) && (!isList || child.localName === 'li'));
}

/** An item: an object of its parts with an `itemprop`, by their names; else its text, or the value of its one control. */
export function readItem(item: Element): unknown {
  const parts = item.querySelectorAll('[itemprop]');
  if (parts.length === 0) {
    const text = readText(item);
    return text === '' ? valueWithin(item) ?? text : text;
  }
  const value: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const part of parts) value[part.getAttribute('itemprop')!] = readProperty(part);
  return { ...value };
}

/** The value of the one control in something that has no text. */
function valueWithin(element: Element): unknown {
  const [control, ...others] = element.querySelectorAll('input,select,textarea');
  return control && others.length === 0 && isControl(control) ? valueOfControl(control as HTMLElement as Control) : null;
}

/** As HTML's microdata reads it. */
function readProperty(part: Element): unknown {
  if (isSecret(part)) return null;
  const attribute = { meta: 'content', time: 'datetime', data: 'value', a: 'href', img: 'src' }[part.localName];
  return (attribute && part.getAttribute(attribute)) || readText(part);
}

function isControl(element: Element): boolean {
  return /^(input|select|textarea|output)$/.test(element.localName) && isReadable(element as HTMLElement as Control);
}
