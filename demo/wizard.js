/**
 * The wizard itself: what is chosen, what may be done next, and the rendering that goes on.
 * It knows neither the page nor agents; both call the same functions.
 *
 * @typedef {'select' | 'configure' | 'preview' | 'export'} Step
 * @typedef {{ id: string, quality: Quality, state: 'rendering' | 'complete' | 'failed', progress: number,
 *   chart?: import('./charts/chart-data.js').Chart, imageUrl?: string, durationMs?: number, title?: string,
 *   description?: string, error?: string }} Rendering
 * @typedef {'draft' | 'production'} Quality
 */
import { ChartError } from './charts/chart-error.js';
import { chartData, chartRows, checkedConfig } from './charts/chart-data.js';
import { addressOf, MEDIA_TYPES, pdfOf, rasterOf } from './charts/chart-files.js';
import { checkedFilter, filtered } from './charts/filters.js';
import { descriptionOf, sceneOf } from './charts/scene.js';
import { markText, svgFile } from './charts/svg.js';
import { toCsv } from './charts/table.js';
import { loadCatalog, loadTable } from './datasets.js';

/** A chart is drawn a share of its marks at a time, so that whoever watches sees it advance. */
const SHARES = { draft: 6, production: 20 };
const SHARE_MS = 120;
const DEFAULT_SIZE = { width: 1200, height: 800 };
const MAX_PIXELS = 8000;

const listeners = new Set();
/** Renderings by id, oldest first: one that ended is asked about once more. */
const renderings = new Map();
const KEPT_RENDERINGS = 20;
let renderingCount = 0;
let selections = 0;
/** @type {{ datasets: object[], selected: object | null, table: import('./charts/table.js').Table | null,
 *   config: import('./charts/chart-data.js').Config | null, filters: import('./charts/filters.js').Filter[],
 *   rendering: Rendering | null, rendered: Rendering | null }} */
const state = {
  datasets: [], selected: null, table: null, config: null, filters: [], rendering: null, rendered: null,
};

/** Calls the listener after every change. @returns {() => void} ends that */
export function onChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The present state, to be read only. `rendering` is the newest one, also when it has failed. */
export const current = () => state;

/** @returns {Step} */
export function step() {
  if (!state.table) return 'select';
  if (!state.config) return 'configure';
  return state.rendered ? 'export' : 'preview';
}

/** The rows that the filters let through. */
export const shownRows = () => (state.table ? filtered(state.table.rows, state.filters) : []);

/** Why an action cannot be done now; `undefined` when it can. The texts are for agents. @param {string} actionId */
export function blocked(actionId) {
  if (actionId === 'select_dataset') return undefined;
  if (!state.table) return 'No data set is selected. Call select_dataset first.';
  if (actionId === 'render_chart' && !state.config) return 'The chart is not configured. Call configure_chart first.';
  if (actionId === 'export_chart' && !state.rendered) {
    return state.config
      ? 'The chart as it is configured now has not been rendered. Call render_chart and wait for its outcome.'
      : 'There is no chart yet. Call configure_chart, then render_chart.';
  }
  return undefined;
}

function assertReady(actionId) {
  const reason = blocked(actionId);
  if (reason) throw new ChartError('PRECONDITION_FAILED', reason);
}

/** Fills the list of data sets. */
export async function load() {
  const datasets = await loadCatalog();
  change({ datasets });
}

/** Begins with a data set: earlier filters and charts are gone. @param {string} id */
export async function selectDataset(id) {
  const selected = state.datasets.find((dataset) => dataset.id === id);
  if (!selected) {
    const ids = state.datasets.map((dataset) => dataset.id).join(', ');
    throw new ChartError('dataviz:unknown_dataset', `There is no data set "${id}". Choose one of ${ids}.`);
  }
  const selection = ++selections;
  const table = await loadTable(id);
  // Somebody has chosen again meanwhile.
  if (selection === selections) redo({ selected, table, config: null, filters: [] });
  return table;
}

/** @param {import('./charts/chart-data.js').Config} config */
export function configure(config) {
  assertReady('configure_chart');
  redo({ config: checkedConfig(state.table.columns, config) });
  return state.config;
}

/** @param {import('./charts/filters.js').Filter} filter @returns {number} how many there are now */
export function addFilter(filter) {
  assertReady('apply_filter');
  redo({ filters: [...state.filters, checkedFilter(state.table.columns, filter)] });
  return state.filters.length;
}

/** @param {number} index */
export function removeFilter(index) {
  redo({ filters: state.filters.filter((_, at) => at !== index) });
}

