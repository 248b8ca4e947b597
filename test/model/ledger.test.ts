import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { MockInstance } from 'vitest';
import { schedules, scheduleText } from './schedule.js';
import type { Schedule } from './schedule.js';
import { World } from './world.js';

const RUNS = Number(process.env['OUI_MODEL_RUNS'] ?? 500);
/** What a bad day may take at most on a busy machine: it takes about 5 ms. */
const MOST_MS = 200;
const SEED = process.env['OUI_MODEL_SEED'];

let warn: MockInstance<typeof console.warn>;
beforeAll(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterAll(() => warn.mockRestore());

/** What happened, for whoever must understand a counterexample. */
async function story(schedule: Schedule): Promise<string> {
  const lines: string[] = [];
  const violations = await new World(schedule, (line) => lines.push(line)).play();
  return [...violations, '', scheduleText(schedule), '', ...lines].join('\n');
}

describe('the ledger model', () => {
  it(`no handler starts twice and every accepted request has one outcome, in ${RUNS} bad days`, async () => {
    const property = fc.asyncProperty(schedules, async (schedule) => {
      const violations = await new World(schedule).play();
      if (violations.length > 0) throw new Error(violations.join('\n'));
    });
    const details = await fc.check(property, {
      numRuns: RUNS,
      ...(SEED === undefined ? {} : { seed: Number(SEED) }),
    });
    if (!details.failed) return;
    const [schedule] = details.counterexample ?? [];
    const where = `Seed ${details.seed}, path ${details.counterexamplePath}, after ${details.numRuns} runs, `
      + `shrunk ${details.numShrinks} times.`;
    expect.fail(`${where}\n${schedule ? await story(schedule) : String(details.errorInstance)}`);
  }, 60_000 + RUNS * MOST_MS);
});
