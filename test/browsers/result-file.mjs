import { writeFileSync } from 'node:fs';

/**
 * Writes how many browser tests passed and failed, for the summary of `npm test`.
 *
 * @param {string} path
 * @returns {import('@web/test-runner-core').Reporter}
 */
export function resultFile(path) {
  return {
    onTestRunFinished({ sessions }) {
      /** @type {{ [browser: string]: { passed: number, failed: number, skipped: number } }} */
      const counts = {};
      for (const session of sessions) {
        const count = (counts[session.browser.name] ??= { passed: 0, failed: 0, skipped: 0 });
        const tests = allTests(session.testResults);
        for (const { passed, skipped } of tests) count[skipped ? 'skipped' : passed ? 'passed' : 'failed'] += 1;
        // A file that did not load, or an error outside any test.
        if (!session.passed && tests.every(({ passed }) => passed)) count.failed += 1;
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
