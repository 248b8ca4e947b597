import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkPrefix, pluginSurfaceId, prefixOf, takePrefix } from '../../../src/bridges/plugin-ids.js';
import { SURFACE_ID_PATTERN } from '../../../src/protocol/author-ids.js';
import * as LIMITS from '../../../src/protocol/limits.js';

const surfaceIds = fc.stringMatching(/^[a-z][a-z0-9-]{0,62}[a-z0-9]$/);
const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[a-z0-9. -]{0,60}$/));

describe('a prefix', () => {
  it.each([
    ['City map', 'city-map'], ['maps.example.com', 'maps-example-com'], ['Häuser & Wege', 'hauser-wege'],
    ['42 ways', 'ways'], ['地図', 'plugin'], ['', 'plugin'], ['a--b', 'a-b'],
  ])('%j becomes %s', (text, prefix) => {
    expect(prefixOf(text)).toBe(prefix);
  });

  it('is made of any text', () => {
    fc.assert(fc.property(texts, (text) => checkPrefix(prefixOf(text))));
  });

  it.each(['', 'Maps', 'a--b', '-a', 'a-', '1a', 'x'.repeat(31), 'a b', undefined, 7])('is not %j', (given) => {
    expect(() => checkPrefix(given)).toThrow(/^Option prefix is .*; it must be 1 to 30 of a-z/);
  });

  it('is one plugin\'s, until that gives it back; the longest leaves room for a number', () => {
    const runtime = {};
    const long = 'x'.repeat(LIMITS.pluginPrefixLength);
    const first = takePrefix(runtime, long);
    const second = takePrefix(runtime, long);
    checkPrefix(second.prefix);
    expect([first.prefix, second.prefix]).toEqual([long, `${'x'.repeat(27)}-2`]);
    expect(takePrefix({}, long).prefix).toBe(long);
    first.release();
    expect(takePrefix(runtime, long).prefix).toBe(long);
  });
});

describe('the id of a plugin\'s surface', () => {
  const prefixes = texts.map(prefixOf);

  it('is one by the specification, always the same, and no other plugin\'s', () => {
    fc.assert(
      fc.property(prefixes, surfaceIds, prefixes, surfaceIds, (prefix, id, otherPrefix, otherId) => {
        const made = pluginSurfaceId(prefix, id);
        expect(made).toMatch(SURFACE_ID_PATTERN);
        expect(made.length).toBeLessThanOrEqual(LIMITS.authorIdMaxLength);
        expect(pluginSurfaceId(prefix, id)).toBe(made);
        // The first two dashes end the prefix.
        expect(made.split('--', 1)).toEqual([prefix]);
        if (prefix !== otherPrefix || id !== otherId) expect(pluginSurfaceId(otherPrefix, otherId)).not.toBe(made);
      }),
    );
  });

  it('keeps apart long ones that begin alike', () => {
    const [one, two] = ['a', 'b'].map((end) => pluginSurfaceId('maps', 'x'.repeat(62) + end));
    expect(one).not.toBe(two);
    expect(one).toMatch(/^maps--x{49}-[0-9a-f]{8}$/);
  });
});
