import type { OUIValidationIssue } from '../../src/protocol/events.js';
import { isFile } from '../node-kind.js';
import { kindInList, membersOf } from './form-controls.js';
import type { Control, Field } from './form-controls.js';
import { choicesOf } from './select-options.js';

type Text = HTMLInputElement | HTMLTextAreaElement;

/** The types to which lengths apply. */
const TYPED = /^(text|search|url|tel|email|textarea)$/;

/** What kept a value from being filled in: the keyword and the words of an issue, its path is the field's. */
type Problem = Pick<OUIValidationIssue, 'keyword' | 'message'> | undefined;

/**
 * Gives a field its value as a person would: by the events that typing and choosing fire, in their order, so that
 * whatever framework renders the form hears of it. Only what differs is touched.
 */
export function fillField(field: Field, value: unknown): OUIValidationIssue | undefined {
  const problem = fill(field, value);
  return problem && { path: `/${field.key}`, ...problem };
}

function fill({ kind, controls }: Field, value: unknown): Problem {
  const [control] = controls;
  const input = control as HTMLElement as HTMLInputElement;
  switch (kind) {
    case 'checkbox': return check(input, value === true);
    case 'checkboxes': return first(controls, (each) => check(each as HTMLInputElement, texts(value).includes(valueOf(each))));
    case 'radio': {
      const wanted = controls.find((each) => valueOf(each) === String(value));
      return wanted ? check(wanted as HTMLInputElement, true) : notOffered(value, controls.map(valueOf));
    }
    case 'select': return choose(control as HTMLElement as HTMLSelectElement, value);
    case 'file': return attach(input, value);
    case 'list': {
      const list: readonly unknown[] = Array.isArray(value) ? value : [value];
      if (list.length > controls.length) {
        return { keyword: 'maxItems', message: `takes at most ${controls.length} values` };
      }
      return first(controls, (each, index) => {
        const kind = kindInList(each);
        // Texts that are not named are emptied; nothing else can be.
        if (index >= list.length && kind !== 'text') return undefined;
        return fill({ key: '', kind, controls: [each] }, list[index] ?? '');
      });
    }
    case 'custom': return setCustom(control, value);
    default: return type(control as HTMLElement as Text, value === null ? '' : texts(value).join(','));
  }
}

function type(control: Text, text: string): Problem {
  const { required } = control;
  // The browser checks these only when a person types, and counts UTF-16 units, as this does.
  const { minLength, maxLength } = TYPED.test(control.type) ? control : { minLength: -1, maxLength: -1 };
  if (maxLength >= 0 && text.length > maxLength) {
    return { keyword: 'maxLength', message: `has ${text.length} characters; at most ${maxLength} are allowed` };
  }
  if (minLength > 0 && text.length < minLength && (text || required)) {
    return { keyword: 'minLength', message: `has ${text.length} characters; at least ${minLength} are needed` };
  }
  if (control.value === text) return undefined;
  const write = (): void => {
    set(control, 'value', text);
    // WebKit takes a date that was emptied once for half a date, and submits no form with it.
    if (!text) set(control, 'value', text);
  };
  edit(control, write, new InputEvent('input', {
    bubbles: true, composed: true, inputType: 'insertReplacementText', data: text,
  }));
  if (text && !control.value) {
    return { keyword: 'format', message: `takes no such value as ${JSON.stringify(text)} (its type is ${control.type})` };
  }
  // A slider takes the nearest of its steps, and says nothing.
  return control.type === 'range' && Math.abs(Number(control.value) - Number(text)) > 1e-9
    ? { keyword: 'multipleOf', message: `takes no ${text}; the nearest that it takes is ${control.value}` }
    : undefined;
}

function check(input: HTMLInputElement, wanted: boolean): Problem {
  if (input.checked === wanted) return undefined;
  focusAround(input, () => input.click());
  return undefined;
}

function choose(select: HTMLSelectElement, value: unknown): Problem {
  const choices = choicesOf(select);
  const wanted = select.multiple ? texts(value) : [String(value)];
  const chosen = wanted.map((each) => choices.find((choice) => choice.value === each));
  const missing = chosen.indexOf(undefined);
  if (missing >= 0) return notOffered(wanted[missing], choices.map((choice) => choice.value));
  const options = new Set(chosen.map((choice) => choice!.option));
  if ([...select.options].every((option) => option.selected === options.has(option))) return undefined;
  edit(select, () => {
    for (const option of select.options) {
      if (select.multiple || options.has(option)) option.selected = options.has(option);
    }
  });
  return undefined;
}

function attach(input: HTMLInputElement, value: unknown): Problem {
  const files = value === null ? [] : Array.isArray(value) ? value : [value];
  const stranger = files.find((file) => !isFile(file));
  if (stranger !== undefined) return { keyword: 'format', message: 'takes a file; no file came for it' };
  const refused = (files as File[]).find((file) => !accepts(input.accept, file));
  if (refused) return { keyword: 'accept', message: `takes ${input.accept}; "${refused.name}" is none of these` };
  const transfer = new DataTransfer();
  for (const file of files as File[]) transfer.items.add(file);
  edit(input, () => {
    input.files = transfer.files;
  });
  return undefined;
}

function accepts(accept: string, { name, type: mediaType }: File): boolean {
  const tokens = accept.split(',').map((token) => token.trim().toLowerCase()).filter(Boolean);
  const family = `${mediaType.split('/')[0]}/*`;
  return tokens.length === 0 || tokens.some((token) => (
    token.startsWith('.') ? name.toLowerCase().endsWith(token) : ['*/*', family, mediaType].includes(token)));
}

function setCustom(control: Control, value: unknown): Problem {
  const now = membersOf(control);
  const member = typeof now.checked === 'boolean' ? 'checked' : 'value';
  if (Object.is(now[member], value)) return undefined;
  edit(control, () => Reflect.set(control, member, value));
  return undefined;
}

/** By the prototype's own setter: React puts one of its own on the element, to know what it has rendered itself. */
function set(control: Text, member: 'value', value: string): void {
  const { set: setter } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), member) ?? {};
  if (setter) setter.call(control, value);
  else control[member] = value;
}

/** `input`, then `change`, between coming and going. */
function edit(control: HTMLElement, change: () => void, input = new Event('input', { bubbles: true, composed: true })): void {
  focusAround(control, () => {
    change();
    control.dispatchEvent(input);
    control.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

/** The events of coming to a control and of leaving it. The person's own focus stays where it is. */
function focusAround(control: HTMLElement, act: () => void): void {
  const fire = (name: string, bubbles: boolean): void => {
    control.dispatchEvent(new FocusEvent(name, { bubbles, composed: true }));
  };
  fire('focus', false);
  fire('focusin', true);
  act();
  fire('blur', false);
  fire('focusout', true);
}

function first<T>(items: readonly T[], each: (item: T, index: number) => Problem): Problem {
  let found: Problem;
  items.forEach((item, index) => {
    const problem = each(item, index);
    found ??= problem;
  });
  return found;
}

function notOffered(value: unknown, offered: readonly string[]): Problem {
  const message = `has no choice ${JSON.stringify(value)} now; it offers ${offered.join(', ') || 'none'}`;
  return { keyword: 'enum', message };
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [String(value)]);
const valueOf = (control: Control): string => (control as HTMLElement as HTMLInputElement).value;
