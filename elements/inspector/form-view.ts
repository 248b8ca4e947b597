import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { JSONSchema } from '../../src/protocol/json.js';
import { buildPointer } from '../../src/protocol/json-pointer.js';
import type { Steps } from './draft-value.js';
import type { Drawing } from './drawing.js';
import { formField, optionOf } from './form-field.js';
import type { FormField } from './form-field.js';
import { initialValue } from './initial-value.js';
import { inOneLine } from './shown-value.js';
import type { TriedAction } from './tried-action.js';

type FieldOf<Kind extends FormField['kind']> = Extract<FormField, { kind: Kind }>;

/** One place of the form. */
interface Place {
  readonly steps: Steps;
  readonly name: string;
  readonly required: boolean;
}

/** Draws the form of one action, from its schema and what has been filled in. */
export class FormView {
  readonly #drawing: Drawing;
  readonly #tried: TriedAction;
  readonly #root: JSONSchema;

  constructor(drawing: Drawing, tried: TriedAction, root: JSONSchema) {
    this.#drawing = drawing;
    this.#tried = tried;
    this.#root = root;
  }

  /** The whole of it: the properties of the input, without a frame of their own. */
  draw(): TemplateResult {
    const field = formField(this.#root, this.#root);
    if (field.kind !== 'object') return this.#place(this.#root, { steps: [], name: this.#drawing.texts.params, required: true });
    if (field.properties.length === 0) return html`<p class="muted">${this.#drawing.texts.noParams}</p>`;
    return html`${this.#properties(field, [])}`;
  }

  #properties({ properties }: FieldOf<'object'>, steps: Steps): TemplateResult[] {
    return properties.map(({ name, required, schema }) => this.#place(schema, { steps: [...steps, name], name, required }));
  }

  #place(schema: JSONSchema, place: Place): TemplateResult {
    const field = formField(schema, this.#root);
    switch (field.kind) {
      case 'object':
      case 'list':
      case 'choice':
        return this.#group(field, place);
      default:
        return this.#single(field, place);
    }
  }

  /** A label, a control, what it is for, and what is wrong with it. */
  #single(field: FormField, place: Place): TemplateResult {
    const id = idOf(place.steps);
    const wrong = this.#wrong(place.steps);
    return html`<div class="field">
      <label for=${id}>${this.#name(field, place)}</label>
      ${this.#control(field, place, {
        id,
        invalid: wrong.length > 0 ? 'true' : nothing,
        describedBy: describedBy(id, field.description !== undefined, wrong.length > 0) ?? nothing,
      })}
      ${this.#words(id, field, wrong)}
    </div>`;
  }

