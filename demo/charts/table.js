/**
 * Data sets: rows with named columns, from CSV and to CSV.
 *
 * @typedef {{ name: string, type: 'text' | 'number' | 'date' }} Column
 * @typedef {{ columns: Column[], rows: Record<string, string | number>[] }} Table
 */
import { ChartError } from './chart-error.js';

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Reads CSV without quoted fields, as the files of this demo are. @param {string} text @returns {Table} */
export function parseCsv(text) {
  const [head, ...lines] = text.trim().split(/\r?\n/).map((line) => line.split(','));
  const columns = head.map((name, index) => ({ name, type: typeOf(lines.map((line) => line[index])) }));
  const rows = lines.map((line) => Object.fromEntries(
    columns.map(({ name, type }, index) => [name, type === 'number' ? Number(line[index]) : line[index]])));
  return { columns, rows };
}

function typeOf(values) {
  if (values.every((value) => value !== '' && Number.isFinite(Number(value)))) return 'number';
  return values.every((value) => DATE.test(value)) ? 'date' : 'text';
}

/** Rows of cells as CSV that spreadsheets read. @param {(string | number)[][]} rows */
export function toCsv(rows) {
  const cell = (value) => (/[",\r\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** @param {Column[]} columns @param {string} name @returns {Column} */
export function columnOf(columns, name) {
  const found = columns.find((column) => column.name === name);
  if (found) return found;
  const names = columns.map((column) => column.name).join(', ');
  throw new ChartError('dataviz:unknown_column', `There is no column "${name}". The data set has ${names}.`);
}
