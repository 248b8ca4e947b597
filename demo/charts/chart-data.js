/**
 * From rows to what a chart shows. Knows nothing of places and colours.
 *
 * @typedef {'bar' | 'line' | 'scatter' | 'pie' | 'heatmap' | 'treemap'} ChartType
 * @typedef {'sum' | 'avg' | 'count' | 'min' | 'max'} Aggregation
 * @typedef {{ chartType: ChartType, xAxis: string, yAxis: string, colorBy?: string, aggregation?: Aggregation }} Config
 * @typedef {{ x: string | number, y: number | string, value: number, group: string }} Cell `value` is what is measured
 * @typedef {{ type: ChartType, title: string, x: { label: string, kind: 'band' | 'number' | 'date', names: string[] },
 *   y: { label: string, names: string[] }, value: { label: string }, groups: string[], cells: Cell[],
 *   note: string }} Chart
 */
import { categoriesOf } from './categories.js';
import { ChartError } from './chart-error.js';
import { columnOf } from './table.js';

/** As many as a chart can show and a reader tell apart. */
const MAX_BANDS = 31;
const MAX_SLICES = 12;
const MAX_TILES = 40;
export const MAX_GROUPS = 8;

const AGGREGATES = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  avg: (values) => AGGREGATES.sum(values) / values.length,
  count: (values) => values.length,
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
};
const WORDS = { sum: 'Sum of', avg: 'Average', count: 'Number of', min: 'Lowest', max: 'Highest' };

/** Which column is measured: of a heatmap the one that colours it, of all others the y axis. */
const measuredName = ({ chartType, yAxis, colorBy }) => (chartType === 'heatmap' ? colorBy : yAxis);

/**
 * A configuration that can be drawn, its aggregation spelled out. Points of a scatter chart have none unless asked for.
 * @param {import('./table.js').Column[]} columns @param {Config} config @returns {Config}
 */
export function checkedConfig(columns, { chartType, xAxis, yAxis, colorBy, aggregation }) {
  columnOf(columns, xAxis);
  columnOf(columns, yAxis);
  if (colorBy !== undefined) columnOf(columns, colorBy);
  const name = measuredName({ chartType, yAxis, colorBy });
  const numeric = name !== undefined && columnOf(columns, name).type === 'number';
  const chosen = aggregation ?? (chartType === 'scatter' ? undefined : numeric ? 'sum' : 'count');
  if (chosen !== 'count' && !numeric) {
    const numbers = columns.filter(({ type }) => type === 'number').map((column) => column.name).join(', ');
    const place = chartType === 'heatmap' ? 'colorBy' : 'yAxis';
    throw new ChartError('dataviz:not_a_number', name === undefined
      ? `"${chosen}" on a heatmap needs colorBy, the column that it measures. Columns of numbers: ${numbers}.`
      : `${place} "${name}" holds no numbers${chosen ? `, so there is no ${chosen}` : ''}. Use one of ${numbers}${
        chosen ? ', or aggregation "count"' : ''}.`);
  }
  return { chartType, xAxis, yAxis, ...(colorBy !== undefined && { colorBy }), ...(chosen && { aggregation: chosen }) };
}

/**
 * @param {import('./table.js').Table} table with the rows that are to be shown
 * @param {Config} config one that `checkedConfig` returned
 * @returns {Chart}
 */
export function chartData({ columns, rows }, config) {
  if (rows.length === 0) throw new ChartError('dataviz:no_rows', 'No row passes the filters. Take one of them away.');
  const { chartType: type, xAxis, yAxis, colorBy, aggregation } = config;
  const column = (name) => columnOf(columns, name);
  const measured = measuredName(config);
  const valueLabel = valueLabelOf(aggregation, measured);
  const xColumn = column(xAxis);
  const continuous = (type === 'line' || type === 'scatter') && xColumn.type !== 'text';
  const xs = continuous ? null : categoriesOf(rows, xColumn, MAX_BANDS);
  const xOf = xs?.of ?? (xColumn.type === 'date' ? (row) => Date.parse(row[xAxis]) : (row) => row[xAxis]);
  const ys = type === 'heatmap' ? categoriesOf(rows, column(yAxis), 12) : null;
  const coloured = colorBy !== undefined && type !== 'heatmap' && type !== 'pie';
  const groups = coloured ? categoriesOf(rows, column(colorBy), MAX_GROUPS - 2) : null;
  const groupOf = groups?.of ?? (() => '');

  const cells = aggregation === undefined
    ? rows.map((row) => ({ x: xOf(row), y: '', value: row[yAxis], group: groupOf(row) }))
    : aggregated(rows, { xOf, yOf: ys?.of ?? (() => ''), groupOf, measured, aggregation });
  const chart = {
    type,
    title: titleOf(config, valueLabel),
    x: { label: xAxis, kind: continuous ? xColumn.type : 'band', names: xs?.names ?? [] },
    y: { label: yAxis, names: ys?.names ?? [] },
    value: { label: valueLabel },
    groups: groups?.names ?? [''],
    cells,
    note: '',
  };
  return limited(chart, xColumn.type);
}

