import { ENGINES } from './browsers/find.mjs';
import { howToGet, provideBrowsers } from './browsers/install.mjs';
import { interruptChildren } from './child-process.mjs';
import { SECTIONS, sum } from './sections.mjs';

/**
 * `npm test` runs everything, `npm test -- unit pins` these sections. Sections need what `build` makes.
 *
 * Environment: `OUI_ENGINES=chromium,firefox` tests in these engines only; `OUI_NO_INSTALL=1` installs no browsers;
 * `CHROME_PATH` and `FIREFOX_PATH` name browsers of one's own; `CI=true` makes a missing engine a failure.
 *
 * @typedef {import('./sections.mjs').Count} Count
 * @typedef {import('./sections.mjs').Section} Section
 * @typedef {{ name: string, count: Count, seconds: number }} Result
 * @typedef {import('./browsers/find.mjs').Engine} Engine
 */

const isCI = process.env.CI === 'true' || process.env.CI === '1';

/** @param {readonly string[]} names @returns {readonly Section[]} */
function chosenSections(names) {
  const unknown = names.filter((name) => !SECTIONS.some((section) => section.name === name));
  if (unknown.length === 0) return names.length === 0 ? SECTIONS : SECTIONS.filter(({ name }) => names.includes(name));
  const list = SECTIONS.map(({ name, what }) => `  ${name.padEnd(9)} ${what}`).join('\n');
  console.error(`There is no section ${unknown.map((name) => `"${name}"`).join(', ')}. There are:\n${list}`);
  process.exit(2);
}

/** The engines asked for. @returns {Engine[]} */
function wantedEngines() {
  const asked = process.env.OUI_ENGINES?.split(',') ?? [...ENGINES];
  const unknown = asked.filter((name) => !ENGINES.some((engine) => engine === name));
  if (unknown.length > 0) {
    console.error(`OUI_ENGINES names "${unknown.join(', ')}"; the engines are ${ENGINES.join(', ')}.`);
    process.exit(2);
  }
  return ENGINES.filter((engine) => asked.includes(engine));
}

const wanted = wantedEngines();

/**
 * Provides the engines of a section. One that is missing is a failure where it must be there, else a skip.
 *
 * @param {Section} section
 * @param {Set<string>} notes lines for the summary
 * @returns {{ present: Engine[], failed: number }}
 */
function enginesFor(section, notes) {
  if (section.engines === undefined) return { present: [], failed: 0 };
  const { present, missing } = provideBrowsers(section.engines === 'chromium' ? ['chromium'] : wanted);
  if (section.engines === 'all') {
    const others = ENGINES.filter((engine) => !wanted.includes(engine));
    for (const engine of others) notes.add(`SKIPPED ${engine}: not in OUI_ENGINES`);
  }
  const failed = missing.filter((engine) => isCI || engine === 'chromium');
  for (const engine of missing) {
    notes.add(`${failed.includes(engine) ? 'MISSING' : 'SKIPPED'} ${engine}: ${howToGet(engine)}`);
  }
  return { present, failed: failed.length };
}

/** @param {readonly Result[]} results @param {Iterable<string>} notes @returns {number} the exit code */
function summarize(results, notes) {
  const total = sum(results.map(({ count }) => count));
  console.log('\nSummary');
  for (const { name, count, seconds } of results) {
    const skipped = count.skipped === 0 ? '' : `, ${count.skipped} skipped`;
    const outcome = `${count.passed} passed, ${count.failed} failed${skipped}`;
    console.log(`  ${name.padEnd(9)} ${outcome} (${seconds.toFixed(1)} s)`);
  }
  for (const note of notes) console.log(`  ${note}`);
  // Last, so that a log that was cut still has them.
  for (const { name, count } of results) for (const each of count.failures ?? []) console.log(`  FAILED ${name}: ${each}`);
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
}

/** @type {NodeJS.Signals | undefined} */
let interrupted;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    interrupted = signal;
    // Runners clean up on an interrupt only. A terminal has sent them one, and a second would cut their cleaning short.
    setTimeout(interruptChildren, signal === 'SIGINT' ? 2_000 : 0).unref();
  });
}

/** @type {Result[]} */
const results = [];
/** @type {Set<string>} */
const notes = new Set();

for (const section of chosenSections(process.argv.slice(2))) {
  console.log(`\n=== ${section.name}: ${section.what}`);
  const start = performance.now();
  const { present, failed } = enginesFor(section, notes);
  // Without any engine there is nothing to run.
  const counts = section.engines === undefined || present.length > 0 ? [await section.run(present)] : [];
  const missing = failed === 0 ? [] : ['an engine is missing'];
  const count = sum([...counts, { passed: 0, failed, skipped: 0, failures: missing }]);
  results.push({ name: section.name, count, seconds: (performance.now() - start) / 1000 });
  if (interrupted !== undefined) break;
  if (section.name === 'build' && count.failed > 0) {
    notes.add('The build failed, so nothing else was run.');
    break;
  }
}

const code = summarize(results, notes);
process.exitCode = interrupted === undefined ? code : 130;
