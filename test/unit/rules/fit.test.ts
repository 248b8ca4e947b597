import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cut, OUIObservationValues } from '../../../src/protocol/events.js';
import { resolvePointer } from '../../../src/protocol/json-pointer.js';
import { fitObservations, fitObservationTexts, fitValueText, observationsText } from '../../../src/rules/fit.js';
import { bytesOf, frameBytes, modelFit } from './fit-model.js';

const KIB = 1024;

const list = (length: number): number[] => Array.from({ length }, (_, index) => index);
const wide = (keys: number) => Object.fromEntries(list(keys).map((key) => [`key${key}`, key]));
const textsOf = (values: OUIObservationValues) =>
  new Map(
    Object.entries(values).map(([surface, own]) => [
      surface,
      new Map(Object.entries(own).map(([id, value]) => [id, JSON.stringify(value)])),
    ]),
  );

/** Fits one value into what is left beside `{"s":{"o":…}}`. */
function fitOne(value: unknown, budget: number) {
  const { observations, fit, fits } = fitObservations({ s: { o: value } }, budget);
  return { value: observations['s']?.['o'], cuts: fit?.observations, fits };
}

const cutAt = (path: string, kind: Cut['kind'], total: number, kept: number): Cut => {
  return { surface: 's', observation: 'o', path, kind, total, kept };
};

