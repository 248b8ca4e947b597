import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { MockInstance } from 'vitest';
import { EXAMPLES } from './examples.js';
import { schedules, scheduleText } from './schedule.js';
import type { Schedule } from './schedule.js';
import { Tally } from './tally.js';
import { World } from './world.js';

/** How many bad days there are, and where they begin: the same ones each time, unless they are asked for otherwise. */
const RUNS = Number(process.env['OUI_MODEL_RUNS'] ?? 1_200);
const SEED = Number(process.env['OUI_MODEL_SEED'] ?? 1);
/** Played in one go; more would keep fast-check's whole history in memory. */
const PORTION = 5_000;
/** What a bad day may take at most on a busy machine: it takes 5 to 10 ms. */
const MOST_MS = 200;

let warn: MockInstance<typeof console.warn>;
beforeAll(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterAll(() => warn.mockRestore());

const tally = new Tally();

/** Plays bad days until one goes wrong. @returns what to tell of it. */
async function firstFailure(seed: number, numRuns: number): Promise<string | undefined> {
  const property = fc.asyncProperty(schedules, async (schedule) => {
    const world = new World(schedule);
    const violations = await world.play();
    if (violations.length > 0) throw new Error(violations.join('\n'));
    tally.add(world.tally);
  });
  const examples = EXAMPLES.map((schedule): [Schedule] => [schedule]);
  const details = await fc.check(property, { seed, numRuns: numRuns + examples.length, examples });
  if (!details.failed) return undefined;
  const { counterexample, counterexamplePath, numShrinks, errorInstance } = details;
  const where = `Seed ${seed}, path ${counterexamplePath}, after ${details.numRuns} runs, shrunk ${numShrinks} times.`;
  return `${where}\n${counterexample ? await story(counterexample[0]) : String(errorInstance)}`;
}

/** What was wrong, the schedule, and what happened: for whoever must understand it. */
async function story(schedule: Schedule): Promise<string> {
  const lines: string[] = [];
  const violations = await new World(schedule, (line) => lines.push(line)).play();
  return [...violations, '', scheduleText(schedule), '', ...lines].join('\n');
}

describe('the ledger model', () => {
  it(`no handler starts twice and every accepted request has one outcome, in ${RUNS} bad days`, async () => {
    for (let done = 0; done < RUNS; done += PORTION) {
      const failure = await firstFailure(SEED + done / PORTION, Math.min(PORTION, RUNS - done));
      if (failure !== undefined) expect.fail(failure);
      if (RUNS > PORTION) console.log(`${Math.min(RUNS, done + PORTION)} of ${RUNS} bad days`);
    }
  }, 60_000 + RUNS * MOST_MS);

  it('the days are bad enough: each kind of misfortune befell requests that were under way', () => {
    expect(tally.missing()).toEqual([]);
  });
});
