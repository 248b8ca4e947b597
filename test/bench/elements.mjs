import { measuredPage } from './measured-page.mjs';
import { percentile } from './statistics.mjs';

const ROWS = 10_000;
const CHANGES = 30;
const ELEMENTS = 1_000;
const ROUNDS = 5;
/** More than the pause between two updates of one observation. */
const PAUSE_MS = 150;

const PAGE = `<!doctype html><title>Elements</title><script type="module" src="/oui.js"></script>
  <oui-runtime url="/oui/v1"></oui-runtime>
  <oui-surface surface-id="bench-page" name="Bench" description="Measured">
    <oui-action action-id="do_it" description="Does it" for="it"></oui-action>
    <oui-observation observation-id="table" description="A table" from="#table" type="table"></oui-observation>
  </oui-surface><button id="it">It</button><main></main>`;

/**
 * What elements cost the page's thread, as Chromium counts the time that scripts take: `from` on a large table while
 * one cell changes, and many elements that come and go. An agent is connected.
 *
 * @param {string} executablePath of a Chromium
 */
export function elementsTable(executablePath) {
  return measuredPage(executablePath, PAGE, async (page, spent) => {
    const measure = async (run) => {
      const before = await spent('ScriptDuration');
      await run();
      return (await spent('ScriptDuration')) - before;
    };

    await page.evaluate((rows) => {
      const cells = (row) => Array.from({ length: 5 }, (_, column) => `<td>${row}.${column}`).join('');
      const body = Array.from({ length: rows }, (_, row) => `<tr>${cells(row)}`).join('');
      document.querySelector('main').innerHTML = `<table id="table"><tr><th>A<th>B<th>C<th>D<th>E</tr>${body}</table>`;
    }, ROWS);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const naive = [];
    const changes = [];
    for (let change = 0; change < CHANGES; change++) {
      // By the page's own clock: Chromium does not count what the test itself runs.
      naive.push(await page.evaluate(() => {
        const start = performance.now();
        const [header, ...rows] = document.querySelector('#table').rows;
        const names = [...header.cells].map((cell) => cell.textContent);
        const read = rows.map((row) => (
          Object.fromEntries([...row.cells].map((cell, at) => [names[at], cell.textContent.trim()]))));
        globalThis.length = JSON.stringify(read).length;
        return performance.now() - start;
      }));
      changes.push(await measure(() => page.evaluate(async ([at, pause]) => {
        document.querySelectorAll('#table td')[at * 101].firstChild.nodeValue = `new ${at}`;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }, [change, PAUSE_MS])));
    }
    const elsewhere = [];
    await page.evaluate(() => document.querySelector('main').insertAdjacentHTML('afterend', '<p id="clock">0</p>'));
    for (let change = 0; change < CHANGES; change++) {
      elsewhere.push(await measure(() => page.evaluate(async ([at, pause]) => {
        document.querySelector('#clock').textContent = String(at);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }, [change, PAUSE_MS])));
    }

    await page.evaluate(() => document.querySelector('main').replaceChildren());
    const arrivals = [];
    const departures = [];
    const wait = 600;
    for (let round = 0; round < ROUNDS; round++) {
      arrivals.push(await measure(() => page.evaluate(async ([count, pause]) => {
        const parts = Array.from({ length: count / 2 }, (_, at) => (
          `<oui-action action-id="act_${at}" description="Does it" for="it"></oui-action>`
          + `<oui-observation observation-id="see_${at}" description="Shows it" from="#it"></oui-observation>`));
        document.querySelector('main').innerHTML = '<oui-surface surface-id="many-parts" name="Many" description="Many.">'
          + `${parts.join('')}</oui-surface>`;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }, [ELEMENTS, wait])));
      departures.push(await measure(() => page.evaluate(async (pause) => {
        document.querySelector('main').replaceChildren();
        await new Promise((resolve) => setTimeout(resolve, pause));
      }, wait)));
    }
    const row = (what, times) => ({
      'page thread, script time': what, 'p50, ms': percentile(times, 50).toFixed(2), 'p95, ms': percentile(times, 95).toFixed(2),
    });
    return [
      row(`reading and stringifying a table of ${ROWS} rows by hand`, naive),
      row(`from on it: one cell changes (${(percentile(changes, 50) / percentile(naive, 50)).toFixed(2)} × by hand)`, changes),
      row('from on it: something else on the page changes', elsewhere),
      row(`${ELEMENTS} elements connected, half for, half from`, arrivals),
      row('the same removed', departures),
    ];
  });
}
