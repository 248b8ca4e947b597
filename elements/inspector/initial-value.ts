import type { JSONSchema } from '../../src/protocol/json.js';
import { formField } from './form-field.js';

/** Values that a draft begins with: a schema whose parts require each other would fill the memory with them. */
const FIRST_VALUES = 1_000;

/** What a value is at first: what is fixed or declared as default, and whatever of an object must be there. */
export function initialValue(
  schema: JSONSchema,
  root: JSONSchema,
  depth = 8,
  left = { values: FIRST_VALUES },
): unknown {
  const field = formField(schema, root);
  if ('default' in field.schema) return field.schema['default'];
  left.values -= 1;
  if (depth <= 0 || left.values < 0) return undefined;
  switch (field.kind) {
    case 'const':
      return field.value;
    case 'boolean':
      return false;
    case 'list':
      return Array.from({ length: Math.min(field.least, 20) }, (_, index) => {
        return initialValue(field.item(index) ?? true, root, depth - 1, left) ?? null;
      });
    case 'choice':
      return initialValue(field.options[0]?.schema ?? true, root, depth - 1, left);
    case 'object': {
      const required = field.properties.filter((property) => property.required);
      const values = required.map(({ name, schema: inner }) => (
        [name, initialValue(inner, root, depth - 1, left)] as const));
      return Object.fromEntries(values.filter(([, value]) => value !== undefined));
    }
    default:
      return undefined;
  }
}
