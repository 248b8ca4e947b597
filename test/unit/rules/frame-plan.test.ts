import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fit } from '../../../src/protocol/events.js';
import { utf8Length } from '../../../src/protocol/byte-length.js';
import { observationsText } from '../../../src/rules/fit.js';
import type { ObservationTexts } from '../../../src/rules/fit.js';
import { planFrame } from '../../../src/rules/frame-plan.js';
import { objectText } from '../../../src/rules/frame-text.js';
import { ObservationFitter } from '../../../src/rules/observation-fitter.js';

const KIB = 1024;
const BUDGET = 480 * KIB;

/** JSON text of so many bytes. */
const textOf = (bytes: number): string => `"${'x'.repeat(bytes - 2)}"`;
const one = (text: string): ObservationTexts => new Map([['s', new Map([['o', text]])]]);
/** A result without data and observations, and with an offered part of a size. */
const wholeOf = (offered: number) => objectText([['requestId', '"r"'], ['surfaces', textOf(offered)]]);

function frameOf(offered: number, data: string | undefined, observations: ObservationTexts, budget = BUDGET) {
  const whole = wholeOf(offered);
  const plan = planFrame(
    { wholeBytes: utf8Length(whole), data, observations: new ObservationFitter(observations) },
    budget,
  );
  const members = objectText([['data', plan.data], ['observations', plan.observations], ['fit', plan.fit]]);
  const frame = members === '{}' ? whole : `${whole.slice(0, -1)},${members.slice(1)}`;
  return { ...plan, bytes: utf8Length(frame), fit: plan.fit === undefined ? undefined : (JSON.parse(plan.fit) as Fit) };
}

describe('planFrame', () => {
  it('sends what fits as it is, however little data leaves', () => {
    const data = textOf(470 * KIB);
    const observations = one(textOf(5 * KIB));
    expect(frameOf(100, data, observations)).toMatchObject({
      data,
      observations: observationsText(observations),
      fit: undefined,
    });
    expect(frameOf(100, undefined, new Map())).toMatchObject({ data: undefined, observations: '{}', fit: undefined });
  });

  it('sends data whole and cuts the observations while 16 KiB are left for them', () => {
    const data = textOf(400 * KIB);
    const rows = JSON.stringify(Array.from({ length: 50_000 }, (_, index) => index));
    const plan = frameOf(40 * KIB, data, one(rows));
    expect(plan.data).toBe(data);
    expect(plan.fit).toEqual({
      observations: [{ surface: 's', observation: 'o', path: '', kind: 'list', total: 50_000, kept: 200 }],
    });
  });

  it('leaves data out when it leaves less, and says how large it is and could be', () => {
    const empty = utf8Length(wholeOf(2));
    // `,"data":` and what goes whole leave this for data and observations.
    const limit = BUDGET - empty - 8 - 16 * KIB;
    const observations = one(textOf(20 * KIB));
    expect(frameOf(2, textOf(limit), observations).data).toBeDefined();
    expect(frameOf(2, textOf(limit + 1), observations)).toMatchObject({
      data: undefined,
      observations: observationsText(observations),
      fit: { data: { bytes: limit + 1, limit } },
    });
  });

  it('cuts the observations too when they do not fit without data', () => {
    const plan = frameOf(10, textOf(600 * KIB), one(textOf(600 * KIB)));
    expect(plan).toMatchObject({ data: undefined, observations: JSON.stringify({ s: { o: 'x'.repeat(2000) } }) });
    expect(plan.fit?.data?.bytes).toBe(600 * KIB);
    expect(plan.fit?.observations).toHaveLength(1);
  });

  it('leaves the observations out when there is no room for their shortest form', () => {
    const plan = frameOf(BUDGET - 100, textOf(200), one(textOf(500)));
    expect(plan).toMatchObject({ data: undefined, observations: undefined, fit: { data: { bytes: 200, limit: 0 } } });
    expect(plan.fit?.observations).toBeUndefined();
  });

  it('keeps data that is not what leaves the observations so little', () => {
    expect(frameOf(BUDGET - 1000, textOf(10), one(textOf(500)))).toMatchObject({ data: textOf(10), fit: undefined });
    expect(frameOf(BUDGET - 100, textOf(10), one(textOf(500)))).toMatchObject({
      data: textOf(10),
      observations: undefined,
      fit: undefined,
    });
  });

  it('is within its budget', { timeout: 60_000 }, () => {
    const size = fc.oneof(fc.integer({ min: 2, max: 3000 }), fc.integer({ min: 10_000, max: 50_000 }));
    const text = fc.oneof(
      size.map(textOf),
      fc.integer({ min: 0, max: 3000 }).map((rows) => JSON.stringify(Array.from({ length: rows }, () => ['é', rows]))),
    );
    const observations = fc
      .array(fc.tuple(fc.constantFrom('s', 't'), fc.string({ maxLength: 3 }), text), { maxLength: 4 })
      .map((rows): ObservationTexts => {
        const bySurface = new Map<string, Map<string, string>>();
        for (const [surface, id, value] of rows) {
          bySurface.set(surface, (bySurface.get(surface) ?? new Map<string, string>()).set(id, value));
        }
        return bySurface;
      });
    fc.assert(
      fc.property(size, fc.option(text, { nil: undefined }), observations, size, (offered, data, values, more) => {
        const budget = utf8Length(wholeOf(offered)) + 64 + more;
        const plan = frameOf(offered, data, values, budget);
        expect(plan.bytes).toBeLessThanOrEqual(budget);
        expect(plan.data === data || plan.fit?.data?.bytes === utf8Length(data ?? '')).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
