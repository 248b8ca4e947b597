import { collapse, textOf } from './read-text.js';
import { asText, valueOfControl } from './form-values.js';
import type { Control } from './form-controls.js';

interface Separators {
  readonly group: string;
  readonly decimal: string;
}

const separators = new Map<string, Separators>();

/**
 * The number that an element shows: what it says to machines (`<data value>`, `<meter>`, `<progress>`, a control), else
 * the first number of its text, written as its language writes them: `1,234.50` in English, `1.234,50` in German. Signs
 * of currencies and words around it do not matter. `null` when there is none.
 */
export function numberOf(element: Element): number | null {
  const { localName } = element;
  // Without a value nobody knows how far it is.
  if (localName === 'progress' && !element.hasAttribute('value')) return null;
  if (localName === 'meter' || localName === 'progress') return (element as HTMLMeterElement).value;
  if (localName === 'data') return finite(Number((element as HTMLDataElement).value || NaN));
  if (/^(input|select|textarea|output)$/.test(localName)) {
    const value = valueOfControl(element as HTMLElement as Control);
    return typeof value === 'number' ? value : parseNumber(asText(value) ?? '', languageOf(element));
  }
  return parseNumber(textOf(element), languageOf(element));
}

/** The first number of a text. */
export function parseNumber(text: string, language: string): number | null {
  const { group, decimal } = separatorsOf(language);
  // A space may part groups where digits in threes follow; which of the many spaces it is, is a matter of taste.
  const grouped = `\\d{1,3}(?:${/\s/.test(group) ? '\\s' : escaped(group)}\\d{2,3})+`;
  const number = new RegExp(`((?<![\\p{L}\\p{N}])[-−+])?\\s?(?:\\p{Sc}\\s?)?((?:${grouped}|\\d+)(?:${escaped(decimal)}\\d+)?|${escaped(decimal)}\\d+)`, 'u');
  const found = number.exec(collapse(text));
  if (!found) return null;
  const plain = found[2]!.replace(/\s/g, '').replaceAll(group, '').replace(decimal, '.');
  const value = finite(Number(plain));
  return value !== null && /[-−]/.test(found[1] ?? '') ? -value : value;
}

/** Inherited through shadow roots, too. */
function languageOf(element: Element): string {
  for (let at: Element | undefined = element; at; at = (at.getRootNode() as Partial<ShadowRoot>).host) {
    const language = at.closest('[lang]')?.getAttribute('lang');
    if (language) return language;
  }
  return 'en';
}

function separatorsOf(language: string): Separators {
  let known = separators.get(language);
  if (!known) {
    let parts: Intl.NumberFormatPart[] = [];
    try {
      parts = new Intl.NumberFormat(language, { numberingSystem: 'latn' }).formatToParts(1234567.5);
    } catch {
      // No language: `lang="x"`. English is the web's.
    }
    const part = (type: string): string | undefined => parts.find((each) => each.type === type)?.value;
    known = { group: part('group') ?? ',', decimal: part('decimal') ?? '.' };
    separators.set(language, known);
  }
  return known;
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