/**
 * Starts to draw the chart as it is configured now.
 * @param {Quality} [quality] `production` draws every point, with values and hints @returns {Rendering}
 */
export function startRender(quality = 'draft') {
  assertReady('render_chart');
  giveUp('A newer rendering has taken the place of this one.');
  const rendering = { id: `render-${++renderingCount}`, quality, state: 'rendering', progress: 0 };
  renderings.set(rendering.id, rendering);
  if (renderings.size > KEPT_RENDERINGS) renderings.delete(renderings.keys().next().value);
  change({ rendering, rendered: null });
  draw(rendering).catch((error) => {
    if (rendering.state === 'rendering') fail(rendering, error.message);
  });
  return rendering;
}

/** How far a rendering has come. @param {string} id @returns {Rendering} */
export function renderStatus(id) {
  return renderings.get(id) ?? { id, state: 'failed', progress: 0, error: `This page knows no rendering "${id}".` };
}

async function draw(rendering) {
  const startedAt = performance.now();
  const chart = chartData({ columns: state.table.columns, rows: shownRows() }, state.config);
  const scene = sceneOf(chart, { ...DEFAULT_SIZE, size: 20, fine: rendering.quality === 'production' });
  const marks = [...scene.around, ...scene.data];
  rendering.chart = chart;
  const shares = SHARES[rendering.quality];
  const texts = [];
  for (let share = 1; share <= shares; share += 1) {
    await new Promise((resolve) => setTimeout(resolve, SHARE_MS));
    if (rendering.state !== 'rendering') return;
    const end = Math.round((marks.length * share) / shares);
    texts.push(...marks.slice(texts.length, end).map(markText));
    rendering.progress = share / shares;
    if (share < shares) change({});
  }
  const file = new Blob([svgFile(scene, texts)], { type: MEDIA_TYPES.svg });
  Object.assign(rendering, {
    state: 'complete',
    imageUrl: URL.createObjectURL(file),
    durationMs: Math.round(performance.now() - startedAt),
    title: chart.title,
    description: descriptionOf(chart),
  });
  change({ rendered: rendering });
}

/** What the rendered chart shows, in numbers. */
export const shownValues = () => chartRows(state.rendered.chart);

/**
 * Makes a file of the rendered chart.
 * @param {{ format: 'png' | 'svg' | 'pdf' | 'csv', width?: number, height?: number }} options in pixels
 * @returns {Promise<{ url: string, name: string, bytes: number }>}
 */
export async function exportChart({ format, width = DEFAULT_SIZE.width, height = DEFAULT_SIZE.height }) {
  assertReady('export_chart');
  const { chart, quality } = state.rendered;
  const name = `${state.selected.id}-${chart.type}.${format}`;
  const blob = await fileOf(chart, quality, format, pixels('width', width), pixels('height', height));
  return { url: addressOf(blob), name, bytes: blob.size };
}

async function fileOf(chart, quality, format, width, height) {
  if (format === 'csv') return new Blob([toCsv(chartRows(chart))], { type: MEDIA_TYPES.csv });
  const size = Math.max(11, Math.round(Math.min(width / 60, height / 40)));
  const scene = sceneOf(chart, { width, height, size, fine: quality === 'production' });
  const svg = svgFile(scene, [...scene.around, ...scene.data].map(markText));
  if (format === 'svg') return new Blob([svg], { type: MEDIA_TYPES.svg });
  if (format === 'png') return rasterOf(svg, width, height, MEDIA_TYPES.png);
  return pdfOf(await rasterOf(svg, width, height, 'image/jpeg'), width, height);
}

function pixels(name, value) {
  if (value >= 200 && value <= MAX_PIXELS) return Math.round(value);
  throw new ChartError('dataviz:bad_size', `${name} ${value} does not do: it must be 200 to ${MAX_PIXELS} pixels.`);
}

/** A change after which the chart has to be rendered again. */
function redo(fields) {
  giveUp('The chart was changed while it was being rendered. Render it again.');
  change({ ...fields, rendering: null, rendered: null });
}

function giveUp(reason) {
  if (state.rendering?.state === 'rendering') fail(state.rendering, reason);
}

function fail(rendering, error) {
  Object.assign(rendering, { state: 'failed', error });
  change({});
}

function change(fields) {
  const before = state.rendered;
  Object.assign(state, fields);
  // Its picture is no longer the chart's, and would be kept in memory.
  if (before && before !== state.rendered) URL.revokeObjectURL(before.imageUrl);
  for (const listener of listeners) listener();
}
