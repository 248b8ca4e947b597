import { signal } from '@preact/signals-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MockInstance } from 'vitest';
import type { OUISurfaceRegistration } from '../../../src/protocol/events.js';
import { resetWarnings } from '../../../src/protocol/warn-once.js';
import { surfacesHash } from '../../../src/rules/surfaces-hash.js';
import { defineSurface } from '../../../src/surface/definition/define-surface.js';
import { pass, wholePage } from './whole-page.js';

interface Page {
  readonly names: () => unknown;
}

let warn: MockInstance<typeof console.warn>;
beforeEach(() => {
  vi.useFakeTimers();
  resetWarnings();
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  warn.mockRestore();
  vi.useRealTimers();
});

const handler = vi.fn((_params: unknown) => undefined as unknown);
beforeEach(() => void handler.mockReset());

const choosing = () =>
  defineSurface<Page>({
    id: 'charts',
    name: 'Charts',
    description: 'Choose what is shown.',
    actions: [
      {
        id: 'choose',
        description: 'Chooses a column.',
        effect: 'view',
        input: {
          type: 'object',
          properties: {
            column: { type: 'string', enum: (page: Page) => page.names() },
            more: { type: 'array', items: { anyOf: [{ enum: (page: Page) => page.names() }, { type: 'null' }] } },
            default: { enum: () => [1, 1, 2] },
          },
        },
        handler,
      },
      { id: 'other', description: 'Does something else.', input: {}, handler: () => undefined },
    ],
  });

const pageWith = (names: () => unknown) => wholePage(choosing(), () => ({ names }));
type WholePage = Awaited<ReturnType<typeof pageWith>>;

const registered = (page: WholePage) => page.frames('surface:register') as OUISurfaceRegistration[];
/** The values of the first place, as the agent was told last. */
const told = (page: WholePage): unknown => {
  const input = registered(page).at(-1)?.surface?.actions[0]?.input as { properties: { column: object } };
  return (input.properties.column as { enum?: unknown }).enum;
};

describe('an enum that is a function of the context', () => {
  it('is registered with its values, in every place, each value once', async () => {
    const page = await pageWith(() => ['date', 'price']);
    expect(registered(page)).toHaveLength(1);
    expect(registered(page)[0]?.surface?.actions[0]?.input).toEqual({
      type: 'object',
      properties: {
        column: { type: 'string', enum: ['date', 'price'] },
        more: { type: 'array', items: { anyOf: [{ enum: ['date', 'price'] }, { type: 'null' }] } },
        default: { enum: [1, 2] },
      },
    });
  });

  it('is validated against, and its handler runs with what fits', async () => {
    const page = await pageWith(() => ['date']);
    await page.request('r1', 'choose', { params: { column: 'price' } });
    await page.request('r2', 'choose', { params: { column: 'date' } });
    expect(page.results('r1')[0]).toMatchObject({ success: false, error: { code: 'VALIDATION_ERROR' } });
    expect(page.results('r2')[0]).toMatchObject({ success: true });
    expect(handler.mock.calls.map(([params]) => params)).toEqual([{ column: 'date' }]);
  });

  it('changes with a signal: one registration, no new mount, the new values count', async () => {
    const names = signal(['date']);
    const page = await pageWith(() => names.value);
    names.value = ['date', 'size'];
    names.value = ['date', 'price'];
    await pass(0);
    expect(registered(page)).toHaveLength(2);
    expect(told(page)).toEqual(['date', 'price']);
    expect(page.frames('surface:deregister')).toEqual([]);
    await page.request('r1', 'choose', { params: { column: 'price' } });
    expect(page.results('r1')[0]).toMatchObject({ success: true });
    names.value = ['date', 'price'];
    await pass(0);
    expect(registered(page)).toHaveLength(2);
  });

  it('changes by what a handler did: the result carries the new hash', async () => {
    let names = ['date'];
    const page = await pageWith(() => names);
    handler.mockImplementation(() => void (names = ['price']));
    const before = page.runtime.snapshot().surfacesHash;
    await page.request('r1', 'choose');
    const { surfacesHash: hash, surfaces } = page.results('r1')[0]!;
    expect(hash).not.toBe(before);
    expect(hash).toBe(surfacesHash(surfaces!));
    expect(hash).toBe(page.runtime.snapshot().surfacesHash);
    expect(told(page)).toEqual(['price']);
  });

  it.each<[string, () => unknown, RegExp]>([
    ['throws', () => { throw new Error('Nothing is open.'); }, /could not say its values \(Nothing is open\.\)/],
    ['returns no list', () => 'price', /returned the text "price", no list/],
    ['returns what is not JSON', () => [() => 1], /returned values that are not JSON/],
  ])('keeps its values while it %s, with one warning', async (_what, broken, message) => {
    let names: () => unknown = () => ['date'];
    const page = await pageWith(() => names());
    names = broken;
    page.mounted.refresh();
    page.mounted.refresh();
    await pass(0);
    expect(told(page)).toEqual(['date']);
    expect(registered(page)).toHaveLength(1);
    const column = warn.mock.calls.filter(([text]) => text.includes('/properties/column/enum'));
    expect(column).toEqual([[expect.stringMatching(/^\[OUI1304\].*action "choose" of surface "charts"/)]]);
    expect(column[0]![0]).toMatch(message);
    names = () => ['size'];
    page.mounted.refresh();
    await pass(0);
    expect(told(page)).toEqual(['size']);
  });

  it('is no rule before it could say its values once', async () => {
    const page = await pageWith(() => undefined);
    expect(registered(page)[0]?.surface?.actions[0]?.input).toMatchObject({ properties: { column: { type: 'string' } } });
    expect(told(page)).toBeUndefined();
    await page.request('r1', 'choose', { params: { column: 'anything' } });
    expect(page.results('r1')[0]).toMatchObject({ success: true });
  });

  it('is for inputs only', () => {
    const schema = { enum: () => [1] };
    const surface = { id: 'charts', name: 'Charts', description: 'Choose.' };
    const action = { id: 'choose', description: 'Chooses.', input: {}, handler: () => 1 };
    expect(() => defineSurface({ ...surface, actions: [{ ...action, output: schema }] })).toThrow(
      /action "choose": output\/enum is a function: only an enum in the input/,
    );
    const observations = [{ id: 'shown', description: 'What is shown.', schema: { items: schema } }];
    expect(() => defineSurface({ ...surface, actions: [action], observations })).toThrow(
      /observation "shown": schema\/items\/enum is a function/,
    );
  });
});
