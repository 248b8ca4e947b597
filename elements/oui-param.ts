import type { JSONSchema } from '../src/protocol/json.js';
import { parseJson } from './declared-schema.js';
import { allowedValue, warnMarkup } from './markup-warning.js';
import { FLAG, TEXT } from './oui-element.js';
import { PartElement } from './part-element.js';

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array'] as const;

/**
 * One property of an action's input, for actions whose schema is written in markup.
 *
 * @tag oui-param
 * @attr {string} name - The property's name. Required.
 * @attr {'string'|'number'|'integer'|'boolean'|'object'|'array'} type - `string` (default), `number`, `integer`,
 * `boolean`, `object` or `array`.
 * @attr {string} description - What it means, for the agent.
 * @attr {boolean} required - The agent must send it.
 * @attr {string} enum - The values allowed, as a JSON array.
 * @attr {string} min - Smallest number; for a string the shortest length; with `list` or an array the fewest items.
 * @attr {string} max - Largest number, longest length, most items.
 * @attr {string} default - Used when the agent sends none: JSON, or plain text for a string.
 * @attr {boolean} list - A list of such values.
 */
export class OuiParamElement extends PartElement {
  static override readonly tag = 'oui-param';

  static override properties = {
    name: TEXT,
    type: TEXT,
    description: TEXT,
    required: FLAG,
    enum: TEXT,
    min: TEXT,
    max: TEXT,
    default: TEXT,
    list: FLAG,
  };

  declare name: string;
  declare type: string;
  declare description: string;
  declare required: boolean;
  declare enum: string;
  declare min: string;
  declare max: string;
  declare default: string;
  declare list: boolean;

  protected override readonly hostTag = 'oui-action';

  /** The property's schema. What is wrong in the markup is warned about and left out. */
  schema(): JSONSchema {
    const type = allowedValue(this, 'type', this.type, TYPES) ?? 'string';
    const value: Record<string, unknown> = { type };
    if (this.enum) {
      const allowed = parseJson(this, this.enum, 'attribute enum');
      if (Array.isArray(allowed)) value['enum'] = allowed;
      else if (allowed !== undefined) warnMarkup(this, `has enum='${this.enum}', no list; write enum='["a", "b"]'.`);
    }
    const schema: Record<string, unknown> = this.list ? { type: 'array', items: value } : value;
    const [least, most] = BOUNDS[this.list ? 'array' : type] ?? [];
    const min = this.#bound(least, 'min', this.min);
    const max = this.#bound(most, 'max', this.max);
    if (min !== undefined && max !== undefined && min > max) {
      warnMarkup(this, `has min="${min}" above max="${max}": no value is both. The two are ignored.`);
    } else {
      if (min !== undefined) schema[least!] = min;
      if (max !== undefined) schema[most!] = max;
    }
    if (this.description) schema['description'] = this.description;
    if (this.default) {
      const plain = type === 'string' && !this.list;
      const preset = plain ? this.default : parseJson(this, this.default, 'attribute default');
      if (preset !== undefined) schema['default'] = preset;
    }
    return schema;
  }

  #bound(keyword: string | undefined, attribute: string, text: string): number | undefined {
    if (!text) return undefined;
    const number = Number(text);
    // Lengths are counted.
    const counted = /Length|Items/.test(keyword ?? '');
    if (keyword && Number.isFinite(number) && (!counted || (Number.isInteger(number) && number >= 0))) return number;
    const reason = !keyword ? 'its type has no bounds' : counted ? 'it is no length' : 'it is no number';
    warnMarkup(this, `has ${attribute}="${text}", which is ignored: ${reason}.`);
    return undefined;
  }
}

const BOUNDS: { readonly [type: string]: readonly [least: string, most: string] } = {
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  string: ['minLength', 'maxLength'],
  array: ['minItems', 'maxItems'],
};
