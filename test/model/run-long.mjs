import { program, runNode } from '../child-process.mjs';

/**
 * `npm run test:long` plays 100,000 bad days, other ones each time; `npm run test:long -- 5000 17` so many, beginning
 * with this seed. A failure names its seed: the same one plays the same days.
 */
const [runs = '100000', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
console.log(`${runs} bad days, from seed ${seed}.`);
process.exitCode = await runNode([program('vitest/vitest.mjs'), 'run', '--project', 'model'], {
  OUI_MODEL_RUNS: runs,
  OUI_MODEL_SEED: seed,
});
