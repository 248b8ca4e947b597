import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesRoute, matchesRoutes } from '../../../src/rules/route-globs.js';

describe('matchesRoute', () => {
  it.each<[string, string, boolean]>([
    // The table of specification §6.3.
    ['/documents', '/documents', true],
    ['/documents', '/documents/abc', false],
    ['/documents/*', '/documents/abc', true],
    ['/documents/*', '/documents/abc/edit', false],
    ['/documents/**', '/documents/abc', true],
    ['/documents/**', '/documents/abc/edit', true],
    ['/documents/**', '/documents/abc/edit/v2', true],
    ['/users/*/settings', '/users/123/settings', true],
    ['/users/*/settings', '/users/settings', false],
    // Appendix B lists /todos beside /todos/**.
    ['/todos/**', '/todos', false],
    ['/todos/**', '/todosque/1', false],
    ['/documents/*', '/documents', false],
    ['/', '/', true],
    ['/', '/a', false],
    ['/*', '/', false],
    ['/**', '/', true],
    ['/**', '/a/b', true],
    ['**', '/', true],
    ['/a/**/z', '/a/z', false],
    ['/a/**/z', '/a/b/z', true],
    ['/a/**/z', '/a/b/z/c/z', true],
    ['/**/**', '/a', false],
    ['/**/**', '/a/b', true],
    ['/todos', '/todos/', true],
    ['/todos/', '/todos', true],
    ['/Todos', '/todos', false],
    ['/a/*', '/a//b', true],
    // Encoding.
    ['/café', '/caf%C3%A9', true],
    ['/caf%c3%a9', '/café', true],
    ['/a/*', '/a/b%2Fc', true],
    ['/a/b/c', '/a/b%2Fc', false],
    ['/100%', '/100%', true],
    ['/%2A', '/anything', false],
    ['/%2A', '/*', true],
    // Not a regular expression, not a wildcard within a segment.
    ['/a.c', '/abc', false],
    ['/a*', '/abc', false],
    ['/(a|b)', '/a', false],
    // Hash routers, queries and fragments.
    ['#/todos/*', '#/todos/1', true],
    ['#/todos', '/todos', false],
    ['#/todos', '#/todos?filter=open', true],
    ['/todos', '/todos?filter=open#top', true],
    ['/todos', '#/todos', false],
  ])('%s on %s: %s', (pattern, path, matches) => {
    expect(matchesRoute(pattern, path)).toBe(matches);
  });

  it('takes one pattern or several', () => {
    expect(matchesRoutes('/a', '/a')).toBe(true);
    expect(matchesRoutes(['/a', '/b/*'], '/b/1')).toBe(true);
    expect(matchesRoutes(['/a', '/b/*'], '/c')).toBe(false);
    expect(matchesRoutes([], '/')).toBe(false);
  });

  it('is what a naive matcher says', () => {
    const naive = (pattern: readonly string[], path: readonly string[]): boolean => {
      const [first, ...rest] = pattern;
      if (first === undefined) return path.length === 0;
      if (path.length === 0) return false;
      if (first === '**') return path.some((_, taken) => naive(rest, path.slice(taken + 1)));
      return (first === '*' || first === path[0]) && naive(rest, path.slice(1));
    };
    const segments = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 });
    const patterns = fc.array(fc.constantFrom('a', 'b', '*', '**'), { maxLength: 6 });
    fc.assert(
      fc.property(patterns, segments, (pattern, path) => {
        const wanted = (pattern.length === 1 && pattern[0] === '**') || naive(pattern, path);
        expect(matchesRoute(`/${pattern.join('/')}`, `/${path.join('/')}`)).toBe(wanted);
      }),
      { numRuns: 1000 },
    );
  });

  it('ends on a pattern that a backtracking matcher would not', () => {
    const pattern = '/**/a'.repeat(200) + '/b';
    expect(matchesRoute(pattern, '/a'.repeat(2000))).toBe(false);
  });
});
