/**
 * How many bytes a text takes in UTF-8. A lone surrogate counts as three, the length of the replacement character
 * that an encoder writes for it.
 */
export function utf8Length(text: string): number {
  // Most texts are ASCII throughout or for long, and a search for what is not is much faster than the loop.
  const first = text.search(/[^\x00-\x7f]/);
  if (first === -1) return text.length;
  let bytes = text.length;
  for (let index = first; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) {
      bytes += 1;
      continue;
    }
    bytes += 2;
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(index + 1);
      // A pair is two units and four bytes.
      if (next >= 0xdc00 && next <= 0xdfff) index++;
    }
  }
  return bytes;
}
