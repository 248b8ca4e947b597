/**
 * A chart as a drawing of a size.
 *
 * @typedef {{ width: number, height: number, title: string, description: string,
 *   around: import('./marks.js').Mark[], data: import('./marks.js').Mark[] }} Scene
 */
import { bars, lines, points } from './axis-charts.js';
import { heatmap } from './heatmap.js';
import { heading } from './plot-frame.js';
import { formatNumber } from './scales.js';
import { pie, treemap } from './share-charts.js';

const DRAWERS = { bar: bars, line: lines, scatter: points, pie, heatmap, treemap };

/**
 * @param {import('./chart-data.js').Chart} chart
 * @param {{ width: number, height: number, size?: number, fine?: boolean }} options `size` of the letters, in pixels;
 * `fine` adds what takes longer: hints, values on bars, points on lines, and every point of a scatter chart
 * @returns {Scene}
 */
export function sceneOf(chart, { width, height, size = 13, fine = false }) {
  const byName = chart.type === 'pie';
  const head = heading(chart, chart.type === 'heatmap' ? [] : byName ? chart.x.names : chart.groups, { width, size });
  const { around, data } = DRAWERS[chart.type](chart, { width, height, size, fine, top: head.top });
  const { title } = chart;
  return { width, height, title, description: descriptionOf(chart), around: [...head.marks, ...around], data };
}

const KINDS = {
  bar: 'Bar chart', line: 'Line chart', scatter: 'Scatter chart', pie: 'Pie chart', heatmap: 'Heatmap',
  treemap: 'Treemap',
};

/** For those who cannot see it, and for agents. @param {import('./chart-data.js').Chart} chart */
export function descriptionOf({ type, x, groups, cells, note }) {
  const sorted = [...cells].sort((a, b) => a.value - b.value);
  const say = (cell) => {
    const at = x.kind === 'date' ? new Date(cell.x).toISOString().slice(0, 10) : cell.x;
    return `${formatNumber(cell.value)} (${[at, cell.y, cell.group].filter((part) => part !== '').join(', ')})`;
  };
  const colours = groups.length > 1 ? ` in ${groups.length} colours` : '';
  return `${KINDS[type]}, ${cells.length} ${cells.length === 1 ? 'value' : 'values'}${colours}. Lowest: ${
    say(sorted[0])}. Highest: ${say(sorted.at(-1))}.${note ? ` ${note}` : ''}`;
}
