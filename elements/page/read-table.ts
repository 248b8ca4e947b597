import type { Control } from './form-controls.js';
import { isReadable } from './form-controls.js';
import { valueOfControl } from './form-values.js';
import { textOf } from './read-text.js';

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

/** Reads a `<table>`, or what has the role of one, row by row. */
export class TableReader {
  readonly #table: Element;
  #memory: RowMemory = new WeakMap();
  /** Its rows; `null` when there may be others. */
  #found: { readonly headerRow: Element | null; readonly bodyRows: readonly Element[] } | null = null;
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
    const { headerRow, bodyRows } = (this.#found ??= rowsOf(this.#table));
    const headers = headerRow && headersOf(headerRow);
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
      if ((row as HTMLElement).hidden) continue;
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
    if (at instanceof Element) memory.delete(at);
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

function rowsOf(table: Element): { headerRow: Element | null; bodyRows: Element[] } {
  return table.localName === 'table' ? nativeRows(table as HTMLTableElement) : gridRows(table);
}

function nativeRows(table: HTMLTableElement): { headerRow: Element | null; bodyRows: Element[] } {
  const { tHead } = table;
  const bodyRows = [...table.tBodies].flatMap((body) => [...body.rows]);
  if (tHead && tHead.rows.length > 0) return { headerRow: tHead.rows[tHead.rows.length - 1]!, bodyRows };
  const [first, ...others] = bodyRows;
  const isHeader = first && first.cells.length > 0 && [...first.cells].every(({ localName }) => localName === 'th');
  return isHeader ? { headerRow: first, bodyRows: others } : { headerRow: null, bodyRows };
}

function gridRows(grid: Element): { headerRow: Element | null; bodyRows: Element[] } {
  const rows = [...grid.querySelectorAll('[role="row"]')];
  const headerRow = rows.find((row) => row.querySelector('[role="columnheader"]') !== null) ?? null;
  return { headerRow, bodyRows: rows.filter((row) => row !== headerRow) };
}

function cellsOf(row: Element): Cell[] {
  if (row.localName !== 'tr') {
    return [...row.querySelectorAll(CELLS)].map((element) => ({ element, columns: 1, rows: 1 }));
  }
  return [...(row as HTMLTableRowElement).cells].map((element) => (
    { element, columns: element.colSpan, rows: element.rowSpan }));
}

/** Names of the columns. One without a text goes by its number, one that is there twice too. */
function headersOf(row: Element): string[] {
  const cells = row.localName === 'tr'
    ? [...(row as HTMLTableRowElement).cells]
    : [...row.querySelectorAll('[role="columnheader"]')] as HTMLTableCellElement[];
  const names: string[] = [];
  for (const cell of cells) {
    for (let span = 0; span < (cell.colSpan ?? 1); span += 1) {
      const name = textOf(cell);
      names.push(name === '' || names.includes(name) ? `${name || 'column'}_${names.length + 1}` : name);
    }
  }
  return names;
}
