/** What stands around the data: heading, legend and axes. */
import { fitText, rect, seriesColour, stroke, text, textWidth } from './marks.js';
import { band, dateTicks, formatTick, linear, ticks } from './scales.js';

/**
 * Title, note and legend, from the top down.
 * @param {import('./chart-data.js').Chart} chart @param {string[]} legend names in the order of their colours
 * @returns {{ marks: import('./marks.js').Mark[], top: number }} where the data may begin
 */
export function heading(chart, legend, { width, size }) {
  const marks = [heavy(chart.title, width, size)];
  let top = size * 2.6;
  if (chart.note) {
    marks.push(text(size, top + size, fitText(chart.note, width - 2 * size, size), size, { fill: 'muted' }));
    top += size * 1.5;
  }
  if (legend.length > 1) {
    let left = size;
    top += size * 0.4;
    legend.forEach((name, index) => {
      const item = textWidth(name, size) + size * 2.6;
      if (left > size && left + item > width) {
        left = size;
        top += size * 1.6;
      }
      marks.push(
        rect(left, top + size * 0.1, size * 0.9, size * 0.9, seriesColour(index), { rx: 2 }),
        text(left + size * 1.3, top + size * 0.9, fitText(name, width - 3 * size, size), size),
      );
      left += item;
    });
    top += size * 1.6;
  }
  return { marks, top: top + size * 0.8 };
}

/** Bold letters are wider. */
function heavy(title, width, size) {
  return text(size, size * 1.9, fitText(title, width - 2 * size, size * 1.32), size * 1.2, { 'font-weight': 600 });
}

/**
 * Axes for a chart of places: the left one of numbers, the lower one of bands, numbers or dates.
 * @returns {{ marks: import('./marks.js').Mark[], x: (value: string | number) => number, y: (value: number) => number,
 *   bands: ReturnType<typeof band> | null, zero: number }}
 */
export function axes(chart, { width, height, size, top, fromZero }) {
  const values = chart.cells.map((cell) => cell.value);
  const steps = ticks(
    Math.min(...values, ...(fromZero ? [0] : [])), Math.max(...values, ...(fromZero ? [0] : [])),
    Math.max(2, Math.min(6, Math.floor((height - top) / (size * 4)))));
  const left = Math.max(...steps.map((value) => textWidth(formatTick(value), size))) + size * 1.4;
  const right = width - size * 1.2;
  const names = lowerNames(chart, right - left, size);
  const bottom = height - names.height - size * 2.2;
  const y = linear([steps[0], steps.at(-1)], [bottom, top + size * 1.9]);
  const marks = [
    text(left, top + size * 0.2, fitText(chart.value.label, right - left, size), size, { fill: 'muted' }),
    ...steps.flatMap((value) => [
      stroke(left, y(value), right, y(value), value === 0 && fromZero ? 'muted' : 'grid'),
      text(left - size * 0.6, y(value) + size * 0.35, formatTick(value), size, { anchor: 'end', fill: 'muted' }),
    ]),
    text((left + right) / 2, height - size * 0.7, fitText(chart.x.label, right - left, size), size, {
      anchor: 'middle', fill: 'muted',
    }),
  ];
  const lower = lowerScale(chart, [left, right]);
  marks.push(...lower.places(names.count).map(({ at, name }) => (names.turned
    ? turnedText(at + size * 0.4, bottom + size * 1.3, name, size)
    : text(at, bottom + size * 1.5, name, size, { anchor: 'middle', fill: 'muted' }))));
  return { marks, x: lower.x, y, bands: lower.bands, zero: y(Math.max(0, steps[0])) };
}

function turnedText(x, y, name, size) {
  const transform = `rotate(-40 ${x.toFixed(1)} ${y.toFixed(1)})`;
  return text(x, y, fitText(name, size * 12, size), size, { anchor: 'end', fill: 'muted', transform });
}

/** How the names below the axis are written: level while they fit, then turned, never more than there is room for. */
function lowerNames({ x }, width, size) {
  const levelled = (count) => ({ turned: false, height: size * 1.6, count });
  if (x.kind !== 'band') return levelled(Math.max(2, Math.floor(width / (size * 6))));
  const widest = Math.max(...x.names.map((name) => textWidth(name, size)));
  const level = Math.floor(width / (widest + size));
  if (level >= x.names.length) return levelled(x.names.length);
  // Numbers in their order can be told from their neighbours: some of them will do.
  if (widest < size * 2.5) return levelled(level);
  const count = Math.min(x.names.length, Math.max(1, Math.floor(width / (size * 1.7))));
  return { turned: true, height: Math.min(widest, size * 12) * 0.66 + size * 1.6, count };
}

function lowerScale({ x, cells }, [left, right]) {
  if (x.kind === 'band') {
    const bands = band(x.names.length, [left, right]);
    const index = new Map(x.names.map((name, at) => [name, at]));
    return {
      bands,
      x: (name) => bands.middle(index.get(name)),
      places: (count) => {
        const every = Math.ceil(x.names.length / count);
        return x.names.map((name, at) => ({ name, at: bands.middle(at) })).filter((_, at) => at % every === 0);
      },
    };
  }
  const values = cells.map((cell) => cell.x);
  const [min, max] = [Math.min(...values), Math.max(...values)];
  if (x.kind === 'date') {
    const scale = linear([min, max], [left + 8, right - 8]);
    return {
      bands: null,
      x: scale,
      places: (count) => dateTicks(min, max, count).map(({ at, text: name }) => ({ name, at: scale(at) })),
    };
  }
  const steps = ticks(min, max, 6);
  const scale = linear([steps[0], steps.at(-1)], [left + 8, right - 8]);
  return {
    bands: null,
    x: scale,
    places: (count) => {
      const every = Math.ceil(steps.length / count);
      return steps.filter((_, at) => at % every === 0).map((value) => ({ name: formatTick(value), at: scale(value) }));
    },
  };
}
