import { measuredPage } from './measured-page.mjs';
import { percentile } from './statistics.mjs';

const ACTIONS = 1_000;
const VALUE_LENGTH = 1_000_000;
const ROUNDS = 3;
const MEASURED_MS = 2_000;
/** `tab: null`: closed. */
const STATES = [
  { what: 'without an inspector', tab: undefined },
  { what: 'closed', tab: null },
  ...['surfaces', 'calls', 'frames', 'observations', 'connection'].map((tab) => ({ what: `open: ${tab}`, tab })),
  { what: 'open: observations, the large one unfolded', tab: 'observations', unfolded: true },
];

const PAGE = `<!doctype html><title>Inspector</title>
  <script type="module">
    import { createSurfaceRuntime, defineSurface } from '/oui.js';

    const actions = Array.from({ length: ${ACTIONS} }, (_, at) => ({
      id: 'act_' + at, description: 'Does one of many things', handler: () => at,
      input: { type: 'object', properties: { title: { type: 'string', maxLength: 99, description: 'What it is about' } } },
    }));
    const runtime = createSurfaceRuntime({ url: location.origin.replace('http', 'ws') + '/oui/v1' });
    const mounted = runtime.mount(defineSurface({
      id: 'busy', name: 'Busy', description: 'Changes with every frame.', actions,
      observations: [{ id: 'large', description: 'A large value', schema: { type: 'object' } }],
    }));
    const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, text: 'x'.repeat(${VALUE_LENGTH / 10_000 - 22}) }));
    globalThis.ticks = 0;
    globalThis.busy = () => {
      mounted.pushObservation('large', { tick: ++ticks, rows });
      requestAnimationFrame(busy);
    };
    const inspector = document.createElement('oui-inspector');
    inspector.runtime = runtime;
    globalThis.unfold = async () => {
      const row = () => inspector.shadowRoot.querySelector('.row .head');
      while (!row()) await new Promise((resolve) => setTimeout(resolve, 20));
      row().click();
    };
    globalThis.show = async (tab) => {
      if (tab === undefined) return void inspector.remove();
      inspector.open = tab !== null;
      if (!inspector.isConnected) document.body.append(inspector);
      const shown = () => inspector.shadowRoot.querySelector(tab === null ? '.launcher' : '#tab-' + tab);
      while (!shown()) await new Promise((resolve) => setTimeout(resolve, 20));
      if (tab !== null) shown().click();
    };
  </script>`;

/**
 * What an inspector costs the page's thread (scripts, styles, layout, painting: all of its tasks) beside a page that
 * changes a large value with every frame: closed, and with each of its tabs open. An agent is connected.
 *
 * @param {string} executablePath of a Chromium
 */
export function inspectorTable(executablePath) {
  return measuredPage(executablePath, PAGE, async (page, spent) => {
    await page.evaluate(() => globalThis.busy());
    const measure = async ({ tab, unfolded }) => {
      await page.evaluate((each) => globalThis.show(each), tab);
      if (unfolded) await page.evaluate(() => globalThis.unfold());
      // What the change of the inspector itself takes is over by then.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const before = await spent('TaskDuration');
      const changes = await page.evaluate(async (ms) => {
        const first = globalThis.ticks;
        await new Promise((resolve) => setTimeout(resolve, ms));
        return globalThis.ticks - first;
      }, MEASURED_MS);
      if (unfolded) await page.evaluate(() => globalThis.unfold());
      const perSecond = 1000 / MEASURED_MS;
      return { ms: ((await spent('TaskDuration')) - before) * perSecond, changes: changes * perSecond };
    };
    // In turns, since what else the machine does changes in the meantime.
    const measured = STATES.map(() => []);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [at, state] of STATES.entries()) measured[at].push(await measure(state));
    }
    const median = (at, name) => percentile(measured[at].map((each) => each[name]), 50);
    const rows = STATES.map(({ what }, at) => ({
      [`page thread, all tasks; ${ACTIONS} actions, 1 MB changes with each frame`]: what,
      'p50, ms in a second': median(at, 'ms').toFixed(0),
      'changes in a second': median(at, 'changes').toFixed(0),
      'ratio of ms': (median(at, 'ms') / median(0, 'ms')).toFixed(2),
    }));
    return rows;
  });
}
