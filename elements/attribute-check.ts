import { afterRendering } from './after-rendering.js';
import { warnMarkup } from './markup-warning.js';

/** What any element may have, and what frameworks add. */
const ANYWHERE = /^(id|class|style|slot|part|title|lang|dir|is|nonce|hidden|inert|role|tabindex|key|ref)$|^(data|aria|on-|ng|v|x|hx|s|_)|[:@.#[(*]/;

/**
 * Warns of attributes that are none of the element's: those that nearly are, those of events that the browser has none of,
 * and those that are called as a property, unless that is set when the page is rendered: a server may have written them.
 *
 * @param properties The names of properties that no attribute sets.
 */
export function checkAttributes(element: Element, known: readonly string[], properties: readonly string[]): void {
  for (const name of element.getAttributeNames()) {
    if (known.includes(name)) continue;
    const property = properties.find((each) => each.toLowerCase() === name.replace(/-/g, ''));
    if (property) {
      afterRendering(element, () => checkProperty(element, name, property));
      continue;
    }
    if (isHandler(name) && !(name in element)) {
      warnMarkup(element, `has an attribute ${name}, which means nothing. Scripts listen: `
        + 'addEventListener("oui-action", (event) => event.respondWith(…)).');
      continue;
    }
    if (isHandler(name) || ANYWHERE.test(name)) continue;
    const meant = known.find((each) => isNear(name, each));
    if (meant) warnMarkup(element, `has an attribute ${name}, which means nothing here. Did you mean ${meant}?`);
  }
}

const isHandler = (name: string): boolean => /^on(?!-)|^on-(oui-)?action$/.test(name);

function checkProperty(element: Element, name: string, property: string): void {
  if (!element.hasAttribute(name) || (Reflect.get(element, property) ?? null) !== null) return;
  warnMarkup(element, `has an attribute ${name}, which means nothing: .${property} is a property alone. Set it in script `
    + `(element.${property} = …), or as a property in a template.`);
}

/** `actionid`, `acton-id` and `action` are near `action-id`; `desc` is near `description`. */
function isNear(name: string, known: string): boolean {
  if (name.length < 3) return false;
  if (known.startsWith(name) || name.replace(/[-_]/g, '') === known.replace(/-/g, '')) return true;
  return name.length > 3 && known.length > 3 && distance(name, known) <= 2;
}

/** How many letters must be put in, taken out or changed. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let at = 1; at <= a.length; at += 1) {
    const next = [at];
    for (let column = 1; column <= b.length; column += 1) {
      const change = row[column - 1]! + Number(a[at - 1] !== b[column - 1]);
      next.push(Math.min(change, row[column]! + 1, next[column - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
