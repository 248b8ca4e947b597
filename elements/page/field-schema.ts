import * as LIMITS from '../../src/protocol/limits.js';
import { warnMarkup } from '../markup-warning.js';
import { kindInList, membersOf } from './form-controls.js';
import type { Control, Field } from './form-controls.js';
import { describeField, joined, labelOf } from './control-texts.js';
import type { TextSources } from './control-texts.js';
import { choicesOf } from './select-options.js';
import { collapse } from './read-text.js';

type Schema = Record<string, unknown>;

/** Labels of choices are told up to so many characters: a model reads them with every list of tools. */
const CHOICES_LENGTH = 2000;
/** Suggestions are examples, and a few are enough. */
const SUGGESTIONS = 20;

/**
 * Inputs that HTML gives texts of a form of their own: as a pattern, in words, and how long one can be. Years end with
 * 275760, as JavaScript's do.
 */
const FORMS: { readonly [type: string]: readonly [pattern: string, words: string, maxLength: number] } = {
  time: ['([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,3})?)?', 'Time of day, such as 14:30.', 12],
  month: ['\\d{4,}-(0[1-9]|1[0-2])', 'Month, such as 2026-03.', 9],
  week: ['\\d{4,}-W(0[1-9]|[1-4]\\d|5[0-3])', 'Week, such as 2026-W09.', 10],
  'datetime-local': [
    '\\d{4,}-\\d\\d-\\d\\d[T ]([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,3})?)?',
    'Local date and time, such as 2026-03-01T14:30.',
    25,
  ],
  color: ['#[0-9a-fA-F]{6}', 'Colour, such as #3366ff.', 7],
};

/** The schema of what a field takes: its type, its constraints, and its words as the description. */
export function fieldSchema(field: Field, form: Element, sources: TextSources): Schema {
  const { schema, note } = bare(field, sources);
  const title = collapse(field.controls[0].getAttribute('toolparamtitle') ?? '');
  const description = joined(describeField(field, form, sources), note);
  return { ...schema, ...(title && { title }), ...(description && { description }) };
}

/** Whether the agent must send it: the form requires it, and its markup gives it no value to keep. */
export function isRequired({ kind, controls }: Field): boolean {
  if (!controls.some((control) => (control as HTMLInputElement).required || control.hasAttribute('required'))) return false;
  switch (kind) {
    case 'radio':
    case 'checkbox': return !controls.some((control) => (control as HTMLInputElement).defaultChecked);
    case 'checkboxes': return false;
    case 'select': {
      const select = controls[0] as HTMLElement as HTMLSelectElement;
      const chosen = [...select.options].find((option) => option.defaultSelected);
      const first = select.multiple || select.size > 1 ? undefined : select.options[0];
      return ((chosen ?? first)?.value ?? '') === '';
    }
    case 'custom': return !controls[0].hasAttribute('value');
    default: return controls.every((control) => !(control as HTMLInputElement).defaultValue);
  }
}

interface Bare {
  readonly schema: Schema;
  /** What the schema cannot say. */
  readonly note: string;
}

function bare(field: Field, sources: TextSources): Bare {
  const { kind, controls } = field;
  const [control] = controls;
  switch (kind) {
    case 'checkbox':
      return { schema: { type: 'boolean', ...(isRequired(field) && { const: true }) }, note: '' };
    case 'checkboxes':
    case 'radio': {
      const choices = controls.map((each) => [(each as HTMLInputElement).value, labelOf(each, sources)] as const);
      const values = unique(choices);
      const one = { type: 'string', enum: values };
      return {
        schema: kind === 'radio' ? one : { type: 'array', items: one, maxItems: values.length },
        note: choiceNote(choices),
      };
    }
    case 'select': {
      const select = control as HTMLElement as HTMLSelectElement;
      const choices = choicesOf(select).map(({ value, meaning }) => [value, meaning] as const);
      const values = unique(choices);
      const one: Schema = { type: 'string', ...(values.length > 0 && { enum: values }) };
      return {
        schema: select.multiple
          ? { type: 'array', items: one, maxItems: values.length, ...(select.required && { minItems: 1 }) }
          : one,
        note: choiceNote(choices),
      };
    }
    case 'file': return fileSchema(control as HTMLInputElement);
    case 'custom': return customSchema(control);
    case 'list': {
      const { schema, note } = bare({ ...field, kind: kindInList(control), controls: [control] }, sources);
      return { schema: { type: 'array', items: schema, maxItems: controls.length }, note };
    }
    default: return textSchema(control as HTMLInputElement, sources);
  }
}

function textSchema(input: HTMLInputElement, sources: TextSources): Bare {
  const { type, list } = input;
  if (list) sources.outside.add(list);
  if (type === 'number' || type === 'range') {
    const schema = numberSchema(input);
    return { schema, note: 'multipleOf' in schema ? '' : stepNote(input, schema['type'] === 'integer' ? 1 : 0) };
  }
  if (type === 'date') return { schema: { type: 'string', format: 'date' }, note: boundsNote(input) };
  const form = FORMS[type];
  if (form) {
    const [pattern, words, maxLength] = form;
    return {
      schema: { type: 'string', maxLength, pattern: emptiable(input, pattern) },
      note: joined(words, boundsNote(input)),
    };
  }
  const suggestions = [...list?.options ?? []].map(({ value }) => value).filter(Boolean).slice(0, SUGGESTIONS);
  const schema: Schema = {
    type: 'string',
    ...(type === 'email' && { format: 'email' }),
    ...(type === 'url' && { format: 'uri' }),
    ...(input.minLength > 0 && { minLength: input.minLength }),
    ...(input.maxLength >= 0 && { maxLength: input.maxLength }),
    ...patternOf(input),
    ...(suggestions.length > 0 && { examples: suggestions }),
  };
  return type === 'email' && input.multiple
    ? { schema: { type: 'array', items: schema, ...mostAddresses(input) }, note: '' }
    : { schema, note: '' };
}

