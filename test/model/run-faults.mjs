import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { program, ROOT } from '../child-process.mjs';
import { planted } from './plant-fault.mjs';
import { PLANTED_FAULTS } from './planted-faults.mjs';

/**
 * `npm run test:faults` plants each fault alone and lets the model look for it; `npm run test:faults -- word` those
 * whose name holds the word. Fails when one is not found.
 */

/** Bad days that a fault may survive at most, and where they begin. */
const RUNS = 5_000;
const SEED = 1;

/** @param {import('./planted-faults.mjs').PlantedFault} fault */
function look(fault) {
  planted(fault, readFileSync(join(ROOT, fault.file), 'utf8'));
  const only = ['--project', 'model', '--testNamePattern', 'no handler starts', '--no-color'];
  const run = spawnSync(process.execPath, [program('vitest/vitest.mjs'), 'run', ...only], {
    cwd: ROOT,
    env: { ...process.env, OUI_PLANTED_FAULT: fault.name, OUI_MODEL_RUNS: String(RUNS), OUI_MODEL_SEED: String(SEED) },
    encoding: 'utf8',
  });
  const output = run.stdout + run.stderr;
  const found = /after (\d+) runs, shrunk \d+ times\.\n(.*)/.exec(output);
  if (run.status !== 0 && !found) throw new Error(`"${fault.name}" broke the model itself:\n${output}`);
  const commands = (output.match(/^ {4}\{"do":/gm) ?? []).length;
  return found && { runs: Number(found[1]), commands, violation: found[2] };
}

const word = process.argv[2] ?? '';
let missed = 0;
for (const fault of PLANTED_FAULTS.filter(({ name }) => name.includes(word))) {
  const found = look(fault);
  if (!found) missed += 1;
  console.log(`${found ? 'found ' : 'MISSED'} ${fault.name} (${fault.file})`);
  if (found) console.log(`       run ${found.runs}, ${found.commands} commands: ${found.violation}`);
}
console.log(missed === 0 ? 'Every planted fault was found.' : `${missed} planted faults were not found.`);
process.exitCode = missed === 0 ? 0 : 1;
