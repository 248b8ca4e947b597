import type { Control, Field } from './form-controls.js';
import { fieldsAmong, isCustom, isReadable, kindInList, membersOf } from './form-controls.js';
import { choiceValue } from './select-options.js';
import { collapse } from './read-text.js';

/**
 * The values of a form, or of any part of the page, by the same names as an action on it takes. Also of what cannot be
 * changed; never of password fields, hidden ones and what is private. Files by their names.
 */
export function valuesOf(container: Element): { readonly [key: string]: unknown } {
  const form = container.localName === 'form' ? container as HTMLFormElement : null;
  const all = form
    ? [...Reflect.get(HTMLFormElement.prototype, 'elements', form) as HTMLFormControlsCollection]
    : [...container.querySelectorAll('*')].filter(isControlOutside);
  const controls = (all as Control[]).filter((each) => isReadable(each));
  return Object.fromEntries(fieldsAmong(controls).map((field) => [field.key, valueOfField(field)]));
}

/** Where no form lists its controls. Of custom elements only those that a form would list. */
function isControlOutside(element: Element): boolean {
  return isCustom(element)
    ? (element.constructor as { readonly formAssociated?: unknown }).formAssociated === true
    : /^(input|select|textarea|output)$/.test(element.localName);
}

/** The value of one control, as JSON has it. */
export function valueOfControl(control: Control): unknown {
  return valueOfField(fieldsAmong([control])[0] ?? { key: '', kind: kindAlone(control), controls: [control] });
}

/** A control's value as text; `null` when it has none. */
export function asText(value: unknown): string | null {
  if (value === null || typeof value === 'string') return value;
  return Array.isArray(value) ? value.join(', ') : JSON.stringify(value);
}

function kindAlone({ localName, type }: Control): Field['kind'] {
  if (localName === 'select') return 'select';
  return type === 'checkbox' || type === 'radio' ? 'checkbox' : type === 'file' ? 'file' : 'text';
}

function valueOfField({ kind, controls }: Field): unknown {
  const inputs = controls as readonly HTMLElement[] as readonly HTMLInputElement[];
  const [input] = inputs as readonly [HTMLInputElement];
  switch (kind) {
    case 'checkbox': return input.checked;
    case 'radio': return inputs.find(({ checked }) => checked)?.value ?? null;
    case 'checkboxes': return inputs.filter(({ checked }) => checked).map(({ value }) => value);
    case 'select': {
      const select = input as HTMLElement as HTMLSelectElement;
      const chosen = [...select.selectedOptions].map(choiceValue);
      return select.multiple ? chosen : chosen[0] ?? null;
    }
    case 'file': {
      const names = [...input.files ?? []].map(({ name }) => name);
      return input.multiple ? names : names[0] ?? null;
    }
    case 'list': return controls.map((each) => valueOfField({ key: '', kind: kindInList(each), controls: [each] }));
    case 'custom': {
      const { value, checked } = membersOf(controls[0]);
      return typeof checked === 'boolean' ? checked : value ?? null;
    }
    default: return single(input);
  }
}

function single(input: HTMLInputElement): unknown {
  if (input.localName === 'output') return collapse(input.value);
  if (input.type === 'number' || input.type === 'range') return input.value === '' ? null : input.valueAsNumber;
  // As an action on it takes them.
  if (input.type === 'email' && input.multiple) return input.value === '' ? [] : input.value.split(',');
  return input.value;
}
