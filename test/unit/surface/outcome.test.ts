import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MockInstance } from 'vitest';
import { messageOf } from '../../../src/protocol/error-message.js';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { dispatchResultOf, returnedOutcome, thrownOutcome } from '../../../src/surface/requests/outcome.js';

/** As browsers have it. */
class HTMLDocument {
  readonly [Symbol.toStringTag] = 'HTMLDocument';
}
const document = new HTMLDocument();

const outcome = (value: unknown) => returnedOutcome(value, 'Action "go"');
let warn: MockInstance<typeof console.warn>;
beforeEach(() => {
  resetWarnings();
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => warn.mockRestore());

describe('what a handler returns', () => {
  it.each<[what: string, value: unknown, data: string | undefined]>([
    ['nothing', undefined, undefined],
    ['a function', () => 1, undefined],
    ['null', null, 'null'],
    ['text', 'done', '"done"'],
    ['an object', { id: 7 }, '{"id":7}'],
    ['a Date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['an envelope', { success: true, data: { id: 7 } }, '{"id":7}'],
    ['an envelope of the reference', { success: true, data: 1, dispatchMeta: {} }, '1'],
    ['an envelope without data', { success: true }, undefined],
    ['an object with more keys than an envelope', { success: true, id: 7 }, '{"success":true,"id":7}'],
    ['an object whose success is no boolean', { success: 'yes' }, '{"success":"yes"}'],
    ['an envelope of success with an error', { success: true, data: 1, error: { code: 'a', message: 'b' } }, '1'],
  ])('%s', (_what, value, data) => {
    expect(outcome(value)).toEqual(data === undefined ? { success: true } : { success: true, data });
  });

  it.each<[what: string, error: unknown, expected: object]>([
    [
      'its code and message',
      { code: 'todo:full', message: 'Full.', details: { most: 3 }, stack: 'no' },
      { code: 'todo:full', message: 'Full.', details: { most: 3 } },
    ],
    ['an Error', new Error('Broke.'), { code: 'EXECUTION_ERROR', message: 'Broke.' }],
    [
      'an Error with a code',
      Object.assign(new Error('Broke.'), { code: 'app:x' }),
      { code: 'app:x', message: 'Broke.' },
    ],
    ['text', 'Broke.', { code: 'EXECUTION_ERROR', message: 'Broke.' }],
    ['nothing', undefined, { code: 'EXECUTION_ERROR', message: 'The handler reported a failure and gave no reason.' }],
    ['a number as code', { code: 7, message: 'Broke.' }, { code: 'EXECUTION_ERROR', message: 'Broke.' }],
  ])('a failure with %s', (_what, error, expected) => {
    expect(outcome({ success: false, error })).toEqual({ success: false, error: expected });
  });

  it('keeps the data of a failure', () => {
    const failure = outcome({ success: false, data: { done: 3 }, error: { code: 'a', message: 'b' } });
    expect(failure).toEqual({ success: false, data: '{"done":3}', error: { code: 'a', message: 'b' } });
  });

  it('does not lose an outcome whose data are not JSON', () => {
    const self: Record<string, unknown> = { id: 9n, list: [1, 2n] };
    self['self'] = self;
    self['twice'] = [self['list'], self['list']];
    expect(outcome(self)).toEqual({
      success: true,
      data: '{"id":9,"list":[1,2],"self":null,"twice":[[1,2],[1,2]]}',
    });
    const broken = { get value() { throw new Error('no'); } };
    expect(outcome(broken)).toEqual({ success: true, data: '{"value":null}' });
    expect(outcome({ again: self })).toMatchObject({ success: true });
    expect(warn.mock.calls).toEqual([
      ['[OUI1201] Action "go": its value at /self is an object that it is inside of; null was sent.'],
      ['[OUI1201] Action "go": its value at /value cannot be read (no); null was sent.'],
    ]);
  });

  it('is what it is whatever else cannot be read of it', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(outcome(proxy)).toEqual({ success: true, data: 'null' });
    expect(outcome({ success: false, get data() { throw new Error('no'); }, error: { code: 'a', message: 'b' } }))
      .toEqual({ success: false, error: { code: 'a', message: 'b' } });
    const { error } = outcome({ success: false, error: { get code() { throw new Error('no'); }, message: 'b' } });
    expect(error).toEqual({ code: 'EXECUTION_ERROR', message: 'b' });
    expect(outcome({ success: false, error: proxy })).toMatchObject({ success: false });
    expect(dispatchResultOf(proxy)).toBe(proxy);
    expect(dispatchResultOf({ success: true, dispatchMeta: 5 })).toBe(5);
  });

  it('has details of an error in JSON', () => {
    const details = { missing: new Set(['a']), at: new Date(0), map: new Map([['k', document]]) };
    const { error } = outcome({ success: false, error: { code: 'a', message: 'b', details } });
    expect(error?.details).toEqual({ missing: ['a'], at: '1970-01-01T00:00:00.000Z', map: { k: null } });
    expect(warn.mock.calls[0]![0]).toContain('Action "go": its value at /map/k is of type HTMLDocument, which has no JSON');
  });
});

describe('what a handler throws', () => {
  it('is told by its message, never by its stack', () => {
    const error = new Error('No such todo.');
    const { error: told } = thrownOutcome(error);
    expect(told).toEqual({ code: 'EXECUTION_ERROR', message: 'No such todo.' });
    expect(JSON.stringify(told)).not.toContain('outcome.test');
  });

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['text', 'text'],
    [{ message: 'plain' }, 'plain'],
    [Object.create(null), 'an error that cannot be put into words'],
  ])('%s has words', (thrown, words) => {
    expect(messageOf(thrown)).toBe(words);
  });
});

describe('an error that is absurdly long', () => {
  it('is cut, its code to a name and its message to some pages', () => {
    const message = 'Broke. '.repeat(1000);
    const { error } = outcome({ success: false, error: { code: 'c'.repeat(63) + '\u{1F600}'.repeat(9), message } });
    expect(error?.code).toBe('c'.repeat(63));
    expect(error?.message).toMatch(/^Broke\. .*…$/);
    expect(error?.message.length).toBeLessThanOrEqual(4_000);
    expect(thrownOutcome(new Error(message)).error?.message.length).toBeLessThanOrEqual(4_000);
  });
});
