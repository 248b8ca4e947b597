import type { JsonText } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';
import { HardEncoder } from './encode-hard.js';
import type { ValueProblem } from './encode-hard.js';
import { isPlainValue, nativeText } from './plain-value.js';

/** What became of a value. */
export interface EncodedValue {
  /** JSON text; `undefined` for what JSON does not write at all: `undefined`, a function, a symbol. */
  readonly text: JsonText | undefined;
  /** What of it has no JSON form: the first place of each kind. */
  readonly problems: readonly ValueProblem[];
}

/**
 * JSON text of any value (PROTOCOL.md §8). Never throws and always ends. What has one obvious JSON form gets it (a Map
 * is an object, a Set a list), what has none is told in `problems`, and something harmless stands in its place.
 * No more than `LIMITS.valueDepth` levels, so that a frame with it is within what its reader takes, and no key
 * `__proto__`. The text of a text's own value is that text again.
 *
 * Plain JSON costs a look at each value and one `JSON.stringify`. The look comes first, whatever value was there before:
 * what is beyond the limits may take `JSON.stringify` minutes.
 */
export function encodeValue(value: unknown): EncodedValue {
  if (isPlainValue(value, 0, { left: LIMITS.valueNodes })) {
    const text = nativeText(value);
    if (text !== undefined || value === undefined) return { text, problems: [] };
  }
  const encoder = new HardEncoder();
  return { text: encoder.encode(value), problems: encoder.problems };
}
