/** JSON Pointers (RFC 6901): `""` is the whole value, `/list/0/a~1b` a place in it. */

/** One step of a pointer, escaped: `a/b` becomes `a~1b`, `~` becomes `~0`. */
export function escapePointerToken(token: string | number): string {
  return String(token).replace(/~/g, '~0').replace(/\//g, '~1');
}

/** The pointer to a member or an item of what `pointer` points to. */
export function appendPointer(pointer: string, token: string | number): string {
  return `${pointer}/${escapePointerToken(token)}`;
}

/** The pointer made of these steps, from the outermost to the innermost. */
export function buildPointer(tokens: readonly (string | number)[]): string {
  return tokens.reduce<string>(appendPointer, '');
}

/** The steps of a pointer, or undefined when the text is not a pointer. */
export function parsePointer(pointer: string): string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replace(/~1/g, '/').replace(/~0/g, '~'));
}

/**
 * The value a pointer points to: own members and existing items only.
 * Undefined when there is nothing there, or the text is not a pointer (see `parsePointer` to tell the two apart).
 */
export function resolvePointer(root: unknown, pointer: string): unknown {
  const tokens = parsePointer(pointer);
  if (tokens === undefined) return undefined;
  let value: unknown = root;
  for (const token of tokens) {
    if (Array.isArray(value)) {
      if (!/^(?:0|[1-9]\d*)$/.test(token)) return undefined;
      value = value[Number(token)];
    } else if (typeof value === 'object' && value !== null && Object.hasOwn(value, token)) {
      value = (value as { readonly [key: string]: unknown })[token];
    } else {
      return undefined;
    }
  }
  return value;
}
