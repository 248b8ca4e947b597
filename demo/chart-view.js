/** The chart in the page: drawn along with its rendering, in the page's own size and colours. */
import { chartRows } from './charts/chart-data.js';
import { sceneOf } from './charts/scene.js';
import { markElement, svgElement } from './charts/svg.js';

const MAX_ROWS = 200;

const box = document.getElementById('chart');
const numbers = document.getElementById('chart-numbers');
const empty = Object.assign(document.createElement('p'), { className: 'empty' });
/** @type {import('./wizard.js').Rendering | null} */
let shown = null;
let svg = null;
let marks = [];
let drawn = 0;
let width = 0;

/** Shows a rendering as far as it has come. @param {import('./wizard.js').Rendering | null} rendering the newest */
export function showChart(rendering) {
  const there = rendering?.chart && rendering.state !== 'failed' ? rendering : null;
  if (!there) {
    shown = svg = null;
    numbers.hidden = true;
    empty.textContent = 'The chart appears here when it is rendered.';
    if (box.firstChild !== empty) box.replaceChildren(empty);
    return;
  }
  if (there !== shown) begin(there);
  draw();
  if (there.state === 'complete') showNumbers(there.chart);
}

function begin(rendering) {
  shown = rendering;
  width = Math.max(280, Math.round(box.clientWidth));
  const height = Math.round(width < 480 ? width * 1.05 : width * 0.6);
  const scene = sceneOf(rendering.chart, {
    width, height, size: width < 480 ? 11 : 13, fine: rendering.quality === 'production',
  });
  marks = [...scene.around, ...scene.data];
  drawn = 0;
  svg = svgElement(scene);
  box.replaceChildren(svg);
  numbers.hidden = true;
}

function draw() {
  const end = shown.state === 'complete' ? marks.length : Math.floor(marks.length * shown.progress);
  svg.append(...marks.slice(drawn, end).map(markElement));
  drawn = Math.max(drawn, end);
}

function showNumbers(chart) {
  if (!numbers.hidden) return;
  const [head, ...rows] = chartRows(chart);
  const row = (cells, tag) => {
    const element = document.createElement('tr');
    element.append(...cells.map((cell) => Object.assign(document.createElement(tag), { textContent: cell })));
    return element;
  };
  numbers.querySelector('summary').textContent = rows.length > MAX_ROWS
    ? `Numbers: the first ${MAX_ROWS} of ${rows.length}; the CSV has all`
    : `Numbers: ${rows.length}`;
  numbers.querySelector('thead').replaceChildren(row(head, 'th'));
  numbers.querySelector('tbody').replaceChildren(...rows.slice(0, MAX_ROWS).map((cells) => row(cells, 'td')));
  numbers.hidden = false;
}

// Drawn anew for another width: letters keep their size.
new ResizeObserver(() => {
  if (!shown || box.clientWidth === 0 || Math.abs(box.clientWidth - width) < 16) return;
  begin(shown);
  draw();
  if (shown.state === 'complete') showNumbers(shown.chart);
}).observe(box);
