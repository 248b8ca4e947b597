import { fileURLToPath } from 'node:url';
import { defaultReporter } from '@web/test-runner';
import { serveBundledTests } from './test/browsers/bundle-tests.mjs';
import { ENGINES, findBrowser } from './test/browsers/find.mjs';
import { launcherFor } from './test/browsers/launchers.mjs';
import { resultFile } from './test/browsers/result-file.mjs';
import { librariesPlugin, sveltePlugin } from './test/browsers/serve-libraries.mjs';
import { socketIoPlugin } from './test/browsers/socket-io-server.mjs';
import { serveSpecialPages } from './test/browsers/serve-pages.mjs';
import { serveSlowAnswers } from './test/browsers/slow-answers.mjs';
import { serveVectors } from './test/browsers/serve-vectors.mjs';
import { serveSourcesForJs, typescriptPlugin } from './test/browsers/serve-typescript.mjs';

const rootDir = fileURLToPath(new URL('.', import.meta.url));

/** `OUI_ENGINES=chromium,firefox` runs these; by default all that are found. */
const engines = process.env.OUI_ENGINES?.split(',') ?? ENGINES.filter((engine) => findBrowser(engine) !== undefined);
const results = process.env.OUI_BROWSER_RESULTS;

/** @type {import('@web/test-runner').TestRunnerConfig} */
export default {
  rootDir,
  files: 'test/browser/**/*.test.ts',
  // The production builds of libraries, as users get them.
  nodeResolve: { exportConditions: ['browser', 'default'] },
  browsers: engines.map((engine) => launcherFor(/** @type {import('./test/browsers/find.mjs').Engine} */ (engine))),
  concurrency: 1,
  concurrentBrowsers: 2,
  browserStartTimeout: 60_000,
  testsStartTimeout: 60_000,
  testsFinishTimeout: 120_000,
  testFramework: { config: { ui: 'bdd', timeout: 10_000 } },
  middleware: [
    serveSlowAnswers,
    serveSpecialPages(rootDir),
    serveVectors(rootDir),
    serveBundledTests(rootDir),
    serveSourcesForJs(rootDir),
  ],
  plugins: [librariesPlugin(), sveltePlugin(), socketIoPlugin(), typescriptPlugin()],
  reporters: [defaultReporter({ reportTestProgress: false }), ...(results === undefined ? [] : [resultFile(results)])],
};
