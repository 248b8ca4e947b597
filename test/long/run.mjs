import { ENGINES } from '../browsers/find.mjs';
import { provideBrowsers } from '../browsers/install.mjs';
import { program, runNode } from '../child-process.mjs';

/**
 * `npm run test:long` plays 100,000 bad days, other ones each time, and then the story of the framework demos in the three
 * engines. `npm run test:long -- 5000 17` plays so many days, beginning with this seed: a failure names its seed, and the
 * same one plays the same days. `npm run test:long -- frameworks` plays the demos alone; `OUI_ENGINES=webkit` in these.
 */
const vitest = program('vitest/vitest.mjs');
const parameters = process.argv.slice(2);

/** @param {string} runs @param {string} seed */
function playDays(runs, seed) {
  console.log(`${runs} bad days, from seed ${seed}.`);
  return runNode([vitest, 'run', '--project', 'model'], { OUI_MODEL_RUNS: runs, OUI_MODEL_SEED: seed });
}

async function playDemos() {
  const asked = process.env.OUI_ENGINES?.split(',') ?? ENGINES;
  const engines = ENGINES.filter((engine) => asked.includes(engine));
  provideBrowsers(engines);
  console.log(`The story of the framework demos in ${engines.join(', ')}, and a hundred mounts of each.`);
  let code = 0;
  if (engines.includes('chromium')) {
    console.log('\nChromium tells its memory, listeners and nodes: all are compared.');
    code = await runNode([vitest, 'run', '--project', 'e2e', '--reporter', 'verbose', 'test/e2e/frameworks.test.ts']);
  }
  const others = engines.filter((engine) => engine !== 'chromium');
  if (others.length === 0) return code;
  console.log(
    '\nFirefox and WebKit tell neither memory nor listeners, nor collect garbage when they are told to. There the page '
      + 'counts itself:\nlisteners of the window and of what is in the document, nodes, custom elements. '
      + 'Not counted: memory, what is held outside the document,\nand listeners of other objects. '
      + 'A worker has a console of its own, which is not read there.',
  );
  const more = ['--project', 'long', '--reporter', 'verbose'];
  return Math.max(code, await runNode([vitest, 'run', ...more], { OUI_ENGINES: others.join(',') }));
}

if (parameters[0] === 'frameworks') {
  process.exitCode = await playDemos();
} else {
  const [runs = '100000', seed = String(Date.now() % 1_000_000)] = parameters;
  const codes = [await playDays(runs, seed), parameters.length === 0 ? await playDemos() : 0];
  process.exitCode = Math.max(...codes);
}
