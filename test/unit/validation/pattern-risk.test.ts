import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patternRisk } from '../../../src/validation/pattern-risk.js';
import { BacktrackingMatcher } from './backtracking-matcher.js';

describe('patterns known to backtrack exponentially', () => {
  it.each([
    '^(a+)+$',
    '^(a*)*$',
    '(a*)*$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '^(a|a?)+$',
    '^(.*a){20}$',
    '^(\\w+\\s?)*$',
    '^(\\d+)*$',
    '^([a-z]+)*[A-Z]$',
    '^(a?b?)*c$',
    '^((a?|b?)c)*$',
    '^(?:.|[^x])*$',
    '^(a?){30}a{30}$',
    '^(a{1,30}){1,30}$',
    '^(x+x+)+y',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$',
    '^(([0-9a-z]+-)*[0-9a-z]+)+@',
    '^(\\p{L}+)+$',
    '^(\\u0061|[a-c])*$',
    '^(?=(a+)+$)',
    '(?<=x(a+)+)b',
    '^(a(?:b?)*)*c$',
    '^(?:[^"\\\\]|\\\\.|.)*"$',
    '^(?:a{5}b|a{4}ab)*$',
    '^(?:😀|[😀😁])*$',
    // Not over before its twentieth round, whatever ends one.
    '^(?:(?:a*|a)[ab](?:a[ab]a[^a]){2}){20}',
    '^(?:\\ud83d\\ude00|😀)*$',
  ])('%s', (pattern) => {
    new RegExp(pattern, 'u');
    expect(patternRisk(pattern).growth).toBe('exponential');
  });
});

describe('patterns known to backtrack with a power of the length', () => {
  it.each([
    '\\s+$',
    '^\\s+|\\s+$',
    'a+b',
    '[a-z]+@[a-z]+',
    '^.*.*$',
    '^a*b?a*$',
    '^.*=.*=.*$',
    '^a*(?:a|b)*c$',
    '^\\d+\\d+$',
    '^[a-z]{0,60}[a-z]{0,60}$',
    '(?=.*\\d)x',
    '^(?:a(?=.*b))*$',
    '^(.)x*\\1x*$',
    'a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?$',
    '(?<=a.*)b',
    '\\bx*y',
    // May be over after each b, and has read on in vain before.
    '^(?:b(?:\\w*a|)|a)*',
  ])('%s', (pattern) => {
    new RegExp(pattern, 'u');
    expect(patternRisk(pattern).growth).toBe('polynomial');
  });
});

describe('good patterns', () => {
  it.each([
    '',
    '.*',
    '[a-z]+',
    '^x-',
    'x$',
    '^a+$',
    '^.{1,200}$',
    '^\\S+$',
    '^\\d+\\.\\d+$',
    '^[^@]+@[^@]+$',
    '^[a-z0-9._%+-]+@[a-z0-9.-]+\\.[a-z]{2,}$',
    '^\\d{3}-?\\d{4}$',
    '^(\\d{1,3}\\.){3}\\d{1,3}$',
    '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    '^#(?:[0-9a-fA-F]{3}){1,2}$',
    '^(?=.*[A-Z])(?=.*\\d).{8,}$',
    '^[A-Z][a-z]+(?: [A-Z][a-z]+)*$',
    '^\\p{L}+(?:\\s\\p{L}+)*$',
    '^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,}$',
    '^(?:apple|avocado|apricot)$',
    '^https?://[^\\s/$.?#].[^\\s]*$',
    '^(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}$',
    '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?$',
    '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2})?)?$',
    '^(?:\\/[a-z0-9_-]+)*\\/?$',
    '^(?:[01]\\d|2[0-3]):[0-5]\\d$',
    '^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$',
    '^"(?:[^"\\\\]|\\\\.)*"$',
    '(a+)+',
    '^(?<year>\\d{4})-(?<month>\\d\\d)$',
    '^\\+?[1-9]\\d{1,14}$',
    '^v?\\d+\\.\\d+\\.\\d+(?:-[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$',
  ])('%s', (pattern) => {
    new RegExp(pattern, 'u');
    expect(patternRisk(pattern)).toEqual({ growth: 'linear', reason: '' });
  });
});

