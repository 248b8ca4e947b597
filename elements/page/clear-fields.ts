import type { Field } from './form-controls.js';

type Schema = Record<string, unknown>;

/** Inputs whose schema says no to an empty text. */
const NEVER_EMPTY = /^(number|date|email|url)$/;
const KEYS = ['clear', 'clear_fields', 'fields_to_clear'];

/**
 * Emptying a field that is optional. An empty text is no number, date or address, and model providers refuse schemas in
 * which a value may be of two types; so such fields are named in a list. (They refuse `uniqueItems` as well: a name that is
 * there twice does no harm.)
 */
export function clearSchema(fields: readonly Field[]): Schema {
  const names = fields.filter(isClearable).map(({ key }) => key);
  const key = clearKey(fields);
  if (names.length === 0 || key === undefined) return {};
  return {
    [key]: {
      type: 'array',
      items: { type: 'string', enum: names },
      maxItems: names.length,
      description: 'Fields to empty. Fields that are not named, here or by themselves, keep their value.',
    },
  };
}

/** The params with `null` for what is to be emptied. A field that is given a value as well keeps that one. */
export function withCleared(
  fields: readonly Field[],
  params: { readonly [key: string]: unknown },
): { readonly [key: string]: unknown } {
  const key = clearKey(fields);
  if (key === undefined || !Array.isArray(params[key])) return params;
  const { [key]: names, ...rest } = params;
  const cleared = (names as readonly unknown[]).map((name) => [String(name), null] as const);
  return { ...Object.fromEntries(cleared), ...rest };
}

/** What the list is called: `clear`, unless the form has a field of that name. */
function clearKey(fields: readonly Field[]): string | undefined {
  return KEYS.find((key) => !fields.some((field) => field.key === key));
}

function isClearable({ kind, controls }: Field): boolean {
  const input = controls[0] as HTMLElement as HTMLInputElement;
  if (input.required) return false;
  if (kind === 'file') return !input.multiple;
  return kind === 'text' && !input.multiple && (NEVER_EMPTY.test(input.type) || input.minLength > 0);
}