describe('fitObservations', () => {
  it('leaves alone what fits, to the byte', () => {
    const source = { s: { o: { rows: list(300), text: 'é😀'.repeat(1500) } } };
    expect(fitObservations(source, bytesOf(source))).toEqual({ observations: source, fits: true });
    expect(fitObservations(source, bytesOf(source)).observations).toBe(source);
    expect(fitObservations(source, bytesOf(source) - 1).fit?.observations).toHaveLength(1);
    expect(fitObservations({}, 2)).toEqual({ observations: {}, fits: true });
  });

  it.each([
    [200, 1_000],
    [50, 400],
    [20, 200],
    [5, 130],
    [0, 125],
  ])('cuts a list to %i rows for %i bytes', (kept, budget) => {
    expect(fitOne(list(1000), budget)).toEqual({
      value: list(kept),
      cuts: [cutAt('', 'list', 1000, kept)],
      fits: true,
    });
  });

  it('cuts every list at every depth to the same number of rows, and none that is shorter', () => {
    const source = { long: list(1000), short: list(50), 'a/b~c': [{ deep: list(300) }, ...list(60)], none: [] };
    expect(fitOne(source, 1100)).toEqual({
      value: { long: list(50), short: list(50), 'a/b~c': [{ deep: list(50) }, ...list(49)], none: [] },
      cuts: [
        cutAt('/long', 'list', 1000, 50),
        cutAt('/a~1b~0c/0/deep', 'list', 300, 50),
        cutAt('/a~1b~0c', 'list', 61, 50),
      ],
      fits: true,
    });
  });

  it('does not report lists inside rows that are gone', () => {
    const rows = list(30).map(() => ({ cells: list(30) }));
    const { cuts } = fitOne(rows, 1200);
    expect(cuts?.map(({ path }) => path)).toEqual([...list(5).map((row) => `/${row}/cells`), '']);
  });

  it('knows which rows are gone at every depth', () => {
    const cube = list(60).map(() => list(30).map(() => list(30)));
    const paths = (kept: number) => [
      ...list(kept).flatMap((row) => [...list(kept).map((inner) => `/${row}/${inner}`), `/${row}`]),
      '',
    ];
    // What the report takes beside rows of numbers: the budgets are right for 20 rows and for 5.
    expect(fitOne(cube, 60_000).cuts?.map(({ path }) => path)).toEqual(paths(20));
    expect(fitOne(cube, 6_000).cuts?.map(({ path }) => path)).toEqual(paths(5));
  });

  it('cuts texts when the lists have no rows left, at 2,000 units', () => {
    const source = { rows: list(6), long: 'x'.repeat(3000), exact: 'y'.repeat(2000) };
    expect(fitOne(source, 4500)).toEqual({
      value: { rows: [], long: 'x'.repeat(2000), exact: 'y'.repeat(2000) },
      cuts: [cutAt('/rows', 'list', 6, 0), cutAt('/long', 'text', 3000, 2000)],
      fits: true,
    });
    const { rows, long, exact } = source;
    expect(fitOne({ long, rows, exact }, 4500).value).toEqual({ long: 'x'.repeat(2000), rows: [], exact });
    expect(fitOne('x'.repeat(3000), 2500).cuts).toEqual([cutAt('', 'text', 3000, 2000)]);
  });

  it.each([
    ['a pair at the cut', `${'x'.repeat(1999)}😀${'y'.repeat(900)}`, 1999],
    ['a pair before it', `${'x'.repeat(1998)}😀${'y'.repeat(900)}`, 2000],
    ['a lone half, which JSON escapes', `${'x'.repeat(1999)}\ud83d${'y'.repeat(900)}`, 2000],
    ['escapes', '"\\\n\u0001'.repeat(700), 2000],
  ])('does not split %s', (_name, text, kept) => {
    expect(fitOne(text, bytesOf(text) - 1)).toEqual({
      value: text.slice(0, kept),
      cuts: [cutAt('', 'text', text.length, kept)],
      fits: true,
    });
  });

  it('does not split a pair that is written with escapes, nor one', () => {
    const text = `"${'x'.repeat(1999)}\\ud83d\\uDE00${'y'.repeat(900)}"`;
    const { value, cuts } = fitValueText('s', 'o', text, 2500);
    expect(value).toBe(`"${'x'.repeat(1999)}"`);
    expect(cuts).toEqual([cutAt('', 'text', 2901, 1999)]);
  });

  it('gives up whole observations, the largest first, and only as many as it must', () => {
    const source = { a: { small: wide(10), big: wide(200) }, b: { bigger: wide(300), one: 1 } };
    const bigger = { surface: 'b', observation: 'bigger', path: '', kind: 'value', total: bytesOf(wide(300)), kept: 0 };
    expect(fitObservations(source, 3000)).toEqual({
      observations: { ...source, b: { bigger: null, one: 1 } },
      fit: { observations: [bigger] },
      fits: true,
    });
    const big = { surface: 'a', observation: 'big', path: '', kind: 'value', total: bytesOf(wide(200)), kept: 0 };
    expect(fitObservations(source, 600)).toEqual({
      observations: { a: { small: source.a.small, big: null }, b: { bigger: null, one: 1 } },
      fit: { observations: [big, bigger] },
      fits: true,
    });
  });

  it('takes the largest of those that would fit alone', () => {
    const source = { s: { a: wide(100), b: wide(150), c: wide(120) } };
    const budget = bytesOf(source) - 1;
    expect(bytesOf(source.s.b)).toBeLessThan(budget);
    expect(fitObservations(source, budget).observations).toEqual({ s: { ...source.s, b: null } });
  });

  it('gives up what would fit by itself only with rows that the last step takes', () => {
    const many = { ...Object.fromEntries(list(60).map((key) => [`k${key}`, [key]])), rows: list(2000) };
    const source = { s: { many, other: wide(210) } };
    const { observations, fit } = fitObservations(source, 3000);
    expect(fitOne(many, 3000).fits).toBe(true);
    expect(observations).toEqual({ s: { many: null, other: source.s.other } });
    expect(fit?.observations).toHaveLength(1);
  });

  it('leaves whole what is shorter than its report, when everything fits then', () => {
    const source = { s: { a: [1, 2], b: [3, 4], c: wide(100) } };
    expect(fitObservations(source, 170)).toMatchObject({ observations: { s: { ...source.s, c: null } }, fits: true });
  });

  it('says so when nothing is small enough, and leaves whole what is shorter than its report', () => {
    const source = { s: { a: [1, 2], b: 'x'.repeat(500), c: true } };
    expect(fitObservations(source, 40)).toMatchObject({
      observations: { s: { a: [1, 2], b: null, c: true } },
      fit: { observations: [{ observation: 'b', kind: 'value', total: 502, kept: 0 }] },
      fits: false,
    });
    const smallest = { s: { a: [1, 2], b: null, c: true } };
    expect(fitObservations(source, -1)).toMatchObject({ observations: smallest, fits: false });
    expect(fitObservations({ s: { a: 1 } }, 3)).toEqual({ observations: { s: { a: 1 } }, fits: false });
  });

  it('counts the report: many short lists cost more than they save', () => {
    const lists = Object.fromEntries(list(2000).map((key) => [`key${key}`, [key, key]]));
    const { value, cuts } = fitOne(lists, bytesOf(lists) - 100);
    expect(value).toBeNull();
    expect(cuts).toEqual([cutAt('', 'value', bytesOf(lists), 0)]);
  });

  it('takes ids and keys as they are', () => {
    const textOf = (rows: number) => `{"__proto__":{"__proto__":{"__proto__":${JSON.stringify(list(rows))}}}}`;
    const { observations, fit } = fitObservations(JSON.parse(textOf(500)) as OUIObservationValues, 1000);
    expect(JSON.stringify(observations)).toBe(textOf(200));
    expect(fit?.observations).toEqual([
      { surface: '__proto__', observation: '__proto__', path: '/__proto__', kind: 'list', total: 500, kept: 200 },
    ]);
  });

  it('leaves out what is no value, and throws as JSON.stringify does', () => {
    const source = { s: { a: undefined, b: () => 1, c: list(300) } };
    expect(fitObservations(source, 1000)).toMatchObject({ observations: { s: { c: list(200) } }, fits: true });
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(() => fitObservations({ s: { cycle } }, 10)).toThrow(TypeError);
  });

  it('reads deep nesting without recursion', () => {
    const deep = `${'{"a":'.repeat(100_000)}${JSON.stringify(list(300))}${'}'.repeat(100_000)}`;
    expect(fitValueText('s', 'o', deep, 1000)).toMatchObject({ value: 'null', fits: true });
    const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const { value, cuts } = fitValueText('s', 'o', nested, 1000);
    expect([value, cuts]).toEqual(['[]', [cutAt('', 'list', 1, 0)]]);
  });

  it('does no harm to white space', () => {
    const pretty = JSON.stringify({ rows: list(300), none: [], text: 'a]' }, undefined, 2).replace('[]', '[ \n ]');
    const { value, cuts } = fitValueText('s', 'o', pretty, 2500);
    expect(JSON.parse(value)).toEqual({ rows: list(200), none: [], text: 'a]' });
    expect(cuts).toEqual([cutAt('/rows', 'list', 300, 200)]);
    const empty = fitValueText('s', 'o', `{ "rows" : [ 1 , 2 ], "x": ${' '.repeat(500)}1 }`, 900);
    expect(empty.value).toContain('"rows" : [ 1 , 2 ]');
  });
});

