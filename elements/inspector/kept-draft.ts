import type { JSONSchema } from '../../src/protocol/json.js';
import { isJsonObject } from '../../src/protocol/shape.js';
import { formField, optionOf } from './form-field.js';
import type { FormProperty } from './form-field.js';
import { initialValue } from './initial-value.js';

/** A schema, and the one that its references lead into. */
export interface RootedSchema {
  readonly schema: JSONSchema;
  readonly root: JSONSchema;
}

/**
 * What of a draft still has a place now that its schema is another one, beside what the new one begins with. What was
 * never declared stays: the user wrote it as JSON. `undefined`: nothing.
 */
export function keptDraft(value: unknown, before: RootedSchema, { schema, root }: RootedSchema): unknown {
  if (value === undefined) return undefined;
  const field = formField(schema, root);
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? value : undefined;
    case 'number':
    case 'boolean':
      return typeof value === field.kind ? value : undefined;
    case 'const':
      return field.value;
    case 'enum':
      return field.values.some((each) => JSON.stringify(each) === JSON.stringify(value)) ? value : undefined;
    case 'choice': {
      const option = field.options[optionOf(value, field.options, root)]!;
      return keptDraft(value, { schema: true, root: true }, { schema: option.schema, root });
    }
    case 'list': {
      if (!Array.isArray(value)) return undefined;
      const was = formField(before.schema, before.root);
      return value.slice(0, field.most).map((item: unknown, index) => {
        const inner = { schema: field.item(index) ?? true, root };
        const outer = { schema: was.kind === 'list' ? was.item(index) ?? true : true, root: before.root };
        return keptDraft(item, outer, inner) ?? initialValue(inner.schema, root) ?? null;
      });
    }
    case 'object': {
      if (!isJsonObject(value)) return undefined;
      const was = formField(before.schema, before.root);
      const declared = was.kind === 'object' ? was.properties : [];
      const kept = Object.entries(value).map(([name, member]) => {
        const [now, then] = [named(field.properties, name), named(declared, name)];
        if (!now) return [name, then ? undefined : member] as const;
        return [name, keptDraft(member, { ...before, schema: then?.schema ?? true }, { schema: now.schema, root })] as const;
      });
      const first = Object.entries(initialValue(schema, root) ?? {});
      return Object.fromEntries([...first, ...kept.filter(([, member]) => member !== undefined)]);
    }
    default:
      return value;
  }
}

/** Whether the schema of one member of the whole is the same as before, with all that it may refer to. */
export function isSameMember(name: string, before: JSONSchema, now: JSONSchema): boolean {
  const [a, b] = [before, now].map((schema) => {
    const { properties, required: _, ...others } = isJsonObject(schema) ? schema : {};
    const own = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    return JSON.stringify([own, others]);
  });
  return a === b;
}

function named(properties: readonly FormProperty[], name: string): FormProperty | undefined {
  return properties.find((property) => property.name === name);
}
