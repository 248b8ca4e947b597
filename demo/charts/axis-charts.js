/** Charts with two axes: bars, lines, points. */
import { circle, rect, seriesColour, stroke, text, textWidth } from './marks.js';
import { axes } from './plot-frame.js';
import { band, formatDay, formatNumber, formatTick } from './scales.js';

/** How many points a draft shows. */
const DRAFT_POINTS = 150;

const hintOf = (chart, cell) => {
  const place = chart.x.kind === 'date' ? formatDay(cell.x) : chart.x.kind === 'number' ? formatNumber(cell.x) : cell.x;
  return `${cell.group ? `${cell.group}, ` : ''}${chart.x.label} ${place}: ${formatNumber(cell.value)}`;
};
const hinted = (chart, cell, fine) => (fine ? { hint: hintOf(chart, cell) } : {});

export function bars(chart, frame) {
  const { size, fine } = frame;
  const plot = axes(chart, { ...frame, fromZero: true });
  const within = band(chart.groups.length, [0, plot.bands.size], chart.groups.length > 1 ? 0.1 : 0);
  const widest = Math.max(...chart.cells.map((cell) => textWidth(formatTick(cell.value), size)));
  const labelled = fine && widest < within.step * 1.1;
  const data = chart.cells.flatMap((cell) => {
    const group = chart.groups.indexOf(cell.group);
    const left = plot.x(cell.x) - plot.bands.size / 2 + within.start(group);
    const end = plot.y(cell.value);
    const bar = rect(left, Math.min(end, plot.zero), within.size, Math.abs(end - plot.zero), seriesColour(group), {
      rx: Math.min(3, within.size / 4), ...hinted(chart, cell, fine),
    });
    if (!labelled) return [bar];
    const label = end > plot.zero ? end + size * 1.2 : end - size * 0.4;
    return [bar, text(left + within.size / 2, label, formatTick(cell.value), size, { anchor: 'middle' })];
  });
  return { around: plot.marks, data };
}

export function lines(chart, frame) {
  const plot = axes(chart, { ...frame, fromZero: false });
  const order = new Map(chart.x.names.map((name, index) => [name, index]));
  const data = chart.groups.flatMap((group, index) => {
    const points = chart.cells.filter((cell) => cell.group === group);
    if (chart.x.kind === 'band') points.sort((a, b) => order.get(a.x) - order.get(b.x));
    const places = points.map((cell) => ({ cell, x: plot.x(cell.x), y: plot.y(cell.value) }));
    const colour = seriesColour(index);
    const dotted = frame.fine || places.length === 1;
    const radius = places.length > 60 ? 2 : 3.5;
    // A mark for each piece, so that a line grows while it is drawn.
    return places.flatMap(({ cell, x, y }, at) => [
      ...(at > 0 ? [stroke(places[at - 1].x, places[at - 1].y, x, y, colour, 2.5)] : []),
      ...(dotted ? [circle(x, y, radius, colour, hinted(chart, cell, true))] : []),
    ]);
  });
  return { around: plot.marks, data };
}

export function points(chart, frame) {
  const every = frame.fine ? 1 : Math.ceil(chart.cells.length / DRAFT_POINTS);
  const plot = axes(chart, { ...frame, fromZero: false });
  const data = chart.cells.filter((_, at) => at % every === 0).map((cell) => circle(
    plot.x(cell.x), plot.y(cell.value), 4.5, seriesColour(chart.groups.indexOf(cell.group)),
    { 'fill-opacity': 0.75, ...hinted(chart, cell, frame.fine) }));
  return { around: plot.marks, data };
}