describe('properties of fitting', { timeout: 60_000 }, () => {
  const unit = fc.constantFrom('a', 'b', '"', '\\', '\n', 'é', '漢', '😀', '\ud83d', '\u0001', ']', '}', ',');
  const text = fc.string({ unit, maxLength: 12 });
  const longText = fc
    .tuple(text, fc.integer({ min: 1990, max: 2010 }), text)
    .map(([start, length, end]) => `${start}${'x'.repeat(length - start.length)}${end}`);
  const key = fc.oneof(text, fc.constantFrom('a/b', 'm~n', '__proto__', 'constructor', '0', ''));
  const length = fc.constantFrom(0, 1, 5, 6, 20, 21, 50, 51, 200, 201, 260);
  const numbers = fc.tuple(length, fc.nat(1000)).map(([count, start]) => list(count).map((row) => row + start));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<unknown>(null, true, 7, -1.5e-9),
      text,
      longText,
      numbers,
      fc.tuple(length, fc.array(tie('value'), { minLength: 1, maxLength: 3 })).map(([count, items]) => {
        return list(Math.min(count, 60)).map((row) => items[row % items.length]);
      }),
      fc.dictionary(key, tie('value'), { maxKeys: 6 }),
    ),
  }));
  const observations: fc.Arbitrary<OUIObservationValues> = fc.dictionary(
    key,
    fc.dictionary(key, value, { maxKeys: 3 }),
    { maxKeys: 3 },
  );
  /** A budget somewhere between nothing and all of it. */
  const share = fc.double({ min: 0, max: 1.05, noNaN: true });
  const budgetOf = (source: OUIObservationValues, part: number): number => Math.floor(bytesOf(source) * part * part);

  it('is the rule as it is written', () => {
    fc.assert(
      fc.property(observations, share, (source, part) => {
        const budget = budgetOf(source, part);
        const expected = modelFit(source, budget);
        const { observations: fitted, fit, fits } = fitObservations(source, budget);
        // Where the rule ends, what is shorter than its report may still go whole.
        if (expected === undefined) return;
        expect(fits).toBe(true);
        const order = (cuts: readonly Cut[]) => cuts.map((cut) => JSON.stringify(cut)).sort();
        expect(JSON.stringify(fitted)).toBe(JSON.stringify(expected.observations));
        expect(order(fit?.observations ?? [])).toEqual(order(expected.cuts));
      }),
      { numRuns: 60 },
    );
  });

  it('is never over the budget, and changes no source', () => {
    fc.assert(
      fc.property(observations, share, (source, part) => {
        const before = JSON.stringify(source);
        const budget = budgetOf(source, part);
        const { observations: fitted, fit, fits } = fitObservations(source, budget);
        const bytes = frameBytes({ observations: fitted, cuts: fit?.observations ?? [] });
        expect(bytes <= budget).toBe(fits);
        expect(JSON.stringify(source)).toBe(before);
      }),
      { numRuns: 60 },
    );
  });

  it('reports every cut: the report and the source together give what was sent', () => {
    fc.assert(
      fc.property(observations, share, (source, part) => {
        const { observations: fitted, fit } = fitObservations(source, budgetOf(source, part));
        const rebuilt = structuredClone(source) as Record<string, Record<string, unknown>>;
        // Innermost first: what is left of a list that is cut is still in its place.
        for (const { surface, observation, path, kind, total, kept } of fit?.observations ?? []) {
          const whole = resolvePointer(source[surface]?.[observation], path);
          expect(kind === 'value' ? bytesOf(whole) : (whole as string | unknown[]).length).toBe(total);
          expect(kept).toBeLessThan(total);
          const values = rebuilt[surface] as Record<string, unknown>;
          const end = path.lastIndexOf('/');
          const parent = path === '' ? values : (resolvePointer(values[observation], path.slice(0, end)) as object);
          const name = path === '' ? observation : path.slice(end + 1).replaceAll('~1', '/').replaceAll('~0', '~');
          const present = (parent as Record<string, unknown>)[name] as string | unknown[];
          const cut = kind === 'value' ? null : present.slice(0, kept);
          Object.defineProperty(parent, name, { value: cut, enumerable: true, configurable: true, writable: true });
        }
        expect(JSON.stringify(fitted)).toBe(JSON.stringify(rebuilt));
      }),
      { numRuns: 60 },
    );
  });

  it('is the same from JSON texts', () => {
    fc.assert(
      fc.property(observations, share, (source, part) => {
        const budget = budgetOf(source, part);
        const { observations: values, fit, fits } = fitObservations(source, budget);
        const fromTexts = fitObservationTexts(textsOf(source), budget);
        expect(observationsText(fromTexts.observations)).toBe(JSON.stringify(values));
        expect([fromTexts.cuts, fromTexts.fits]).toEqual([fit?.observations ?? [], fits]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('fitValueText', () => {
  it('fits an update: the value and its report', () => {
    const rows = JSON.stringify(list(100_000).map((id) => ({ id, name: `row ${id}` })));
    const { value, cuts, fits } = fitValueText('s', 'o', rows, 256 * KIB);
    expect(JSON.parse(value)).toHaveLength(200);
    expect([cuts, fits]).toEqual([[cutAt('', 'list', 100_000, 200)], true]);
  });

  it('gives the text back when it fits', () => {
    expect(fitValueText('s', 'o', '[1,2]', 5)).toEqual({ value: '[1,2]', cuts: [], fits: true });
  });
});
