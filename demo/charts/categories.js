/** Puts the values of a column into a limited number of named groups. */
import { formatDay, formatMonth, formatNumber, niceStep } from './scales.js';

/**
 * Texts stay as they are; many numbers become ranges, many dates become months, or years.
 * @param {Record<string, string | number>[]} rows @param {import('./table.js').Column} column
 * @param {number} limit the most groups that numbers and dates may have
 * @returns {{ names: string[], of: (row: Record<string, string | number>) => string }} the names in their order
 */
export function categoriesOf(rows, { name, type }, limit) {
  const group = grouping(rows.map((row) => row[name]), type, limit);
  const found = new Map();
  for (const row of rows) {
    const { order, text } = group(row[name]);
    if (!found.has(text)) found.set(text, order);
  }
  const names = [...found.keys()];
  if (type !== 'text') names.sort((a, b) => found.get(a) - found.get(b));
  return { names, of: (row) => group(row[name]).text };
}

function grouping(values, type, limit) {
  const distinct = new Set(values).size;
  if (type === 'text') return (value) => ({ order: 0, text: value });
  if (type === 'date') return dateGrouping(values, distinct, limit);
  if (distinct <= limit) return (value) => ({ order: value, text: formatNumber(value) });
  const lowest = Math.min(...values);
  const step = niceStep(Math.max(...values) - lowest, limit - 1);
  return (value) => {
    const from = Math.floor(value / step) * step;
    return { order: from, text: `${formatNumber(from)}${from < 0 ? ' to ' : '–'}${formatNumber(from + step)}` };
  };
}

function dateGrouping(values, distinct, limit) {
  if (distinct <= limit) return (value) => ({ order: Date.parse(value), text: formatDay(Date.parse(value)) });
  const months = new Set(values.map((value) => value.slice(0, 7))).size;
  const length = months <= limit ? 7 : 4;
  return (value) => {
    const start = Date.parse(value.slice(0, length));
    return { order: start, text: length === 7 ? formatMonth(start) : value.slice(0, 4) };
  };
}
