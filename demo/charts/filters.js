/**
 * Filters: which rows are shown.
 *
 * @typedef {'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'contains'} Operator
 * @typedef {{ column: string, operator: Operator, value: string | number | (string | number)[] }} Filter
 */
import { ChartError } from './chart-error.js';
import { columnOf } from './table.js';

/** Every operator, as people read it. */
export const OPERATORS = {
  eq: 'is', neq: 'is not', gt: 'is more than', gte: 'is at least', lt: 'is less than', lte: 'is at most',
  in: 'is one of', contains: 'contains',
};

const TESTS = {
  eq: (cell, value) => cell === value,
  neq: (cell, value) => cell !== value,
  gt: (cell, value) => cell > value,
  gte: (cell, value) => cell >= value,
  lt: (cell, value) => cell < value,
  lte: (cell, value) => cell <= value,
  in: (cell, values) => values.includes(cell),
  contains: (cell, value) => String(cell).toLowerCase().includes(String(value).toLowerCase()),
};
const ORDERS = ['gt', 'gte', 'lt', 'lte'];

/**
 * A filter that fits the columns: numbers may come as text.
 * @param {import('./table.js').Column[]} columns @param {Filter} filter @returns {Filter}
 */
export function checkedFilter(columns, { column, operator, value }) {
  const { type } = columnOf(columns, column);
  const refuse = (message) => {
    throw new ChartError('dataviz:bad_filter', message);
  };
  if (ORDERS.includes(operator) && type === 'text') {
    refuse(`"${operator}" needs a column of numbers or dates; "${column}" has texts. Use eq, neq, in or contains.`);
  }
  if (operator === 'in') {
    if (!Array.isArray(value) || value.length === 0) refuse(`"in" needs a list of values for "${column}".`);
    return { column, operator, value: value.map((each) => cellValue(each)) };
  }
  return { column, operator, value: operator === 'contains' ? String(value) : cellValue(value) };

  function cellValue(given) {
    if (typeof given !== 'string' && typeof given !== 'number') refuse(`"${operator}" needs a text or a number.`);
    if (type !== 'number') return String(given);
    const number = given === '' ? NaN : Number(given);
    return Number.isFinite(number) ? number : refuse(`"${column}" has numbers; ${JSON.stringify(given)} is none.`);
  }
}

/** The rows that pass every filter. @template Row @param {Row[]} rows @param {Filter[]} filters @returns {Row[]} */
export function filtered(rows, filters) {
  return rows.filter((row) => filters.every(({ column, operator, value }) => TESTS[operator](row[column], value)));
}

/** A filter in words. @param {Filter} filter */
export function filterText({ column, operator, value }) {
  return `${column} ${OPERATORS[operator]} ${Array.isArray(value) ? value.join(', ') : value}`;
}
