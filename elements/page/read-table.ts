import { isElement } from '../node-kind.js';
import type { Control } from './form-controls.js';
import { isReadable } from './form-controls.js';
import { valueOfControl } from './form-values.js';
import { isPrivate, textOf } from './read-text.js';

/** A row as it was read, and its JSON. */
export interface ReadRow {
  readonly value: unknown;
  readonly json: string;
}

/** Rows that were read and have not changed since. Whoever sees a change forgets the row. */
export type RowMemory = WeakMap<Element, ReadRow>;

interface Cell {
  readonly element: Element;
  readonly columns: number;
  readonly rows: number;
}

const CELLS = '[role="cell"],[role="gridcell"],[role="rowheader"]';
/** Groups, rows and cells that are not read. */
const UNREAD = '[hidden],[data-oui-private]';

/** Reads a `<table>`, or what has the role of one, row by row. */
export class TableReader {
  readonly #table: Element;
  #memory: RowMemory = new WeakMap();
  /** Its rows; `null` when there may be others. */
  #found: TableRows | null = null;
  #headers: readonly string[] | null = null;
  #headersText: string | undefined;

  constructor(table: Element) {
    this.#table = table;
  }

  /** Something within changed. `whole`: not only what a row says. */
  forget(node: Node, whole: boolean): void {
    forgetRow(this.#memory, node, this.#table);
    if (whole) this.#found = null;
  }

  /** Forgets everything: nobody has watched since the last look. */
  forgetAll(): void {
    this.#memory = new WeakMap();
    this.#found = null;
  }

  /** The rows of its body, each an object by the headers of the columns; lists of texts when there are none. */
  rows(): ReadRow[] {
    const { headerRows, bodyRows } = (this.#found ??= rowsOf(this.#table));
    const headers = headerRows.length > 0 ? headersOf(headerRows) : null;
    const text = JSON.stringify(headers);
    if (text !== this.#headersText) {
      this.#headersText = text;
      this.#headers = headers;
      this.#memory = new WeakMap();
    }
    const read: ReadRow[] = [];
    /** Cells of earlier rows that reach down here, by column. */
    const reaching = new Map<number, { readonly value: unknown; rows: number }>();
    for (const row of bodyRows) {
      const kept = reaching.size === 0 ? this.#memory.get(row) : undefined;
      if (kept) {
        read.push(kept);
        continue;
      }
      const before = reaching.size;
      const value = this.#value(cellsOf(row), reaching);
      const made = { value, json: JSON.stringify(value) };
      if (before === 0 && reaching.size === 0) this.#memory.set(row, made);
      read.push(made);
    }
    return read;
  }

  #value(cells: readonly Cell[], reaching: Map<number, { readonly value: unknown; rows: number }>): unknown {
    const values: unknown[] = [];
    const rest = [...cells];
    const last = Math.max(-1, ...reaching.keys());
    for (let column = 0; rest.length > 0 || column <= last; column += 1) {
      const above = reaching.get(column);
      if (above) {
        values[column] = above.value;
        above.rows -= 1;
        if (above.rows === 0) reaching.delete(column);
        continue;
      }
      const cell = rest.shift();
      if (!cell) continue;
      values[column] = valueOfCell(cell.element);
      if (cell.rows > 1) reaching.set(column, { value: values[column], rows: cell.rows - 1 });
      column += cell.columns - 1;
    }
    const headers = this.#headers;
    if (!headers) return Array.from(values, (value) => value ?? '');
    return Object.fromEntries(values.flatMap((value, column) => [[headers[column] ?? `column_${column + 1}`, value]]));
  }
}

/** Forgets the row that a node stands in. */
export function forgetRow(memory: RowMemory, node: Node, within: Element): void {
  for (let at: Node | null = node; at && at !== within; at = at.parentNode) {
    if (isElement(at)) memory.delete(at);
  }
}

/** What a cell holds: the value of its one control, else its text. */
function valueOfCell(cell: Element): unknown {
  if (!cell.firstElementChild) return textOf(cell);
  const controls = cell.querySelectorAll('input,select,textarea');
  const [control] = controls as Iterable<Element> as Iterable<Control>;
  if (control && controls.length === 1 && isReadable(control) && textOf(cell, 'label') === '') {
    return valueOfControl(control);
  }
  return textOf(cell);
}

interface TableRows {
  /** The rows that name the columns; none when there are no names. */
  readonly headerRows: readonly Element[];
  readonly bodyRows: readonly Element[];
}

function rowsOf(table: Element): TableRows {
  const rows = table.localName === 'table' ? nativeRows(table as HTMLTableElement) : gridRows(table);
  // One look of the browser's own at most tables, in place of one for each row.
  if (!table.querySelector(UNREAD)) return rows;
  return { ...rows, bodyRows: rows.bodyRows.filter((row) => !isUnread(row, table)) };
}

/** Whether a row, or a group of rows around it, is hidden or private. What stands around the table is another matter. */
function isUnread(row: Element, table: Element): boolean {
  const unread = row.closest(UNREAD);
  return unread !== null && unread !== table && table.contains(unread);
}

function nativeRows(table: HTMLTableElement): TableRows {
  const { tHead } = table;
  const bodyRows = [...table.tBodies].flatMap((body) => [...body.rows]);
  if (tHead && tHead.rows.length > 0) return { headerRows: [...tHead.rows], bodyRows };
  const [first, ...others] = bodyRows;
  const isHeader = first && first.cells.length > 0 && [...first.cells].every(({ localName }) => localName === 'th');
  return isHeader ? { headerRows: [first], bodyRows: others } : { headerRows: [], bodyRows };
}

function gridRows(grid: Element): TableRows {
  const rows = [...grid.querySelectorAll('[role="row"]')];
  const headerRow = rows.find((row) => row.querySelector('[role="columnheader"]') !== null);
  return { headerRows: headerRow ? [headerRow] : [], bodyRows: rows.filter((row) => row !== headerRow) };
}

function cellsOf(row: Element): Cell[] {
  return shown(row, CELLS).map((element) => (
    { element, columns: element.colSpan ?? 1, rows: element.rowSpan ?? 1 }));
}

/** A row's cells. Hidden ones take no place in it. `roles`: what they are where it is no `<tr>`. */
function shown(row: Element, roles: string): HTMLTableCellElement[] {
  const cells = row.localName === 'tr' ? (row as HTMLTableRowElement).cells : row.querySelectorAll(roles);
  return ([...cells] as HTMLTableCellElement[]).filter((cell) => !cell.hidden);
}

/**
 * Names of the columns: of several rows, the lowest that says something there. One without a text goes by its number,
 * one that is there twice too.
 */
function headersOf(rows: readonly Element[]): string[] {
  const texts: string[] = [];
  /** The first row in which a column is free again. */
  const free: number[] = [];
  rows.forEach((row, at) => {
    let column = 0;
    for (const cell of shown(row, '[role="columnheader"]')) {
      while ((free[column] ?? 0) > at) column += 1;
      const text = isPrivate(cell) ? '' : textOf(cell);
      for (let span = cell.colSpan ?? 1; span > 0; span -= 1, column += 1) {
        texts[column] = text || texts[column] || '';
        free[column] = at + ((cell.rowSpan ?? 1) || rows.length);
      }
    }
  });
  const names: string[] = [];
  for (const name of Array.from(texts, (text) => text ?? '')) {
    names.push(name === '' || names.includes(name) ? `${name || 'column'}_${names.length + 1}` : name);
  }
  return names;
}
