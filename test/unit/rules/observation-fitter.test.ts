import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitObservationTexts, observationsText } from '../../../src/rules/fit.js';
import type { ObservationTexts } from '../../../src/rules/fit.js';
import { ObservationFitter } from '../../../src/rules/observation-fitter.js';
import { OutlineMemory } from '../../../src/rules/outline-memory.js';

const value = fc.oneof(
  fc.integer({ min: 0, max: 400 }).map((rows) => Array.from({ length: rows }, (_, index) => ({ id: index, é: 'ü' }))),
  fc.integer({ min: 0, max: 1500 }).map((length) => ({ text: '😀"'.repeat(length) })),
  fc.jsonValue({ maxDepth: 2 }),
);
const observations = fc
  .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), value), { selector: ([id]) => id, minLength: 1 })
  .map((rows): ObservationTexts => new Map([['s', new Map(rows.map(([id, each]) => [id, JSON.stringify(each)]))]]));

describe('ObservationFitter', () => {
  it('gives for every budget, in any order, what fitting anew would give', () => {
    const budgets = fc.array(fc.integer({ min: 0, max: 8_000 }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(observations, budgets, (texts, wanted) => {
        const fitter = new ObservationFitter(texts);
        // Near ones as well: they are where a remembered form is taken.
        for (const budget of wanted.flatMap((each) => [each, each - 3, each + 3])) {
          const { text, cuts, fits } = fitter.fit(budget);
          const anew = fitObservationTexts(texts, budget);
          expect({ text, cuts, fits }).toEqual({
            text: observationsText(anew.observations),
            cuts: anew.cuts,
            fits: anew.fits,
          });
        }
      }),
      { numRuns: 60 },
    );
  });

  it('gives the same with what was learned of other values, and with more or less room', () => {
    const outlines = new OutlineMemory();
    fc.assert(
      fc.property(observations, fc.integer({ min: 0, max: 8_000 }), (texts, budget) => {
        const { text, cuts, fits } = new ObservationFitter(texts, outlines).fit(budget);
        const anew = fitObservationTexts(texts, budget);
        const expected = { text: observationsText(anew.observations), cuts: anew.cuts, fits: anew.fits };
        expect({ text, cuts, fits }).toEqual(expected);
        const again = new ObservationFitter(texts, outlines).fit(budget - 100);
        expect(again.cuts).toEqual(fitObservationTexts(texts, budget - 100).cuts);
      }),
      { numRuns: 60 },
    );
  });

  it('looks at a value once, while others change', () => {
    const outlines = new OutlineMemory();
    const rows = JSON.stringify(Array.from({ length: 5000 }, (_, index) => index));
    const looked: string[] = [];
    const fit = (count: number, room: number): void => {
      outlines.during((outlineOf) => {
        const values = [
          { surface: 's', observation: 'rows', text: rows },
          { surface: 's', observation: 'count', text: String(count) },
        ];
        return values.map((each) => outlineOf(each, room));
      }, (each) => void looked.push(each.observation));
    };
    fit(1, 5000);
    fit(2, 4990);
    fit(2, 4000);
    expect(looked).toEqual(['rows', 'count', 'count']);
    fit(2, 50_000);
    expect(looked).toEqual(['rows', 'count', 'count', 'rows', 'count']);
  });

  it('remembers what it fitted', () => {
    const rows = JSON.stringify(Array.from({ length: 5000 }, (_, index) => index));
    const fitter = new ObservationFitter(new Map([['s', new Map([['o', rows]])]]));
    const first = fitter.fit(5000);
    expect(first.cuts).toHaveLength(1);
    expect(fitter.fit(4900)).toBe(first);
    expect(fitter.fit(10)).not.toBe(first);
    expect(fitter.fit(5000)).toBe(first);
    expect(fitter.fit(100_000)).toBe(fitter.whole);
  });
});