/** The shortest are `a@b`, with a comma between them. */
function mostAddresses({ maxLength }: HTMLInputElement): { readonly maxItems?: number } {
  return maxLength < 0 ? {} : { maxItems: Math.max(1, Math.floor((maxLength + 1) / 4)) };
}

function numberSchema(input: HTMLInputElement): Schema {
  const attribute = (name: string): number | undefined => {
    const text = input.getAttribute(name)?.trim();
    return text && Number.isFinite(Number(text)) ? Number(text) : undefined;
  };
  const isRange = input.type === 'range';
  const minimum = attribute('min') ?? (isRange ? 0 : undefined);
  const maximum = attribute('max') ?? (isRange ? Math.max(100, minimum ?? 0) : undefined);
  const any = input.getAttribute('step')?.trim().toLowerCase() === 'any';
  const given = attribute('step') ?? 1;
  const step = given > 0 ? given : 1;
  // What counts are steps from here.
  const base = attribute('min') ?? attribute('value') ?? 0;
  const whole = !any && Number.isInteger(step) && Number.isInteger(base);
  return {
    type: whole ? 'integer' : 'number',
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(whole && step > 1 && base % step === 0 && { multipleOf: step }),
  };
}

function fileSchema(input: HTMLInputElement): Bare {
  const tokens = input.accept.split(',').map((token) => token.trim().toLowerCase()).filter(Boolean);
  // Endings are no media types; with one of them any type may be right.
  const types = tokens.every((token) => token.includes('/')) ? tokens.filter((token) => token !== '*/*') : [];
  const one = {
    type: 'string',
    format: 'oui-attachment',
    'x-oui-attachment': { as: 'file', ...(types.length > 0 && { mediaTypes: types }) },
  };
  return {
    schema: input.multiple ? { type: 'array', items: one, maxItems: LIMITS.attachmentsInList } : one,
    note: tokens.length > types.length ? `Files of these kinds: ${tokens.join(', ')}.` : '',
  };
}

/** Of a custom element only what its public members show. */
function customSchema(control: Control): Bare {
  const { value, checked } = membersOf(control);
  if (typeof checked === 'boolean') return { schema: { type: 'boolean' }, note: '' };
  if (typeof value === 'number') return { schema: { type: 'number' }, note: '' };
  if (typeof value === 'boolean') return { schema: { type: 'boolean' }, note: '' };
  if (Array.isArray(value)) return { schema: { type: 'array' }, note: '' };
  return { schema: typeof value === 'object' && value !== null ? {} : { type: 'string' }, note: '' };
}

/** HTML's pattern matches the whole value, with the `v` flag; JSON Schema's any part, with the `u` flag. */
function patternOf(input: HTMLInputElement): { readonly pattern?: string } {
  const { pattern } = input;
  if (!pattern || input.localName === 'textarea') return {};
  try {
    // oxlint-disable-next-line no-new
    new RegExp(pattern, 'v');
  } catch (error) {
    if (/flag/i.test(String(error))) return {};
    warnMarkup(input, `has a pattern that browsers ignore: ${(error as Error).message}. HTML patterns are regular `
      + 'expressions with the v flag: escape ( ) [ ] { } / - | \\ within a class.');
    return {};
  }
  // Where the two flags read it differently, the browser alone decides.
  if (/--|&&|\[[^\]]*\[/.test(pattern)) return {};
  try {
    // oxlint-disable-next-line no-new
    new RegExp(pattern, 'u');
  } catch {
    return {};
  }
  return { pattern: emptiable(input, pattern) };
}

/** An empty value passes where one is not required, as in HTML. */
function emptiable({ required }: HTMLInputElement, pattern: string): string {
  return required ? `^(?:${pattern})$` : `^(?:(?:${pattern}))?$`;
}

function boundsNote(input: HTMLInputElement): string {
  const { min, max } = input;
  const bounds = min && max ? `From ${min} to ${max}.` : min ? `Not before ${min}.` : max && `Not after ${max}.`;
  return joined(bounds, stepNote(input, UNITS[input.type] === 'seconds' ? 60 : 1));
}

/** What `step` is counted in, where it is not a number's own unit. */
const UNITS: { readonly [type: string]: string } = {
  date: 'days', month: 'months', week: 'weeks', time: 'seconds', 'datetime-local': 'seconds',
};

/** Which values count, where the schema cannot say it. `said`: the step that goes without saying. */
function stepNote(input: HTMLInputElement, said: number): string {
  const step = Number(input.step);
  if (!(step > 0) || step === said) return '';
  const unit = UNITS[input.type];
  const base = input.min || input.getAttribute('value');
  return `In steps of ${step}${unit ? ` ${unit}` : ''}${base ? ` from ${base}` : ''}.`;
}

/** What the choices mean, where their values do not say it. */
function choiceNote(choices: readonly (readonly [value: string, label: string])[]): string {
  const telling = choices.filter(([value, label]) => label && label.toLowerCase() !== value.toLowerCase());
  if (telling.length === 0) return '';
  let text = '';
  for (const [value, label] of telling) {
    const next = `${text && `${text}, `}${value} = ${label}`;
    if (next.length > CHOICES_LENGTH) return `${text}, …`;
    text = next;
  }
  return `${text}.`;
}

function unique(choices: readonly (readonly [value: string, label: string])[]): string[] {
  return [...new Set(choices.map(([value]) => value))];
}

