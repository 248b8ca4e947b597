import { describeElement, warnMarkup } from '../markup-warning.js';
import { isSecret } from './read-text.js';

/** An element of a form that a person gives a value to. Form-associated custom elements are such too. */
export type Control = HTMLElement & {
  readonly name?: string;
  readonly type?: string;
  readonly validity?: ValidityState;
  readonly validationMessage?: string;
};

/**
 * How a field is filled. `list`: several controls of one name that take a value each. `custom`: a form-associated
 * custom element.
 */
export type FieldKind = 'text' | 'checkbox' | 'checkboxes' | 'radio' | 'select' | 'file' | 'list' | 'custom';

/** What one name of a form stands for: a property of the action's input. */
export interface Field {
  /** The property. Made of the name, or else the id, of letters that every model provider accepts. */
  readonly key: string;
  readonly kind: FieldKind;
  readonly controls: readonly [Control, ...Control[]];
}

const NO_CONTROLS = new Set(['submit', 'button', 'reset', 'image']);
/** Controls that the attribute `readonly` means nothing to. */
const NEVER_READONLY = new Set(['checkbox', 'radio', 'range', 'color', 'file', 'select-one', 'select-multiple']);
/** `__proto__` is a property of all objects, which many a program takes for an object's own: it goes by `proto`. */
const KEY = /^(?!__proto__$)[A-Za-z0-9_.-]{1,64}$/;

/** Members of a form by the prototype's own: a control named `elements` or `submit` stands before the form's. */
export function elementsOf(form: HTMLFormElement): Control[] {
  return [...Reflect.get(HTMLFormElement.prototype, 'elements', form) as HTMLFormControlsCollection] as Control[];
}

/** Whether an element is a form-associated custom element, as far as can be told from outside. */
export function isCustom(element: Element): boolean {
  return element.localName.includes('-');
}

/** What a custom element shows of itself. One whose getters throw has no value. */
export function membersOf(control: Control): { readonly value?: unknown; readonly checked?: unknown } {
  try {
    const { value, checked } = control as { value?: unknown; checked?: unknown };
    return { value, checked };
  } catch {
    return {};
  }
}

/** The fields that a person could fill in now, in document order. */
export function fieldsOf(form: HTMLFormElement): Field[] {
  return fieldsAmong(elementsOf(form).filter((control) => isFillable(form, control)), form);
}

/** Controls that belong together, by name. Without a name they are known by their id. */
export function fieldsAmong(controls: readonly Control[], form?: Element): Field[] {
  const named = new Map<string, Control[]>();
  for (const control of controls) {
    const name = control.getAttribute('name') || control.id;
    if (!name) {
      if (form) warnMarkup(control, `of ${describeElement(form)} has no name and no id: agents cannot fill it in. Give `
        + 'it a name="…".');
    } else {
      named.set(name, [...named.get(name) ?? [], control]);
    }
  }
  const taken = new Set<string>();
  return [...named].map(([name, [first, ...others]]) => {
    const key = keyFor(name, taken);
    const all = [first!, ...others] as const;
    const kind = kindOf(all, name);
    if (form) checkField(form, name, key, all, kind);
    return { key, kind, controls: all };
  });
}

function checkField(form: Element, name: string, key: string, controls: readonly Control[], kind: FieldKind): void {
  const element = controls[0]!;
  if (!/[A-Za-z0-9]/.test(name)) {
    warnMarkup(element, `of ${describeElement(form)} is called "${key}" by agents, since model providers take no letters but `
      + 'A to Z in names. Give it a name of these.');
  }
  if (kind === 'list' && controls.some(({ type }) => type === 'radio')) {
    warnMarkup(element, `of ${describeElement(form)} shares its name with radio buttons and other controls, which agents must `
      + 'fill in as one list. Give those that belong together a name of their own.');
  }
}

/** Whether this is a control at all, and not one whose value is nobody's business. */
export function isReadable(control: Control): boolean {
  if (isSecret(control)) return false;
  if (control.localName === 'input') return !NO_CONTROLS.has(control.type ?? '');
  return /^(select|textarea|output)$/.test(control.localName) || isCustom(control);
}

function isFillable(form: HTMLFormElement, control: Control): boolean {
  if (!isReadable(control) || control.localName === 'output' || control.matches(':disabled')) return false;
  if (control.hasAttribute('readonly') && !NEVER_READONLY.has(control.type ?? '')) return false;
  return !isHiddenIn(form, control);
}

/** Hidden by an attribute between the form and the control: from the eyes, or from assistive technology. */
function isHiddenIn(form: Element, control: Element): boolean {
  let at: Element | null = control;
  while (at && !at.contains(form)) {
    if (at.matches('[hidden],[inert],[aria-hidden="true"]')) return true;
    at = at.parentElement;
  }
  return false;
}

function keyFor(name: string, taken: Set<string>): string {
  const bare = name.replace(/\[\]$/, '');
  const plain = KEY.test(bare) ? bare : bare.replace(/[^A-Za-z0-9_.-]+/g, '_').replace(/^_+|_+$/g, '').slice(0, 60);
  const stem = plain || 'field';
  let key = stem;
  for (let count = 2; taken.has(key); count += 1) key = `${stem}_${count}`;
  taken.add(key);
  return key;
}

/** The kind of one control among several of a name. */
export function kindInList(control: Control): FieldKind {
  const kind = kindOf([control], '');
  return kind === 'radio' ? 'checkbox' : kind;
}

function kindOf(controls: readonly [Control, ...Control[]], name: string): FieldKind {
  const [{ localName, type }] = controls;
  const every = (wanted: string): boolean => controls.every((control) => control.type === wanted);
  if (localName === 'input' && every('radio')) return 'radio';
  if (localName === 'input' && every('checkbox')) {
    return controls.length > 1 || name.endsWith('[]') ? 'checkboxes' : 'checkbox';
  }
  if (controls.length > 1) return 'list';
  if (localName === 'select') return 'select';
  if (localName === 'input' && type === 'file') return 'file';
  return isCustom(controls[0]) ? 'custom' : 'text';
}
