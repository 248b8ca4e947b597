import { untracked } from '@preact/signals-core';
import { warnOnce } from '../protocol/warn-once.js';
import { encodeValue } from '../rules/encode-value.js';
import type { EncodedValue } from '../rules/encode-value.js';

/**
 * JSON text of a value of the page's, whatever it is. What of it has no JSON form is warned about, once for each kind
 * of thing, with its place. Nothing that it reads is tracked by whatever effect happens to run.
 *
 * @param name whose value it is, as a sentence begins: `Observation "a" of surface "b"`
 */
export function valueText(value: unknown, code: string, name: string): EncodedValue {
  const encoded = untracked(() => encodeValue(value));
  for (const { kind, path, text } of encoded.problems) {
    const place = path === '' ? 'the value' : `its value at ${path}`;
    warnOnce(code, `${name}: ${place} ${text}.`, `${name} ${kind}`);
  }
  return encoded;
}
