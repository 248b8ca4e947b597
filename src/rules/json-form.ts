/** What an object is to JSON. */
export type JsonForm =
  | { readonly as: 'list'; readonly list: ArrayLike<unknown> }
  | { readonly as: 'members'; readonly members: object }
  /** Something else stands for it. */
  | { readonly as: 'value'; readonly value: unknown }
  /** What its `toJSON` returned. `what`: the tag of the object. */
  | { readonly as: 'json'; readonly value: unknown; readonly what: string }
  | { readonly as: 'none'; readonly what: string };

/** The way out, where there is one. */
export const WAY_OUT: { readonly [what: string]: string } = {
  Promise: ' (await it first)',
  Response: ' (await its json() first)',
};

/** What browsers and others put beside the language, by the members that are JSON. */
interface Described {
  readonly name?: unknown;
  readonly type?: unknown;
  readonly size?: unknown;
  readonly lastModified?: unknown;
  readonly message?: unknown;
}

/**
 * The JSON form of an object, told by its tag and not by its class: objects of other realms have other classes.
 * Whatever has a tag of its own and is not named here has no JSON form: elements, events, FormData and the like hold
 * more than anybody declared, and nothing of them is read.
 *
 * @param isJson it comes from a `toJSON`: its own is not asked again
 * @throws whatever the object's own code throws
 */
export function jsonForm(value: object, key: string | number, isJson: boolean): JsonForm {
  const what = Object.prototype.toString.call(value).slice(8, -1);
  const { toJSON } = value as { toJSON?: unknown };
  if (!isJson && typeof toJSON === 'function') {
    const json: unknown = toJSON.call(value, String(key));
    if (json !== value) return { as: 'json', value: json, what };
  }
  if (Array.isArray(value)) return { as: 'list', list: value };
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return { as: 'members', members: value };
  if (ArrayBuffer.isView(value) && what !== 'DataView') return { as: 'list', list: value as unknown as ArrayLike<unknown> };
  switch (what) {
    case 'Object':
      // Vue's refs; inside a reactive object they unwrap themselves.
      if ((value as { __v_isRef?: unknown }).__v_isRef === true) {
        return { as: 'value', value: (value as { readonly value: unknown }).value };
      }
      return { as: 'members', members: value };
    case 'Map':
    case 'Headers':
      return mapForm(value as ReadonlyMap<unknown, unknown>);
    case 'Set': {
      const list: unknown[] = [];
      (value as ReadonlySet<unknown>).forEach((item) => list.push(item));
      return { as: 'list', list };
    }
    case 'FileList':
      return { as: 'list', list: value as ArrayLike<unknown> };
    case 'RegExp':
    case 'URL':
    case 'URLSearchParams':
      return { as: 'value', value: `${value as RegExp}` };
    case 'Error':
    case 'DOMException': {
      // Never its stack, which tells of files and lines.
      const { name, message } = value as Described;
      return { as: 'members', members: { name, message, ...value, stack: undefined } };
    }
    case 'Blob':
    case 'File': {
      const { name, type, size, lastModified } = value as Described;
      return { as: 'members', members: { name, type, size, lastModified } };
    }
    case 'Boolean':
    case 'Number':
    case 'String':
    case 'BigInt':
      return { as: 'value', value: value.valueOf() };
    default:
      return { as: 'none', what };
  }
}

/** An object where the keys are names or numbers, else a list of pairs. */
function mapForm(map: ReadonlyMap<unknown, unknown>): JsonForm {
  const pairs: [key: unknown, item: unknown][] = [];
  map.forEach((item, key) => pairs.push([key, item]));
  const members = Object.create(null) as { [key: string]: unknown };
  for (const [key, item] of pairs) {
    if ((typeof key !== 'string' && typeof key !== 'number') || Object.hasOwn(members, key)) {
      return { as: 'list', list: pairs };
    }
    members[key] = item;
  }
  return { as: 'members', members };
}