it('says which parts are the cause', () => {
  expect(patternRisk('^(a+)+$').reason).toBe('a repeated part repeats a itself, in more than one way');
  expect(patternRisk('^(?:\\w|[a-f])*$').reason).toBe('inside a repeated part \\w and [a-f] can read the same text');
  expect(patternRisk('^\\d*x?[0-5]*$').reason).toBe('\\d and the later [0-5] can read the same text, both repeatedly');
  expect(patternRisk('\\s+$').reason).toBe(
    'it is tried at each place of the text, and \\s reads on from each (bind it to the start with ^)',
  );
});

it('does not judge what is too large or unusual, and says so', () => {
  const alternatives = Array.from({ length: 40 }, (_, index) => `[a-${'bcdefghij'[index % 9]}]x${index}`).join('|');
  for (const pattern of [`^(?:${alternatives})*$`.repeat(8), `${'('.repeat(200)}a+${')'.repeat(200)}`, '(?i:a)+b']) {
    expect(patternRisk(pattern)).toEqual({ growth: 'unknown', reason: 'it is too large or too unusual to be judged' });
  }
});

it('a part that can read nothing in two ways, many times, is not judged', () => {
  expect(patternRisk('^(?:\\b|){20}a$').growth).toBe('unknown');
  expect(patternRisk('^(?:\\b|){2}a$').growth).toBe('linear');
});

describe('made-up patterns that are said to be linear', () => {
  const atom = fc.constantFrom('a', 'b', 'c', '[ab]', '[^a]', '.', '\\w', '(?:a|b)', '(?:ab|a)', '\\b', '');
  const sign = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,3}', '{2,}', '{20}', '{0,40}', '{3,30}');
  const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
    pattern: fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    part: fc.oneof(
      { maxDepth: 2, depthSize: 'small' },
      { weight: 3, arbitrary: fc.tuple(atom, sign).map(([body, how]) => (body === '' ? '' : `(?:${body})${how}`)) },
      { weight: 2, arbitrary: fc.tuple(tie('pattern'), sign).map(([body, how]) => `(?:${body})${how}`) },
      {
        weight: 1,
        arbitrary: fc.tuple(tie('pattern'), tie('pattern'), sign).map(([a, b, how]) => `(?:${a}|${b})${how}`),
      },
    ),
  }));
  const end = fc.constantFrom('$', '$', '', 'd', '!$');
  const bound = fc.tuple(fc.constantFrom('^', '^', ''), pattern, end).map((parts) => parts.join(''));
  const start = fc.stringMatching(/^[abc]{0,3}$/);
  const pump = fc.stringMatching(/^[abc]{1,3}$/);

  it('take time in proportion to the text, and match as the language says', () => {
    let linear = 0;
    fc.assert(
      fc.property(bound, start, pump, fc.constantFrom('', '!', 'd', 'a'), (made, before, pumped, after) => {
        if (patternRisk(made).growth !== 'linear') return;
        const steps = [160, 320].map((times) => {
          const text = before + pumped.repeat(times) + after;
          const matcher = new BacktrackingMatcher(made, 20_000_000);
          const matches = matcher.test(text);
          // Many steps are a wrong judgement. A deep recursion within few of them is this matcher's own.
          fc.pre(matches !== undefined || matcher.steps > 20_000_000);
          expect(matches, `${made} on ${text}`).toBe(new RegExp(made, 'u').test(text));
          return matcher.steps;
        }) as [number, number];
        linear++;
        expect(steps[1], `${made} on ${before}${pumped}…${after}`).toBeLessThan(steps[0] * 3 + 8_000);
      }),
      { numRuns: 400 },
    );
    expect(linear).toBeGreaterThan(60);
  });
});
