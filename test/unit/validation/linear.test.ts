import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { compileLinear } from '../../../src/validation/linear-pattern.js';
import { createLinearValidator } from '../../../src/validation/linear.js';

const FAR_TOO_LONG_TO_BACKTRACK = 'a'.repeat(100_000);

describe('the linear validator', () => {
  it('ends on patterns that backtrack, for values and for names', () => {
    const check = createLinearValidator().compile({
      properties: { code: { type: 'string', pattern: '^(a+)+$' } },
      patternProperties: { '^(b|b)*c$': { type: 'string' } },
      propertyNames: { pattern: '^(?:\\w+\\s?)*$' },
    });
    const name = `${'b'.repeat(50_000)}!`;
    expect(check({ code: `${FAR_TOO_LONG_TO_BACKTRACK}!`, [name]: 1 }).map(({ keyword }) => keyword)).toEqual([
      'propertyNames',
      'pattern',
    ]);
    expect(check({ code: FAR_TOO_LONG_TO_BACKTRACK })).toEqual([]);
  });

  it('reports what has no linear form, and checks the rest', () => {
    const onUnsupported = vi.fn();
    const check = createLinearValidator({ onUnsupported }).compile({
      properties: { a: { type: 'string', pattern: '^(?=a)', minLength: 2 }, b: { pattern: '(' } },
      patternProperties: { '(x)\\1': { type: 'string' }, '^y': { type: 'string' } },
      additionalProperties: false,
    });
    expect(onUnsupported.mock.calls.map(([pattern, at]) => [pattern, at])).toEqual([
      ['^(?=a)', '/properties/a/pattern'],
      ['(', '/properties/b/pattern'],
      ['(x)\\1', '/patternProperties/(x)\\1'],
    ]);
    expect(check({ a: 'b', b: 'c' })).toMatchObject([{ path: '/a', keyword: 'minLength' }]);
    // Any name might be one that the skipped pattern means.
    expect(check({ z: 1 })).toEqual([]);
    expect(check({ y: 1 })).toMatchObject([{ path: '/y', keyword: 'type' }]);
  });

  afterEach(() => {
    vi.restoreAllMocks();
    resetWarnings();
  });

  it('warns once per pattern by default', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const validator = createLinearValidator();
    validator.compile({ pattern: '(?!a)' });
    validator.compile({ items: { pattern: '(?!a)' } });
    const message = /^\[OUI1101\] The pattern \(\?!a\) at \/pattern is not checked: /;
    expect(warn.mock.calls).toEqual([[expect.stringMatching(message)]]);
  });

  it('checks schemas one inside another without mixing up their patterns', () => {
    const validator = createLinearValidator();
    const first = validator.compile({ items: { pattern: '^a$' } });
    const second = validator.compile({ items: { pattern: '^b$' } });
    expect(first(['a', 'b']).map(({ path }) => path)).toEqual(['/1']);
    expect(second(['a', 'b']).map(({ path }) => path)).toEqual(['/0']);
    expect(first(['a', 'b']).map(({ path }) => path)).toEqual(['/1']);
  });
});

describe('compileLinear', () => {
  const matches = (pattern: string, text: string): unknown => {
    const compiled = compileLinear(pattern);
    return typeof compiled === 'function' ? compiled(text) : compiled.reason;
  };

  it.each<[string, string[]]>([
    ['^\\s$', [' ', '\t', '\v', '\u00a0', '\u2003', '\ufeff', '\u200b', 'a']],
    ['^\\S$', [' ', '\v', '\u00a0', 'a', '😀', '\u180e']],
    ['^[\\s]$', ['\u2028', 'b']],
    ['^[^\\s]$', ['\u2028', 'b']],
    ['^[\\S]$', ['\u3000', 'b']],
    ['^[^\\S]$', ['\u3000', 'b']],
    ['^.$', ['a', '\n', '\r', '\u2028', '\u2029', '😀', '\u0085']],
    ['^[.]$', ['.', 'a']],
    ['^\\.$', ['.', 'a']],
    ['^\\\\.$', ['\\a', '\\.', '.']],
    ['^[\\].]$', [']', '.', 'a']],
    ['^[^\\]]$', [']', 'a']],
    ['a$', ['a', 'a\n']],
    ['^\\d\\w$', ['1a', '१a', '1é', '1_']],
    ['^\\p{Letter}+$', ['é', 'Я', '1']],
    ['^\\p{gc=Uppercase_Letter}$', ['É', 'é']],
    ['^\\P{L}$', ['1', 'é']],
    ['^\\p{Script=Greek}$', ['α', 'a']],
    ['^[\\p{L}\\p{Nd}]$', ['é', '1', '-']],
    ['^\\u00e9\\u{1F600}$', ['é😀', 'é']],
    ['^\\cJ$', ['\n', 'J']],
    ['^(?<year>\\d{4})-(?:0[1-9]|1[0-2])$', ['2026-07', '2026-13']],
    ['\\bfoo\\b', ['a foo b', 'afoo']],
    ['^[^]$', ['\n']],
    ['[]', ['', 'a']],
    ['^a{2,3}?b*$', ['aab', 'ab', 'aaa']],
    ['^[\\w-]+@[\\w-]+\\.com$', ['a-b@c.com', 'a@c,com']],
    ['^\\/$', ['/']],
    ['', ['', 'x']],
  ])('reads %s as JavaScript does', (pattern, texts) => {
    const native = new RegExp(pattern, 'u');
    for (const text of texts) expect(matches(pattern, text), JSON.stringify(text)).toBe(native.test(text));
  });

  it('agrees with JavaScript on made-up patterns', () => {
    const atoms = ['a', 'b', '.', '\\s', '\\S', '\\w', '\\d', '[ab]', '[^a]', '[\\s.]', '\\.', '(?:a|b)', '(a)'];
    const atom = fc.constantFrom(...atoms);
    const quantifier = fc.constantFrom('', '', '*', '+', '?', '{1,2}', '*?');
    const pattern = fc
      .tuple(fc.constantFrom('', '^'), fc.array(fc.tuple(atom, quantifier), { maxLength: 4 }), fc.constantFrom('', '$'))
      .map(([start, parts, end]) => start + parts.map((part) => part.join('')).join('') + end);
    const unit = fc.constantFrom('a', 'b', '.', ' ', '\n', '\u2028', '\u00a0', '1', '😀');
    const text = fc.string({ unit, maxLength: 6 });
    fc.assert(
      fc.property(pattern, text, (source, sample) => {
        expect(matches(source, sample)).toBe(new RegExp(source, 'u').test(sample));
      }),
      { numRuns: 400 },
    );
  });

  it.each(['(?=a)', '(?!a)', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?<x>a)\\k<x>', 'a{1,2000}', '(', '[b-a]'])(
    'gives the reason for %s',
    (pattern) => {
      expect(compileLinear(pattern)).toEqual({ reason: expect.stringMatching(/error parsing regexp|back-reference/) });
    },
  );
});
