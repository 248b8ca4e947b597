import type { JsonText } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';

const QUOTE = 34;
const BACKSLASH = 92;
/** The key, or an escape that may be a part of it. */
const MAY_NAME_PROTO = /__proto__|\\u005f/i;

/**
 * Whether a JSON text surely says a value as `encodeValue` would: in no more than `LIMITS.valueDepth` levels, and with
 * no key `__proto__`. A text that only speaks of `__proto__` is taken for one with the key. Nothing is parsed: a MB takes
 * some 2 ms. Always ends, whatever the text.
 */
export function isPlainText(text: JsonText): boolean {
  return !MAY_NAME_PROTO.test(text) && !isDeep(text);
}

function isDeep(text: JsonText): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case 91: // [
      case 123: // {
        if (++depth > LIMITS.valueDepth) return true;
        break;
      case 93: // ]
      case 125: // }
        depth--;
        break;
    }
  }
  return false;
}

/** Where the quote is that ends the string which begins at `start`; the text's end when there is none. */
function endOfString(text: JsonText, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    // An even number of backslashes are characters of their own.
    if ((at - before) % 2 === 0) return at;
  }
  return text.length;
}
