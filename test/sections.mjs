import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { program, ROOT, runNode } from './child-process.mjs';

/**
 * The parts of `npm test`, in the order in which they run.
 *
 * @typedef {import('./browsers/find.mjs').Engine} Engine
 * @typedef {{ passed: number, failed: number, skipped: number, failures?: readonly string[] }} Count `failures`: what
 * failed, for the end of the summary
 * @typedef {(engines: readonly Engine[]) => Promise<Count>} Run gets the engines that are to be used and are here
 * @typedef {{ name: string, what: string, engines?: 'all' | 'chromium', run: Run }} Section
 */

/**
 * Programs that count as one check each, up to the first that fails.
 *
 * @param {readonly (readonly string[])[]} programs
 * @returns {Promise<Count>}
 */
async function checks(...programs) {
  let passed = 0;
  for (const parameters of programs) {
    const failures = [parameters.map((each) => (each.startsWith(ROOT) ? shortPath(each) : each)).join(' ')];
    if ((await runNode(parameters)) !== 0) return { passed, failed: 1, skipped: 0, failures };
    passed += 1;
  }
  return { passed, failed: 0, skipped: 0 };
}

/** @param {readonly Count[]} counts @returns {Count} */
export function sum(counts) {
  const total = { passed: 0, failed: 0, skipped: 0, failures: counts.flatMap(({ failures = [] }) => failures) };
  for (const { passed, failed, skipped } of counts) {
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
  }
  return total;
}

/**
 * Runs a program that writes its counts to a file. A program that fails without naming a failed test (it could not
 * start, nothing was found, an error outside any test) counts as one failure.
 *
 * @param {(file: string) => Promise<number>} run
 * @param {(json: any) => Count} read
 * @returns {Promise<Count>}
 */
async function counted(run, read) {
  const folder = mkdtempSync(join(tmpdir(), 'oui-test-'));
  const file = join(folder, 'results.json');
  try {
    const code = await run(file);
    const count = existsSync(file) ? read(JSON.parse(readFileSync(file, 'utf8'))) : sum([]);
    return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * One project of vitest.config.ts.
 *
 * @param {string} project
 * @param {string[]} more Further parameters of vitest's.
 */
function vitest(project, ...more) {
  const reporters = ['--reporter=default', '--reporter=json'];
  const parameters = [program('vitest/vitest.mjs'), 'run', '--project', project, ...reporters, ...more];
  return counted(
    (file) => runNode([...parameters, `--outputFile.json=${file}`]),
    (json) => {
      const { numPassedTests: passed, numFailedTests: failed, numPendingTests, numTodoTests } = json;
      /** @type {readonly { name: string, status: string, assertionResults: { status: string, fullName: string }[] }[]} */
      const testResults = json.testResults;
      // A file that could not be loaded holds no test that could fail.
      const broken = testResults.filter(
        ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
      );
      const failures = [
        ...broken.map(({ name }) => shortPath(name)),
        ...testResults.flatMap(({ name, assertionResults }) => assertionResults
          .filter(({ status }) => status === 'failed')
          .map(({ fullName }) => `${shortPath(name)}: ${fullName}`)),
      ];
      return { passed, failed: failed + broken.length, skipped: numPendingTests + numTodoTests, failures };
    },
  );
}

/** @param {string} file */
function shortPath(file) {
  return relative(ROOT, file);
}

/** Its files mostly wait for processes and for the page to be quiet. @type {Run} */
function endToEnd() {
  return vitest('e2e', '--maxWorkers=3');
}

/** @type {Run} */
function browserTests(engines) {
  const runner = program('@web/test-runner/dist/bin.js');
  return counted(
    (file) => runNode([runner], { OUI_ENGINES: engines.join(','), OUI_BROWSER_RESULTS: file }),
    (json) => sum(Object.values(json)),
  );
}

const TSC = program('typescript/bin/tsc');
/** Types that are made of the elements' manifest, which tests look at. */
const MANIFEST = join(ROOT, 'elements/manifest/build.mjs');
const DOCS = join(ROOT, 'demo/docs/build.mjs');

/** @type {readonly Section[]} */
export const SECTIONS = [
  {
    name: 'build',
    what: 'the layers and the bundles',
    run: () => checks([TSC, '-b'], [program('vite/bin/vite.js'), 'build'], [MANIFEST], [DOCS]),
  },
  { name: 'lint', what: 'oxlint', run: () => checks([program('oxlint/bin/oxlint'), '--type-aware']) },
  {
    name: 'types',
    what: 'the tests and what they say about types',
    run: () => checks([TSC, '-b'], [MANIFEST], [TSC, '-b', 'test'], [TSC, '-b', 'test/browser']),
  },
  { name: 'unit', what: 'each layer alone, and the vectors', run: () => vitest('unit') },
  { name: 'contract', what: 'one suite per port, on every implementation', run: () => vitest('contract') },
  { name: 'model', what: 'bad days played on the whole of page, engine and agent', run: () => vitest('model') },
  { name: 'pins', what: 'layers, exports, names', run: () => vitest('pins') },
  { name: 'browser', what: 'in the three engines', engines: 'all', run: browserTests },
  { name: 'e2e', what: 'a page, a hub and official clients', engines: 'chromium', run: endToEnd },
  {
    name: 'package',
    what: 'sizes, and publint and attw on the packed package',
    run: () => checks([join(ROOT, 'test/check-sizes.mjs')], [join(ROOT, 'test/check-package.mjs')]),
  },
];
