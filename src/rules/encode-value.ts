import type { JsonText } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';
import { HardEncoder } from './encode-hard.js';
import type { ValueProblem } from './encode-hard.js';
import { isPlainValue, nativeText } from './plain-value.js';

/** What became of a value. */
export interface EncodedValue {
  /** JSON text; `undefined` for what JSON does not write at all: `undefined`, a function, a symbol. */
  readonly text: JsonText | undefined;
  /** A value of which `JSON.stringify` makes this text again is the same to JSON: it need not be looked at. */
  readonly repeatable: boolean;
  /** What of it has no JSON form: the first place of each kind. */
  readonly problems: readonly ValueProblem[];
}

/**
 * JSON text of any value (PROTOCOL.md §8). Never throws and always ends. What has one obvious JSON form gets it (a Map
 * is an object, a Set a list), what has none is told in `problems`, and something harmless stands in its place.
 * No more than `LIMITS.valueDepth` levels, so that a frame with it is within what its reader takes, and no key
 * `__proto__`. The text of a text's own value is that text again.
 *
 * Plain JSON costs a look at each value and one `JSON.stringify`.
 *
 * @param last the text of the last value, when that was `repeatable`: the same again costs the `JSON.stringify` alone
 */
export function encodeValue(value: unknown, last?: JsonText): EncodedValue {
  const again = last === undefined ? undefined : nativeText(value);
  if (again !== undefined && again === last) return { text: again, repeatable: true, problems: [] };
  const look = { left: LIMITS.valueNodes, empty: false };
  if (isPlainValue(value, 0, look)) {
    const text = again ?? nativeText(value);
    if (text !== undefined || value === undefined) return { text, repeatable: !look.empty, problems: [] };
  }
  const encoder = new HardEncoder();
  return { text: encoder.encode(value), repeatable: false, problems: encoder.problems };
}
