import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as LIMITS from '../../../src/protocol/limits.js';
import { createInterpretedValidator } from '../../../src/validation/interpreted.js';
import { linearTest } from '../../../src/validation/pattern-match.js';

describe('a pattern matched in linear time', () => {
  it.each<[string, string[]]>([
    ['', ['', 'x']],
    ['^(a+)+$', ['', 'a', 'aaa', 'aab']],
    ['a{2,3}b', ['ab', 'aab', 'xaaaab']],
    ['^a{2}$|^b{0}$', ['', 'aa', 'a', 'b']],
    ['^a{2,}$', ['a', 'aa', 'aaaaa']],
    ['x|^$', ['', 'y', 'yx']],
    ['\\bfoo\\b', ['foo', 'a foo.', 'afoo', 'foo_']],
    ['a\\Bb', ['ab', 'a b']],
    ['^[^a-c\\d]+$', ['xyz', 'xb', 'x1', '😀']],
    ['^[\\w-]+\\s\\S$', ['a-b c', 'a-b\u00a0😀', 'a-b  ']],
    ['^.$', ['a', '😀', '\n', '\u2028', '\ud83d']],
    ['^\\p{L}+$', ['äßж', '𝒳', 'a1']],
    ['^\\P{L}+$', ['12', '1a', '😀']],
    ['^[^\\p{L}]$', ['1', 'a', '𝒳', '😀']],
    ['^[\\p{Lu}\\d]+$', ['A1', '𝐀', 'a']],
    ['\\ud83d\\ude00', ['😀', '\ud83d', '😁']],
    ['^\\u{1F600}\\u0041\\x42\\cJ\\0\\t$', ['😀AB\n\0\t', '']],
    ['^[\\b\\-\\]\\\\]$', ['\b', '-', ']', '\\', 'b']],
    ['(?<y>\\d{4})-\\d\\d', ['2026-01', '26-01']],
    ['(?:a|b|)c*?$', ['', 'ac', 'bd']],
    ['^(a?){3}a{3}$', ['aaa', 'aaaaaa', 'aa', 'aaaaaaa']],
    ['^(?:)*x', ['x', 'y']],
    ['(?:^|,)a(?:,|$)', ['a', 'b,a', 'ba', 'a,b']],
  ])('%s', (pattern, texts) => {
    const test = linearTest(pattern)!;
    for (const text of texts) expect(test(text), JSON.stringify(text)).toBe(new RegExp(pattern, 'u').test(text));
  });

  it('is what the language says, on made-up patterns', () => {
    const atom = fc.constantFrom(
      'a', 'b', '.', '\\s', '\\w', '\\d', '[ab]', '[^a]', '\\.', '(?:a|b)', '(a)', '\\b', '\\B', '^', '$', '(?:ab|)',
      '😀', '[^\\s😀]', '\\p{L}', '(?<!x)', '(?:a*b?)', '(?:a|ab)',
    );
    const sign = fc.constantFrom('', '', '*', '+', '?', '{1,2}', '{2}', '{2,}', '*?', '{0}');
    const part = fc.tuple(atom, sign).map(([body, how]) => `(?:${body})${how}`);
    const sequence = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(''));
    const pattern = fc.tuple(sequence, sequence, sign).map(([a, b, how]) => `(?:${a}|${b})${how}`);
    const unit = fc.constantFrom('a', 'b', '.', ' ', '\n', '\u2028', 'é', '1', '😀', '\ud83d');
    let tested = 0;
    fc.assert(
      fc.property(fc.oneof(sequence, pattern), fc.string({ unit, maxLength: 7 }), (made, text) => {
        const test = linearTest(made);
        if (test === undefined) {
          expect(made).toContain('(?<!x)');
          return;
        }
        tested++;
        expect(test(text)).toBe(new RegExp(made, 'u').test(text));
      }),
      { numRuns: 1_500 },
    );
    expect(tested).toBeGreaterThan(500);
  });

  it.each(['(?=a)', '(?<!a)', '(a)\\1', '(?<x>a)\\k<x>', 'a{1,5000}', '(?i:a)'])('cannot be made of %s', (pattern) => {
    expect(linearTest(pattern)).toBeUndefined();
  });
});

describe('patterns that backtrack, in the page', () => {
  const { compile } = createInterpretedValidator();
  const long = 'a'.repeat(50_000);

  it('end, for values and for names', () => {
    const check = compile({
      properties: { code: { pattern: '^(a+)+$' }, more: { pattern: '^(.*,)*x$' } },
      patternProperties: { '^(b|b)*c$': { type: 'string' } },
      propertyNames: { pattern: '^(?:\\w+\\s?)*$' },
    });
    expect(check({ code: `${long}!` })).toMatchObject([{ path: '/code', keyword: 'pattern' }]);
    expect(check({ code: long })).toEqual([]);
    expect(check({ more: ','.repeat(20_000) })).toMatchObject([{ path: '/more', keyword: 'pattern' }]);
    expect(check({ [`${'b'.repeat(20_000)}!`]: 1 })).toMatchObject([{ keyword: 'propertyNames' }]);
    expect(check({ [`${'b'.repeat(20_000)}c`]: 1 })).toMatchObject([{ keyword: 'type' }]);
  });

  it('are not tried on long texts where they have no linear form, and nothing passes for that', () => {
    const pattern = '^(?!x)(a+)+$';
    const most = LIMITS.exponentialPatternLength;
    const check = compile({ properties: { a: { pattern }, b: { not: { pattern } } } });
    expect(check({ a: 'a'.repeat(most) })).toEqual([]);
    expect(check({ a: `${'a'.repeat(most - 1)}!` })).toMatchObject([{ path: '/a', keyword: 'pattern' }]);
    const unchecked = [
      {
        path: '',
        keyword: 'pattern',
        message:
          `the value: could not be checked: the pattern ${pattern} might take for ever, so it is tried on texts of ` +
          `up to ${most} characters, got the text "aaaaaaaaaaaaaaa"`,
      },
    ];
    expect(check({ a: 'a'.repeat(most + 1) })).toEqual(unchecked);
    expect(check({ b: 'a'.repeat(most + 1) })).toEqual(unchecked);
    const slower = compile({ pattern: '^(?!x)a*b?a*$' });
    expect(slower('a'.repeat(LIMITS.polynomialPatternLength))).toEqual([]);
    expect(slower('a'.repeat(LIMITS.polynomialPatternLength + 1))).toMatchObject([{ keyword: 'pattern' }]);
  });

  it('do not run where a bound on the length has refused the text', () => {
    const check = compile({ maxLength: 5, pattern: '^(?!x)(a+)+$' });
    expect(check('a'.repeat(50)).map(({ keyword }) => keyword)).toEqual(['maxLength']);
  });
});