function aggregated(rows, { xOf, yOf, groupOf, measured, aggregation }) {
  const byKey = new Map();
  for (const row of rows) {
    const [x, y, group] = [xOf(row), yOf(row), groupOf(row)];
    const key = JSON.stringify([x, y, group]);
    if (!byKey.has(key)) byKey.set(key, { x, y, group, values: [] });
    byKey.get(key).values.push(row[measured]);
  }
  const cells = [...byKey.values()].map(({ values, ...cell }) => ({ ...cell, value: AGGREGATES[aggregation](values) }));
  return typeof cells[0].x === 'number' ? cells.sort((a, b) => a.x - b.x) : cells;
}

function valueLabelOf(aggregation, measured) {
  if (aggregation === 'count') return 'Number of rows';
  return aggregation ? `${WORDS[aggregation]} ${measured}` : measured;
}

function titleOf({ chartType, xAxis, yAxis, colorBy }, valueLabel) {
  const measured = valueLabel.charAt(0).toUpperCase() + valueLabel.slice(1);
  if (chartType === 'heatmap') return `${measured} by ${xAxis} and ${yAxis}`;
  const also = colorBy !== undefined && chartType !== 'pie' && colorBy !== xAxis ? ` and ${colorBy}` : '';
  return `${measured} by ${xAxis}${also}`;
}

/** The largest where there are too many. Texts are put in the order of their size where a chart has no other order. */
function limited(chart, xType) {
  const total = (key) => {
    const totals = new Map();
    for (const cell of chart.cells) totals.set(cell[key], (totals.get(cell[key]) ?? 0) + Math.abs(cell.value));
    return (a, b) => totals.get(b) - totals.get(a);
  };
  const notes = [];
  const keep = (key, what, names, limit) => {
    if (names.length <= limit) return names;
    const kept = new Set([...names].sort(total(key)).slice(0, limit));
    chart.cells = chart.cells.filter((cell) => kept.has(cell[key]));
    notes.push(`the largest ${limit} of ${names.length} ${what}`);
    return names.filter((name) => kept.has(name));
  };
  chart.groups = keep('group', 'colours', chart.groups, MAX_GROUPS);
  if (chart.x.kind === 'band') {
    const bySize = xType === 'text' && ['bar', 'pie', 'treemap'].includes(chart.type);
    const names = bySize ? [...chart.x.names].sort(total('x')) : chart.x.names;
    chart.x.names = keep('x', chart.x.label, names, { pie: MAX_SLICES, treemap: MAX_TILES }[chart.type] ?? MAX_BANDS);
  }
  if (chart.type === 'pie' || chart.type === 'treemap') {
    const positive = chart.cells.filter(({ value }) => value > 0);
    if (positive.length < chart.cells.length) notes.push('values above zero');
    chart.cells = positive;
    if (positive.length === 0) {
      const message = `A ${chart.type} shows parts of a whole, and no value is above 0. Use a bar chart.`;
      throw new ChartError('dataviz:nothing_to_show', message);
    }
  }
  chart.note = notes.length > 0 ? `Shown: ${notes.join(', ')}.` : '';
  return chart;
}

/** What the chart shows, as rows with a heading. @param {Chart} chart @returns {(string | number)[][]} */
export function chartRows({ type, x, y, value, groups, cells }) {
  const place = (cell) => (x.kind === 'date' ? new Date(cell.x).toISOString().slice(0, 10) : cell.x);
  const second = type === 'heatmap' ? (cell) => [cell.y] : groups.length > 1 ? (cell) => [cell.group] : () => [];
  const head = type === 'heatmap' ? [y.label] : groups.length > 1 ? ['group'] : [];
  const round = (number) => Number(number.toFixed(4));
  return [[x.label, ...head, value.label], ...cells.map((cell) => [place(cell), ...second(cell), round(cell.value)])];
}
