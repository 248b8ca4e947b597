import type { JSONSchema } from '../src/protocol/json.js';
import type { OUIUpdateFrequency } from '../src/protocol/manifest.js';
import type { ObservationDefinition } from '../src/surface/definition/definition.js';
import type { ObservationSource } from '../src/surface/mounts/observation-source.js';
import { declaredSchema } from './declared-schema.js';
import { given } from './given-members.js';
import { markupModule, markupPreparation } from './markup-loader.js';
import { allowedValue, warnMarkup } from './markup-warning.js';
import { ACCESSOR, FLAG, JSON_OR_VALUE, TEXT } from './oui-element.js';
import type { PageSource, PageType } from './page/markup-alone.js';
import { PartElement } from './part-element.js';

const FREQUENCIES: readonly OUIUpdateFrequency[] = ['realtime', 'on-change', 'polling'];

/** The schema that each `type` stands for. */
const TYPES: { readonly [type in PageType]: JSONSchema } = {
  text: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  json: {},
  form: { type: 'object' },
  table: { type: 'array' },
  list: { type: 'array' },
};

/**
 * A piece of state that the surface around it shows to agents (specification §5.1).
 *
 * Its value comes from `.value`, set each time it changes, or from `.signal`: a signal, a store with `subscribe`, or a
 * getter. Whichever was set last counts. Until one is set, the observation has no value.
 *
 * With `from` it needs neither: it shows what the element says that this selector finds, and follows the page as it
 * changes. `null` while there is none. Passwords, hidden fields and what is `data-oui-private` are never read. A script
 * that sets a control's value without firing `input` or `change` is not noticed; nobody could.
 *
 * Its schema is declared by `schema`, `schema-from` or a child `<script type="application/schema+json">`, else by
 * `type`.
 *
 * @tag oui-observation
 * @attr {string} observation-id - Lowercase letters, digits and `_`; unique within the surface. Required.
 * @attr {string} description - What it tells, for the agent. Required.
 * @attr {string} from - Selector of the element that is read, within the same document or shadow root.
 * @attr {'text'|'number'|'integer'|'boolean'|'json'|'form'|'table'|'list'} type - How it is read, and the
 * schema when there is none: `text` (default with `from`), `number`, `integer`, `boolean`, `json`; `form` (its values by
 * name), `table` (rows by the column headers), `list` (its items).
 * @attr {boolean} list - All elements that `from` matches are read, as a list.
 * @attr {string} schema - JSON Schema of the value.
 * @attr {string} schema-from - Selector of an element whose text is that schema.
 * @attr {'on-change'|'realtime'|'polling'} update-frequency - `on-change` (default), `realtime`, or `polling`: read only
 * when the agent asks.
 */
export class OuiObservationElement extends PartElement {
  static override readonly tag = 'oui-observation';

  static override properties = {
    observationId: TEXT,
    description: TEXT,
    from: TEXT,
    type: TEXT,
    list: FLAG,
    schema: JSON_OR_VALUE,
    schemaFrom: TEXT,
    updateFrequency: TEXT,
    value: ACCESSOR,
    signal: ACCESSOR,
  };

  declare observationId: string;
  declare description: string;
  declare from: string;
  declare type: string;
  declare list: boolean;
  /** The schema, or its JSON. */
  declare schema: JSONSchema | string | null;
  declare schemaFrom: string;
  declare updateFrequency: string;

  protected override readonly hostTag = 'oui-surface';
  readonly #listeners = new Set<() => void>();
  readonly #ownSource: ObservationSource = {
    get: () => this.#value,
    // An array may have been added to without being set again.
    silent: true,
    subscribe: (notify: () => void) => {
      this.#listeners.add(notify);
      return () => this.#listeners.delete(notify);
    },
  };
  #value: unknown;
  #source: ObservationSource | null = null;
  #page: { readonly key: string; readonly root: Node; readonly source: PageSource | null } | null = null;

  override preparation(): Promise<void> | null {
    return this.from ? markupPreparation() : null;
  }

  /**
   * The present value. JSON. Setting it again, the same object too, tells at once that it may have changed; otherwise that
   * is found after the next action, and when an agent asks.
   */
  get value(): unknown {
    return this.#value;
  }

  set value(value: unknown) {
    this.#value = value;
    this.#use(this.#ownSource);
    // At once and not with the next update: the result of the action that set it carries it.
    for (const notify of this.#listeners) notify();
  }

  /** Where the value comes from instead of `.value`. */
  get signal(): ObservationSource | null {
    return this.#source === this.#ownSource ? null : this.#source;
  }

  set signal(source: ObservationSource | null) {
    this.#use(source ?? null);
  }

  /** What the surface keeps the observation equal to; `null` while there is no value. */
  get source(): ObservationSource | null {
    return this.#source ?? this.#pageSource();
  }

  /** What the surface declares for it; `null` when the markup is not enough, which is warned about. */
  definition(): ObservationDefinition | null {
    const { observationId, description } = this;
    if (!observationId || !description) {
      warnMarkup(this, observationId
        ? 'needs a description: the agent reads it. Until then it is left out of its surface.'
        : 'needs an observation-id, such as observation-id="open_count". Until then it is left out of its surface.');
      return null;
    }
    const schema = declaredSchema(this, {
      value: this.schema, attribute: 'schema', from: this.schemaFrom, fromAttribute: 'schema-from',
    });
    if (schema === null) return null;
    if (this.from && this.#source) {
      warnMarkup(this, `has from="${this.from}" and a .value or .signal, which counts. Keep one of the two.`);
    }
    const type = this.#type();
    const updateFrequency = allowedValue(this, 'update-frequency', this.updateFrequency, FREQUENCIES);
    return {
      id: observationId,
      description,
      schema: schema ?? (this.#isList(type) ? { type: 'array', items: TYPES[type] } : TYPES[type]),
      ...given({ updateFrequency }),
    };
  }

  #type(): PageType {
    const type = allowedValue(this, 'type', this.type, Object.keys(TYPES) as PageType[]);
    return type ?? (this.from ? 'text' : 'json');
  }

  #isList(type: PageType): boolean {
    return this.list && type !== 'list';
  }

  #pageSource(): PageSource | null {
    const module = markupModule();
    if (!this.from || !module) return null;
    const type = this.#type();
    const options = { element: this, selector: this.from, type, list: this.#isList(type) };
    const key = JSON.stringify([this.from, type, options.list]);
    const root = this.getRootNode();
    if (this.#page?.key !== key || this.#page.root !== root) {
      this.#page = { key, root, source: module.createPageSource(options) };
    }
    return this.#page.source;
  }

  #use(source: ObservationSource | null): void {
    if (source === this.#source) return;
    this.#source = source;
    this.requestUpdate();
  }
}
