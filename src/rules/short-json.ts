/**
 * The JSON of a value, or at least its first `length` UTF-16 units: what follows is left out, not read. For showing
 * a value of unknown size in a line; what was left out is not marked.
 */
export function shortJson(value: unknown, length: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, length));
  if (typeof value !== 'object' || value === null) return (JSON.stringify(value) as string | undefined) ?? 'null';
  const list = Array.isArray(value);
  let text = list ? '[' : '{';
  // Every level takes a bracket, so that this ends within `length` levels.
  for (const [index, key] of Object.keys(value).entries()) {
    if (text.length >= length) return text;
    if (index > 0) text += ',';
    if (!list) text += `${JSON.stringify(key.slice(0, length))}:`;
    text += shortJson((value as { readonly [key: string]: unknown })[key], length - text.length);
  }
  return text + (list ? ']' : '}');
}
