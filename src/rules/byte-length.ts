/**
 * How many bytes a text takes in UTF-8. A lone surrogate counts as three, the length of the replacement character
 * that an encoder writes for it.
 */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
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
