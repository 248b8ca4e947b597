/** A grid of two columns, coloured by a third. */
import { fitText, rect, text, textWidth } from './marks.js';
import { band, formatNumber } from './scales.js';

export function heatmap(chart, { width, height, top, size, fine }) {
  const values = chart.cells.map((cell) => cell.value);
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const strength = (value) => Number((0.12 + 0.88 * ((value - lowest) / (highest - lowest || 1))).toFixed(2));
  const widest = Math.min(width * 0.3, Math.max(...chart.y.names.map((name) => textWidth(name, size))));
  const left = size + widest + size * 0.6;
  const bottom = height - size * 4.2;
  const columns = band(chart.x.names.length, [left, width - size], 0.06);
  const rows = band(chart.y.names.length, [top + size * 2.2, bottom], 0.06);
  const every = Math.ceil(Math.max(...chart.x.names.map((name) => textWidth(name, size) + size)) / columns.step);
  const around = [
    ...scale(lowest, highest, { top, size, strength }),
    ...chart.y.names.map((name, index) => text(left - size * 0.6, rows.middle(index) + size * 0.35,
      fitText(name, widest + size * 0.1, size), size, { anchor: 'end', fill: 'muted' })),
    ...chart.x.names.flatMap((name, index) => (index % every !== 0 ? [] : [
      text(Math.min(columns.middle(index), width - textWidth(name, size) / 2), bottom + size * 1.4, name, size, {
        anchor: 'middle', fill: 'muted',
      }),
    ])),
    text((left + width) / 2, height - size * 0.7, chart.x.label, size, { anchor: 'middle', fill: 'muted' }),
  ];
  const data = chart.cells.map((cell) => rect(
    columns.start(chart.x.names.indexOf(cell.x)), rows.start(chart.y.names.indexOf(cell.y)), columns.size, rows.size,
    'series-1', {
      'fill-opacity': strength(cell.value),
      rx: 2,
      ...(fine && { hint: `${cell.x}, ${cell.y}: ${formatNumber(cell.value)}` }),
    }));
  return { around, data };
}

/** What the colours stand for. */
function scale(lowest, highest, { top, size, strength }) {
  const low = formatNumber(lowest);
  const start = size * 1.5 + textWidth(low, size);
  const steps = [0, 0.25, 0.5, 0.75, 1].map((share) => lowest + share * (highest - lowest));
  return [
    text(size, top + size * 0.9, low, size, { fill: 'muted' }),
    ...steps.map((value, index) => rect(start + index * size * 1.6, top, size * 1.6, size, 'series-1', {
      'fill-opacity': strength(value),
    })),
    text(start + size * 8.5, top + size * 0.9, formatNumber(highest), size, { fill: 'muted' }),
  ];
}
