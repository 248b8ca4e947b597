import { describe, expect, it } from 'vitest';
import {
  attachmentUses, declaredAttachments, fitsMediaTypes, isAttachmentId,
} from '../../../src/rules/declared-attachments.js';

const file = (more: object = {}) => ({ type: 'string', format: 'oui-attachment', 'x-oui-attachment': more });
const input = (properties: object) => ({ type: 'object', properties });

describe('declaredAttachments', () => {
  it('finds properties and lists of them, with what the handler takes', () => {
    const properties = {
      title: { type: 'string' },
      logo: file({ as: 'file', mediaTypes: ['image/*'] }),
      notes: { type: 'array', items: file({ as: 'text' }) },
      maybe: { ...file(), type: ['string', 'null'] },
    };
    expect(declaredAttachments(input(properties))).toEqual([
      { property: 'logo', list: false, as: 'file', mediaTypes: ['image/*'], nullable: false },
      { property: 'notes', list: true, as: 'text', nullable: false },
      { property: 'maybe', list: false, as: 'file', nullable: true },
    ]);
    expect(declaredAttachments(true)).toEqual([]);
  });

  it.each([['image/*'], [[1]], [null]])('lets nothing in by types that cannot be read: %j', (mediaTypes) => {
    expect(declaredAttachments(input({ a: file({ mediaTypes }) }))[0]?.mediaTypes).toEqual([]);
    expect(fitsMediaTypes('image/png', [])).toBe(false);
  });
});

describe('isAttachmentId', () => {
  it.each(['abcdefgh', 'A-z_0123', 'x'.repeat(64)])('takes %s', (id) => expect(isAttachmentId(id)).toBe(true));
  it.each(['abcdefg', 'x'.repeat(65), 'with spaces', 'dots.are.not', 'abcdefgh\n', 12345678, { length: 8 }])(
    'does not take %j',
    (id) => expect(isAttachmentId(id)).toBe(false),
  );
});

describe('attachmentUses', () => {
  const schema = input({
    logo: file({ mediaTypes: ['image/*'] }),
    maybe: { ...file(), type: ['string', 'null'] },
    notes: { type: 'array', items: file({ as: 'text' }) },
  });

  it('gives each id with what it is for, in order', () => {
    expect(attachmentUses(schema, { notes: ['note-one', 'note-two'], logo: 'logo-one', other: 'no-use-of' })).toEqual([
      { property: 'logo', id: 'logo-one', as: 'file', mediaTypes: ['image/*'] },
      { property: 'notes', id: 'note-one', as: 'text', index: 0 },
      { property: 'notes', id: 'note-two', as: 'text', index: 1 },
    ]);
    expect(attachmentUses(schema, { maybe: null })).toEqual([]);
    expect(attachmentUses(schema, { logo: undefined })).toEqual([]);
    expect(attachmentUses(schema, null)).toEqual([]);
  });

  it.each<[value: unknown, words: string]>([
    [{ name: 'x.png', mediaType: 'image/png', text: '' }, 'an object'],
    [['logo-one'], 'a list of 1'],
    [7, '7'],
    [null, 'null'],
    ['short', 'the text "short"'],
  ])('refuses %j in place of an id', (value, words) => {
    const form = 'must be the id of an attachment, 8 to 64 of A-Z, a-z, 0-9, "_" and "-"';
    expect(attachmentUses(schema, { logo: value })).toBe(`logo: ${form}, not ${words}`);
    expect(attachmentUses(schema, { notes: ['note-one', value] })).toBe(`notes: ${form}, not ${words}`);
  });

  it('takes twenty in a list and no more, and nothing but a list', () => {
    const ids = Array.from({ length: 21 }, (_, index) => `note-${String(index).padStart(4, '0')}`);
    expect(attachmentUses(schema, { notes: ids.slice(1) })).toHaveLength(20);
    expect(attachmentUses(schema, { notes: ids })).toBe('notes: takes at most 20 attachments, not 21');
    expect(attachmentUses(schema, { notes: 'note-one' })).toMatch(/^notes: must be a list of attachments' ids, not/);
  });
});

describe('fitsMediaTypes', () => {
  it.each<[type: string, taken: string[] | undefined, fits: boolean]>([
    ['image/png', ['image/*'], true],
    ['IMAGE/PNG; q=1', ['Image/Png;charset=x'], true],
    ['text/plain;charset=utf-8', ['image/*', 'text/plain'], true],
    ['image/svg+xml', ['image/svg'], false],
    ['imagery/png', ['image/*'], false],
    ['text/html', ['image/svg+xml'], false],
    ['anything/else', ['*/*'], true],
    ['', ['*/*'], false],
    ['image/', ['image/*'], false],
    ['', undefined, true],
  ])('%s into %j: %s', (type, taken, fits) => expect(fitsMediaTypes(type, taken)).toBe(fits));
});
