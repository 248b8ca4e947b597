import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8Length } from '../../../src/protocol/byte-length.js';
import { objectText } from '../../../src/rules/frame-text.js';

describe('utf8Length', () => {
  it('is what an encoder writes, lone surrogates too', () => {
    const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
    const text = fc.string({ unit: fc.oneof(unit, fc.constantFrom('a', 'é', '–', '😀', '\ud83d', '\ude00')) });
    fc.assert(
      fc.property(text, (value) => {
        expect(utf8Length(value)).toBe(new TextEncoder().encode(value).length);
      }),
      { numRuns: 500 },
    );
  });
});

describe('objectText', () => {
  it('is JSON.stringify of the object', () => {
    const members = fc.uniqueArray(fc.tuple(fc.string(), fc.option(fc.jsonValue(), { nil: undefined })), {
      selector: ([key]) => key,
    });
    fc.assert(
      fc.property(members, (entries) => {
        const text = objectText(entries.map(([key, value]) => [key, JSON.stringify(value) as string | undefined]));
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(Object.fromEntries(entries))));
      }),
    );
  });

  it('keeps the order and drops what has no text', () => {
    expect(objectText([['b', '1'], ['a', undefined], ['"', '[]']])).toBe('{"b":1,"\\"":[]}');
    expect(objectText([])).toBe('{}');
  });
});
