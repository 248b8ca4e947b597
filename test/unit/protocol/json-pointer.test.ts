import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendPointer, buildPointer, parsePointer, resolvePointer } from '../../../src/protocol/json-pointer.js';

describe('JSON Pointers', () => {
  // RFC 6901, section 5.
  const document = {
    foo: ['bar', 'baz'],
    '': 0,
    'a/b': 1,
    'c%d': 2,
    'e^f': 3,
    'g|h': 4,
    'i\\j': 5,
    'k"l': 6,
    ' ': 7,
    'm~n': 8,
  };
  it.each<[string, unknown]>([
    ['', document],
    ['/foo', document.foo],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
  ])('resolves %j', (pointer, value) => {
    expect(resolvePointer(document, pointer)).toBe(value);
  });

  it.each(['foo', '/a~2', '/a~', '#/foo'])('%j is no pointer', (text) => {
    expect(parsePointer(text)).toBeUndefined();
    expect(resolvePointer(document, text)).toBeUndefined();
  });

  it.each(['/foo/2', '/foo/01', '/foo/-', '/foo/-1', '/foo/length', '/toString', '/foo/0/0', '/a~1b/x'])(
    'finds nothing at %s',
    (pointer) => {
      expect(resolvePointer(document, pointer)).toBeUndefined();
    },
  );

  it('goes there and back', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (tokens) => {
        expect(parsePointer(buildPointer(tokens))).toEqual(tokens);
      }),
    );
    expect(appendPointer('/a', 0)).toBe('/a/0');
  });
});
