import type { Control, Field } from './form-controls.js';
import { isCustom } from './form-controls.js';
import { collapse, isPrivate, textOf } from './read-text.js';

/** Elements that hold texts of a form without being in it, and ids of those that are not there yet. */
export interface TextSources {
  readonly outside: Set<Element>;
  readonly missing: Set<string>;
}

const CONTROLS = 'input,select,textarea,button,output,meter,progress';

/**
 * What a field means, in words: the headings of the fieldsets around it, its label, and its description.
 * `toolparamdescription` says all of it.
 */
export function describeField(field: Field, form: Element, sources: TextSources): string {
  const [control] = field.controls;
  const isGroup = field.kind === 'radio' || field.kind === 'checkboxes';
  const group = isGroup ? groupOf(field.controls, form) : null;
  const given = (group ?? control).getAttribute('toolparamdescription') ?? control.getAttribute('toolparamdescription');
  if (given) return collapse(given);
  const around = group ? headings(group, form, sources) : headings(control, form, sources);
  const own = group ? nameOfGroup(group, sources) : isGroup ? '' : labelOf(control, sources);
  const name = [...around, own].filter(Boolean).join(': ');
  const more = descriptionOf(group ?? control, own, sources);
  return joined(name, more);
}

/** The label of one control: of a radio button or checkbox, what choosing it means. */
export function labelOf(control: Control, sources: TextSources): string {
  return namedBy(control, sources)
    || labels(control).map((label) => noted(label, control, sources, CONTROLS)).filter(Boolean).join(' ')
    || collapse(control.getAttribute('title') ?? '')
    || collapse(control.getAttribute('placeholder') ?? '');
}

/** Two texts as one: the second as a sentence of its own. */
export function joined(first: string, second: string): string {
  if (!first || !second) return first || second;
  return /[.!?:…]$/.test(first) ? `${first} ${second}` : `${first}. ${second}`;
}

/** Why an element is as it is, in its author's words; `''` when they say nothing. */
export function reasonOf(element: Element): string {
  return descriptionOf(element, '', { outside: new Set(), missing: new Set() });
}

/** What else is said of it. */
function descriptionOf(element: Element, name: string, sources: TextSources): string {
  const described = collapse(element.getAttribute('aria-description') ?? '')
    || referenced(element, 'aria-describedby', sources);
  const title = collapse(element.getAttribute('title') ?? '');
  return [described, title === name ? '' : title].filter(Boolean).join(' ');
}

function namedBy(element: Element, sources: TextSources): string {
  return referenced(element, 'aria-labelledby', sources) || collapse(element.getAttribute('aria-label') ?? '');
}

/** The element that stands around all controls of a group. */
function groupOf(controls: readonly Element[], form: Element): Element | null {
  const group = controls[0]?.closest('fieldset,[role="radiogroup"],[role="group"]') ?? null;
  return group && group !== form && controls.every((control) => group.contains(control)) ? group : null;
}

function nameOfGroup(group: Element, sources: TextSources): string {
  const legend = group.querySelector(':scope > legend');
  return namedBy(group, sources) || (legend ? textOf(legend, CONTROLS) : '');
}

/** Of the fieldsets around it, outermost first. */
function headings(element: Element, form: Element, sources: TextSources): string[] {
  const found: string[] = [];
  let group = element.parentElement?.closest('fieldset') ?? null;
  while (group && form.contains(group)) {
    const name = nameOfGroup(group, sources);
    if (name) found.unshift(name);
    group = group.parentElement?.closest('fieldset') ?? null;
  }
  return found;
}

function labels(control: Control): Element[] {
  if (!isCustom(control)) return [...(control as unknown as HTMLInputElement).labels ?? []];
  const root = control.getRootNode() as ParentNode;
  const pointing = control.id ? [...root.querySelectorAll(`label[for="${CSS.escape(control.id)}"]`)] : [];
  const around = control.closest('label:not([for])');
  return around ? [...pointing, around] : pointing;
}

function referenced(element: Element, attribute: string, sources: TextSources): string {
  const ids = element.getAttribute(attribute)?.split(/\s+/).filter(Boolean) ?? [];
  const root = element.getRootNode() as Document | ShadowRoot;
  return ids.map((id) => {
    const target = root.getElementById?.(id);
    if (!target) sources.missing.add(id);
    return target ? noted(target, element, sources) : '';
  }).filter(Boolean).join(' ');
}

function noted(target: Element, of: Element, { outside }: TextSources, without?: string): string {
  if (isPrivate(target)) return '';
  if (!target.contains(of)) outside.add(target);
  return textOf(target, without);
}
