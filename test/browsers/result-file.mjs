import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * Writes how many browser tests passed and failed, and which failed, for the summary of `npm test`.
 *
 * @param {string} path
 * @returns {import('@web/test-runner-core').Reporter}
 */
export function resultFile(path) {
  return {
    onTestRunFinished({ sessions }) {
      /** @type {{ [browser: string]: { passed: number, failed: number, skipped: number, failures: string[] } }} */
      const counts = {};
      for (const session of sessions) {
        const count = (counts[session.browser.name] ??= { passed: 0, failed: 0, skipped: 0, failures: [] });
        const tests = allTests(session.testResults);
        const file = `${session.browser.name} ${relative(process.cwd(), session.testFile ?? '')}`;
        for (const { passed, skipped } of tests) count[skipped ? 'skipped' : passed ? 'passed' : 'failed'] += 1;
        const failed = tests.filter(({ passed, skipped }) => !passed && !skipped);
        count.failures.push(...failed.map(({ name }) => `${file}: ${name}`));
        // A file that did not load, or an error outside any test.
        if (!session.passed && tests.every(({ passed }) => passed)) {
          count.failed += 1;
          count.failures.push(file);
        }
      }
      writeFileSync(path, JSON.stringify(counts));
    },
  };
}

/**
 * @param {import('@web/test-runner-core').TestSuiteResult | undefined} suite
 * @returns {import('@web/test-runner-core').TestResult[]}
 */
function allTests(suite) {
  return suite === undefined ? [] : [...suite.tests, ...suite.suites.flatMap(allTests)];
}
