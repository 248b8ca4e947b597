/** Charts of parts of a whole: a pie, and a treemap. */
import { fitText, path, rect, seriesColour, text } from './marks.js';
import { formatNumber } from './scales.js';

const sumOf = (cells) => cells.reduce((sum, cell) => sum + cell.value, 0);
const percent = (share) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;

export function pie(chart, { width, height, top, size, fine }) {
  const total = sumOf(chart.cells);
  const radius = Math.max(10, Math.min(width / 2 - size, (height - top) / 2 - size));
  const [cx, cy] = [width / 2, top + (height - top) / 2];
  const point = (turn, r) => `${(cx + Math.sin(turn) * r).toFixed(1)} ${(cy - Math.cos(turn) * r).toFixed(1)}`;
  const hole = radius * 0.5;
  let turn = 0;
  const data = chart.x.names.flatMap((name, index) => {
    const cell = chart.cells.find((each) => each.x === name);
    if (!cell) return [];
    const share = cell.value / total;
    const start = turn;
    // A slice that is the whole would begin where it ends, and nothing would be drawn.
    const end = (turn += share * 2 * Math.PI) - (share === 1 ? 1e-3 : 0);
    const large = end - start > Math.PI ? 1 : 0;
    const slice = path(
      `M${point(start, radius)}A${radius} ${radius} 0 ${large} 1 ${point(end, radius)}`
      + `L${point(end, hole)}A${hole} ${hole} 0 ${large} 0 ${point(start, hole)}Z`,
      {
        fill: seriesColour(index), ...(index >= 8 && { 'fill-opacity': 0.6 }), stroke: 'paper', 'stroke-width': 2,
        ...(fine && { hint: `${name}: ${formatNumber(cell.value)}, ${percent(share)}` }),
      });
    if (share < 0.04) return [slice];
    const middle = (start + end) / 2;
    const [x, y] = point(middle, (radius + hole) / 2).split(' ').map(Number);
    return [slice, text(x, y + size * 0.35, percent(share), size, {
      anchor: 'middle', fill: 'paper', 'font-weight': 600,
    })];
  });
  return { around: [], data };
}

export function treemap(chart, { width, height, top, size, fine }) {
  const total = sumOf(chart.cells);
  const cells = [...chart.cells].sort((a, b) => b.value - a.value);
  const box = { x: size, y: top, width: width - 2 * size, height: height - top - size };
  const coloured = chart.groups.length > 1;
  const data = tiles(cells, box).flatMap(({ cell, x, y, width: w, height: h }) => {
    const index = coloured ? chart.groups.indexOf(cell.group) : chart.x.names.indexOf(cell.x);
    const names = cell.group && cell.group !== cell.x ? `${cell.x}, ${cell.group}` : cell.x;
    const hint = `${names}: ${formatNumber(cell.value)}, ${percent(cell.value / total)}`;
    const tile = rect(x + 1, y + 1, w - 2, h - 2, seriesColour(index), { rx: 3, ...(fine && { hint }) });
    const name = h > size * 1.8 ? fitText(cell.x, w - size, size) : '';
    if (name === '') return [tile];
    const label = (at, content, more) => text(x + size * 0.6, y + size * at, content, size, { fill: 'paper', ...more });
    return [tile, label(1.4, name, { 'font-weight': 600 }),
      ...(h > size * 3.2 ? [label(2.7, fitText(percent(cell.value / total), w - size, size))] : [])];
  });
  return { around: [], data };
}

/** Squarified: each row of tiles takes the next ones as long as that makes them squarer. */
function tiles(cells, box) {
  const placed = [];
  let rest = cells;
  let { x, y, width, height } = box;
  while (rest.length > 0) {
    const area = (width * height) / sumOf(rest);
    const side = Math.min(width, height);
    const worstOf = (count) => worst(rest.slice(0, count), side, area);
    let count = 1;
    while (count < rest.length && worstOf(count + 1) <= worstOf(count)) count += 1;
    const row = rest.slice(0, count);
    rest = rest.slice(count);
    const depth = (sumOf(row) * area) / side;
    let along = 0;
    for (const cell of row) {
      const length = (cell.value * area) / depth;
      placed.push(width < height
        ? { cell, x: x + along, y, width: length, height: depth }
        : { cell, x, y: y + along, width: depth, height: length });
      along += length;
    }
    if (width < height) {
      y += depth;
      height -= depth;
    } else {
      x += depth;
      width -= depth;
    }
  }
  return placed;
}

/** How far from a square the least square tile of a row is. */
function worst(row, side, area) {
  const depth = (sumOf(row) * area) / side;
  return Math.max(...row.map((cell) => {
    const length = (cell.value * area) / depth;
    return Math.max(length / depth, depth / length);
  }));
}
