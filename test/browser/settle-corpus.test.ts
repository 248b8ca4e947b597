import { expect } from 'chai';
import { IN_PAGE } from './fixtures/settle/patterns-in-page.js';
import { WITH_REQUESTS } from './fixtures/settle/patterns-requests.js';
import { play } from './fixtures/settle/play.js';
import type { Answered, Pattern } from './fixtures/settle/pattern.js';

const PATTERNS = [...IN_PAGE, ...WITH_REQUESTS];

/**
 * On a machine with time to spare 250 ms are enough where the corpus says so. A busy one must not turn a test red, and
 * the frames of a page that never rests may be further apart there; where the answer by default is early it stays at
 * 250 ms, so that only tracking makes it right.
 */
const AMPLE_MS = 1000;
const AMPLE: ReadonlySet<Answered> = new Set(['right', 'unsettled']);

/** Each way in which pages work, and whether its answer is right; where it is not, the pattern names the remedy. */
function describeMode(mode: string, track: boolean, expected: (pattern: Pattern) => Answered): void {
  describe(`settling ${mode}`, () => {
    for (const pattern of PATTERNS) {
      it(`${pattern.name}: ${expected(pattern)}`, async () => {
        const { answered, value, result } = await play(pattern, {
          track,
          ...(AMPLE.has(pattern.byDefault) && { quietMs: AMPLE_MS }),
        });
        const detail = JSON.stringify({ value, settled: result.settled });
        if (expected(pattern) === 'depends') expect(answered, detail).to.be.oneOf(['right', 'early']);
        else expect(answered, detail).to.equal(expected(pattern));
        expect(result.success, JSON.stringify(result.error)).to.equal(pattern.fails !== true);
      });
    }
  });
}

describeMode('by default', false, ({ byDefault }) => byDefault);
describeMode('with track', true, ({ tracked }) => tracked);

describe('the patterns', () => {
  it('name a remedy where, and only where, an answer is not right', () => {
    const wrong = PATTERNS.filter(
      ({ byDefault, tracked, remedy }) => (byDefault === 'right' && tracked === 'right') !== (remedy === undefined),
    );
    expect(wrong.map(({ name }) => name)).to.deep.equal([]);
  });
});