  #control(field: FormField, { steps, required }: Place, { id, invalid, describedBy }: ControlAttributes): TemplateResult {
    const tried = this.#tried;
    const { texts } = this.#drawing;
    const value = tried.part(steps);
    switch (field.kind) {
      case 'text': {
        const onInput = (event: Event): void => {
          const { value: text } = event.target as HTMLInputElement;
          tried.set(steps, text === '' && !required ? undefined : text);
        };
        const text = live(typeof value === 'string' ? value : '');
        if (field.input === 'area') {
          return html`<textarea id=${id} rows="3" .value=${text} aria-invalid=${invalid} aria-describedby=${describedBy}
            aria-required=${required ? 'true' : nothing} @input=${onInput}></textarea>`;
        }
        return html`<input id=${id} type=${field.input} autocomplete=${field.secret ? 'new-password' : 'off'}
          .value=${text} aria-invalid=${invalid} aria-describedby=${describedBy}
          aria-required=${required ? 'true' : nothing} @input=${onInput}>`;
      }
      case 'number':
        return html`<input id=${id} type="text" inputmode=${field.integer ? 'numeric' : 'decimal'} autocomplete="off"
          .value=${live(tried.typed(steps))} aria-invalid=${invalid} aria-describedby=${describedBy}
          aria-required=${required ? 'true' : nothing} placeholder=${rangeOf(field)}
          @input=${(event: Event) => tried.type(steps, (event.target as HTMLInputElement).value, 'number')}>`;
      case 'boolean':
        if (required) {
          return html`<input id=${id} type="checkbox" .checked=${live(value === true)} aria-invalid=${invalid}
            aria-describedby=${describedBy}
            @change=${(event: Event) => tried.set(steps, (event.target as HTMLInputElement).checked)}>`;
        }
        return this.#select(id, [true, false], steps, { invalid, describedBy }, [texts.yes, texts.no]);
      case 'enum':
        return this.#select(id, field.values, steps, { invalid, describedBy });
      case 'const': {
        const fixed = html`<output id=${id} class="fixed">${inOneLine(field.value)}</output>`;
        if (required) return fixed;
        return this.#select(id, [field.value], steps, { invalid, describedBy });
      }
      default:
        return html`<textarea id=${id} rows="3" class="code" spellcheck="false" .value=${live(tried.typed(steps))}
          aria-invalid=${invalid} aria-describedby=${describedBy} placeholder="JSON"
          @input=${(event: Event) => tried.type(steps, (event.target as HTMLTextAreaElement).value, 'json')}></textarea>`;
    }
  }

  /** One of some values, or none. */
  #select(
    id: string,
    values: readonly unknown[],
    steps: Steps,
    { invalid, describedBy }: Omit<ControlAttributes, 'id'>,
    names: readonly string[] = values.map((value) => (typeof value === 'string' ? value : inOneLine(value))),
  ): TemplateResult {
    const now = JSON.stringify(this.#tried.part(steps));
    const chosen = values.findIndex((value) => JSON.stringify(value) === now);
    return html`<select id=${id} aria-invalid=${invalid} aria-describedby=${describedBy} .value=${live(String(chosen))}
      @change=${(event: Event) => this.#tried.set(steps, values[Number((event.target as HTMLSelectElement).value)])}>
      <option value="-1" ?selected=${chosen === -1}>${this.#drawing.texts.absent}</option>
      ${names.map((name, index) => html`<option value=${index} ?selected=${chosen === index}>${name}</option>`)}
    </select>`;
  }

  /** Something that has parts of its own. */
  #group(field: FieldOf<'object'> | FieldOf<'list'> | FieldOf<'choice'>, place: Place): TemplateResult {
    const { steps, required } = place;
    const id = idOf(steps);
    const tried = this.#tried;
    const { texts, focus } = this.#drawing;
    const wrong = this.#wrong(steps);
    const isThere = tried.part(steps) !== undefined || field.kind === 'choice';
    const add = (): void => {
      tried.set(steps, initialValue(field.schema, this.#root) ?? (field.kind === 'list' ? [] : {}));
      focus(`[id='${id}']`);
    };
    return html`<fieldset id=${id} tabindex="-1" aria-describedby=${describedBy(id, field.description !== undefined, wrong.length > 0) ?? nothing}>
      <legend>${this.#name(field, place)}</legend>
      ${this.#words(id, field, wrong)}
      ${isThere ? this.#parts(field, steps) : nothing}
      ${!isThere ? html`<button type="button" class="small" @click=${add}>${texts.add(place.name)}</button>` : nothing}
      ${isThere && !required && field.kind !== 'choice' ? html`<button type="button" class="small quiet"
        @click=${() => {
          tried.replace(steps, undefined);
          focus(`[id='${id}']`);
        }}>${texts.remove(place.name)}</button>` : nothing}
    </fieldset>`;
  }

  #parts(field: FieldOf<'object'> | FieldOf<'list'> | FieldOf<'choice'>, steps: Steps): TemplateResult | TemplateResult[] {
    switch (field.kind) {
      case 'object':
        return this.#properties(field, steps);
      case 'list':
        return this.#items(field, steps);
      case 'choice':
        return this.#choice(field, steps);
    }
  }

  #items(field: FieldOf<'list'>, steps: Steps): TemplateResult {
    const tried = this.#tried;
    const { texts, focus } = this.#drawing;
    const value = tried.part(steps);
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    const next = field.item(items.length);
    const add = (): void => {
      const first = initialValue(next ?? true, this.#root) ?? emptyItem(formField(next ?? true, this.#root));
      tried.set(steps, [...items, first]);
      focus(`[id='${idOf([...steps, items.length])}']`);
    };
    return html`${items.map((_, index) => {
      const name = texts.item(index + 1);
      return html`<div class="item">
        ${this.#place(field.item(index) ?? true, { steps: [...steps, index], name, required: true })}
        <button type="button" class="small quiet" @click=${() => {
          tried.removeItem(steps, index);
          focus(`[id='${idOf(steps)}']`);
        }}>${texts.remove(name)}</button>
      </div>`;
    })}
    ${next !== undefined && items.length < field.most
      ? html`<button type="button" class="small" @click=${add}>${texts.add(texts.item(items.length + 1))}</button>`
      : nothing}`;
  }

  #choice(field: FieldOf<'choice'>, steps: Steps): TemplateResult {
    const tried = this.#tried;
    const value = tried.part(steps);
    const chosen = tried.chosen(steps) ?? (value === undefined ? -1 : optionOf(value, field.options, this.#root));
    const option = field.options[chosen];
    const id = `${idOf(steps)}-shape`;
    const choose = (event: Event): void => {
      const index = Number((event.target as HTMLSelectElement).value);
      const schema = field.options[index]?.schema;
      tried.choose(steps, index, schema === undefined ? undefined : initialValue(schema, this.#root));
    };
    const inner = option && formField(option.schema, this.#root);
    return html`<div class="field">
      <label for=${id}>${this.#drawing.texts.shape}</label>
      <select id=${id} .value=${live(String(chosen))} @change=${choose}>
        <option value="-1" ?selected=${chosen === -1}>${this.#drawing.texts.absent}</option>
        ${field.options.map(({ label }, index) => html`<option value=${index} ?selected=${chosen === index}>${label}</option>`)}
      </select>
    </div>
    ${!inner || !option ? nothing
      : inner.kind === 'object' ? this.#properties(inner, steps)
      : this.#place(option.schema, { steps, name: option.label, required: true })}`;
  }

  #name({ title }: FormField, { name, required }: Place): TemplateResult {
    const { texts } = this.#drawing;
    return html`<span class="name">${name}</span>${title !== undefined && title !== name
      ? html` <span class="title">${title}</span>` : nothing} <span class="muted">${required ? texts.required : texts.optional}</span>`;
  }

  #words(id: string, { description }: FormField, wrong: readonly string[]): TemplateResult {
    return html`${description === undefined ? nothing : html`<p class="hint" id=${`${id}-hint`}>${description}</p>`}
    ${wrong.length === 0 ? nothing
      : html`<p class="wrong" id=${`${id}-wrong`} part="error">${wrong.map((text) => html`<span>${text}</span> `)}</p>`}`;
  }

  #wrong(steps: Steps): readonly string[] {
    const { texts } = this.#drawing;
    const problem = this.#tried.problem(steps);
    if (problem !== undefined) return [problem === 'number' ? texts.notNumber : texts.notJson(this.#tried.typed(steps))];
    return this.#tried.issuesAt(steps);
  }
}

interface ControlAttributes {
  readonly id: string;
  readonly invalid: 'true' | typeof nothing;
  readonly describedBy: string | typeof nothing;
}

/** Unique in the form, and without spaces. */
export function idOf(steps: Steps): string {
  return `field${encodeURIComponent(buildPointer([...steps])).replace(/'/g, '%27')}`;
}

function describedBy(id: string, hint: boolean, wrong: boolean): string | undefined {
  const ids = [...(hint ? [`${id}-hint`] : []), ...(wrong ? [`${id}-wrong`] : [])];
  return ids.length > 0 ? ids.join(' ') : undefined;
}

function rangeOf({ min, max }: FieldOf<'number'>): string | typeof nothing {
  if (min !== undefined && max !== undefined) return `${min}–${max}`;
  if (min !== undefined) return `≥ ${min}`;
  return max === undefined ? nothing : `≤ ${max}`;
}

/** A list has no holes: an item that is not filled in yet is this. */
function emptyItem(field: FormField): unknown {
  switch (field.kind) {
    case 'text':
      return '';
    case 'number':
      return field.min ?? 0;
    case 'enum':
      return field.values[0];
    case 'object':
      return {};
    default:
      return null;
  }
}
