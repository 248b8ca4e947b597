import type { JSONSchema } from '../src/protocol/json.js';
import type { OUIUpdateFrequency } from '../src/protocol/manifest.js';
import type { ObservationDefinition } from '../src/surface/definition/definition.js';
import type { ObservationSource } from '../src/surface/mounts/observation-source.js';
import { declaredSchema } from './declared-schema.js';
import { given } from './given-members.js';
import { allowedValue, warnMarkup } from './markup-warning.js';
import { ACCESSOR, JSON_OR_VALUE, TEXT } from './oui-element.js';
import { PartElement } from './part-element.js';

const FREQUENCIES: readonly OUIUpdateFrequency[] = ['realtime', 'on-change', 'polling'];

/** The schema that each `type` stands for. */
const TYPES: { readonly [type: string]: JSONSchema } = {
  text: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  json: {},
};

/**
 * A piece of state that the surface around it shows to agents (specification §5.1).
 *
 * Its value comes from `.value`, set each time it changes, or from `.signal`: a signal, a store with `subscribe`, or a
 * getter that reads signals. Whichever was set last counts. Until one is set, the observation has no value.
 * Its schema is declared by `schema`, `schema-from` or a child `<script type="application/schema+json">`, else by
 * `type`.
 *
 * @tag oui-observation
 * @attr {string} observation-id - Lowercase letters, digits and `_`; unique within the surface. Required.
 * @attr {string} description - What it tells, for the agent. Required.
 * @attr {string} type - `text`, `number`, `integer`, `boolean` or `json`, when there is no schema.
 * @attr {string} schema - JSON Schema of the value.
 * @attr {string} schema-from - Selector of an element whose text is that schema.
 * @attr {string} update-frequency - `on-change` (default), `realtime`, or `polling`: read only when the agent asks.
 */
export class OuiObservationElement extends PartElement {
  static override readonly tag = 'oui-observation';

  static override properties = {
    observationId: TEXT,
    description: TEXT,
    type: TEXT,
    schema: JSON_OR_VALUE,
    schemaFrom: TEXT,
    updateFrequency: TEXT,
    value: ACCESSOR,
    signal: ACCESSOR,
  };

  declare observationId: string;
  declare description: string;
  declare type: string;
  /** The schema, or its JSON. */
  declare schema: JSONSchema | string | null;
  declare schemaFrom: string;
  declare updateFrequency: string;

  protected override readonly hostTag = 'oui-surface';
  readonly #listeners = new Set<() => void>();
  readonly #ownSource: ObservationSource = {
    get: () => this.#value,
    subscribe: (notify: () => void) => {
      this.#listeners.add(notify);
      return () => this.#listeners.delete(notify);
    },
  };
  #value: unknown;
  #source: ObservationSource | null = null;

  /** The present value. JSON. Setting it again, the same object too, tells that it may have changed. */
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
    return this.#source;
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
    const type = allowedValue(this, 'type', this.type, Object.keys(TYPES));
    const updateFrequency = allowedValue(this, 'update-frequency', this.updateFrequency, FREQUENCIES);
    return {
      id: observationId,
      description,
      schema: schema ?? TYPES[type ?? 'json'] ?? {},
      ...given({ updateFrequency }),
    };
  }

  #use(source: ObservationSource | null): void {
    if (source === this.#source) return;
    this.#source = source;
    this.requestUpdate();
  }
}
