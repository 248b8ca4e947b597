/** Where a text cut to `length` UTF-16 units ends: one unit earlier when the cut would split a surrogate pair. */
export function cutEnd(text: string, length: number): number {
  if (length <= 0) return 0;
  if (length >= text.length) return text.length;
  const splits = isHighSurrogate(text.charCodeAt(length - 1)) && isLowSurrogate(text.charCodeAt(length));
  return splits ? length - 1 : length;
}

/** A text of at most `length` UTF-16 units: one that is longer ends with `…`, with no space before it. */
export function clipText(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, cutEnd(text, length - 1)).trimEnd()}…`;
}

export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

export function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
