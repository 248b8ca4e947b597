import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OUIActionResult } from '../../../src/protocol/events.js';
import { trimResult } from '../../../src/rules/trim.js';

const cut = { surface: 's', observation: 'o', path: '', kind: 'list', total: 9, kept: 0 } as const;

const outcome = {
  requestId: 'r',
  success: false,
  error: { code: 'app:failed', message: 'm', details: { a: 1 } },
  interim: false,
  durationMs: 5,
  timestamp: 7,
  surfacesHash: 'fnv1a64:0',
  settled: true,
};
const offered = [{ id: 's', name: 'S', description: 'd', actions: [] }];
const state = { data: { big: 1 }, observations: { s: { o: [] } }, fit: { observations: [cut] } };

/** All the forms a result takes, one refusal after another. */
function forms(result: OUIActionResult): OUIActionResult[] {
  const all: OUIActionResult[] = [];
  for (let next: OUIActionResult | undefined = result; next !== undefined; next = trimResult(next, 'too large')) {
    all.push(next);
  }
  return all;
}

const delivery = (...omitted: string[]) => ({ trimmed: true, reason: 'too large', omitted });

describe('trimResult', () => {
  it('leaves out the offered part, then the observations and their cuts, then data', () => {
    const whole: OUIActionResult = { ...outcome, ...state, surfaces: offered };
    expect(forms(whole)).toEqual([
      whole,
      { ...outcome, ...state, delivery: delivery('surfaces') },
      { ...outcome, data: state.data, delivery: delivery('surfaces', 'observations') },
      { ...outcome, delivery: delivery('surfaces', 'observations', 'data') },
    ]);
  });

  it('passes over what is not there', () => {
    expect(forms({ ...outcome, data: null }).slice(1)).toEqual([{ ...outcome, delivery: delivery('data') }]);
    expect(forms({ ...outcome, index: [], data: 0 }).slice(1)).toEqual([
      { ...outcome, data: 0, delivery: delivery('index') },
      { ...outcome, delivery: delivery('index', 'data') },
    ]);
    expect(forms(outcome)).toEqual([outcome]);
  });

  it('keeps what was said of data that was left out', () => {
    const fit = { data: { bytes: 2, limit: 1 } };
    const [, trimmed] = forms({ ...outcome, observations: {}, fit: { ...fit, observations: [cut] } });
    expect(trimmed).toEqual({ ...outcome, fit, delivery: delivery('observations') });
  });

  it('adds to what an earlier step left out, with the newest reason', () => {
    const before = { trimmed: true, reason: 'frame too large', omitted: ['surfaces'] };
    expect(trimResult({ ...outcome, data: 1, delivery: before }, 'too large')).toEqual({
      ...outcome,
      delivery: delivery('surfaces', 'data'),
    });
  });

  it('keeps the outcome, changes no source, and takes four sends at most', () => {
    const results = fc.record(
      {
        requestId: fc.string(),
        success: fc.boolean(),
        timestamp: fc.nat(),
        data: fc.jsonValue(),
        error: fc.record({ code: fc.string(), message: fc.string() }),
        interim: fc.boolean(),
        durationMs: fc.nat(),
        surfaces: fc.constant(offered),
        index: fc.constant([]),
        surfacesHash: fc.string(),
        observations: fc.constant(state.observations),
        fit: fc.constantFrom(state.fit, { data: { bytes: 2, limit: 1 } }),
        settled: fc.boolean(),
        later: fc.jsonValue(),
      },
      { requiredKeys: ['requestId', 'success', 'timestamp'] },
    );
    fc.assert(
      fc.property(results, (source) => {
        const before = structuredClone(source);
        const all = forms(source);
        expect(all.length).toBeLessThanOrEqual(4);
        expect(source).toEqual(before);
        const { data: _d, surfaces: _s, index: _i, observations: _o, fit: _f, ...kept } = source;
        for (const [step, form] of all.entries()) {
          expect(form).toMatchObject(kept);
          const smaller = all[step + 1];
          if (smaller) {
            const { delivery: omission, ...members } = smaller;
            const { delivery: _earlier, ...more } = form;
            expect(JSON.stringify(members).length).toBeLessThan(JSON.stringify(more).length);
            for (const name of omission?.omitted ?? []) expect(smaller).not.toHaveProperty([name]);
          }
        }
      }),
    );
  });
});
