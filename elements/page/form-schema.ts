import type { JSONSchema } from '../../src/protocol/json.js';
import { clearSchema } from './clear-fields.js';
import type { TextSources } from './control-texts.js';
import { fieldSchema, isRequired } from './field-schema.js';
import { fieldsOf } from './form-controls.js';

/**
 * The input of an action that fills in a form: a property for each name that a person could give a value to now.
 * There are no `default`s: what an agent does not send keeps the value that it has.
 */
export function formSchema(form: HTMLFormElement, sources: TextSources): JSONSchema {
  const fields = fieldsOf(form);
  const required = fields.filter(isRequired).map(({ key }) => key);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(fields.map((field) => [field.key, fieldSchema(field, form, sources)])),
      ...clearSchema(fields),
    },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}
