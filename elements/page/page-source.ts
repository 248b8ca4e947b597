import type { Release } from '../../src/protocol/ports.js';
import { warnMarkup } from '../markup-warning.js';
import { isElement } from '../node-kind.js';
import { valuesOf } from './form-values.js';
import { numberOf } from './read-number.js';
import { forgetRow, TableReader } from './read-table.js';
import type { ReadRow, RowMemory } from './read-table.js';
import { isSecret } from './read-text.js';
import { itemsOf, readBoolean, readItem, readText } from './read-value.js';
import { watchTree } from './tree-watch.js';

/** Something that matches nothing after this (ms) gets a warning: rendering is over by then. */
const LATE_MS = 1000;
/** Events after which a control may have another value. */
const EDITS = ['input', 'change', 'reset'];
/** Attributes by which an element says something of all that is in it: that it is private, and its language. */
const INHERITED = ['data-oui-private', 'lang'];

/** How an observation reads the page: `type` of `<oui-observation>`. */
export type PageType = 'text' | 'number' | 'integer' | 'boolean' | 'json' | 'form' | 'table' | 'list';

export interface PageSourceOptions {
  /** The `<oui-observation>`: its tree is where the selector is looked for. */
  readonly element: Element;
  readonly selector: string;
  readonly type: PageType;
  /** A list of the values of all that match, instead of the value of the first. */
  readonly list: boolean;
}

/** The value of a part of the page. Read when it is wanted, and only what changed since. */
export interface PageSource {
  /** Reading is work: it is done unasked only while an agent is connected. */
  readonly lazy: true;
  get(): unknown;
  /** The value's JSON text. */
  json(): string;
  /** Tells when the value may be another. */
  subscribe(notify: () => void): Release;
}

interface Reading {
  readonly value: () => unknown;
  readonly json: () => string;
}

/** @returns `null` when the selector is none, which is warned about. */
export function createPageSource(options: PageSourceOptions): PageSource | null {
  const { element, selector } = options;
  try {
    element.ownerDocument.createDocumentFragment().querySelector(selector);
  } catch {
    warnMarkup(element, `has from="${selector}", which is no CSS selector. Write one such as from="#count".`);
    return null;
  }
  return new SelectedSource(options);
}

class SelectedSource implements PageSource {
  readonly lazy = true;
  readonly #options: PageSourceOptions;
  #listening = 0;
  #matched: readonly Element[] = [];
  /** The matching elements may be others; what is in them may have changed. */
  #moved = true;
  #stale = true;
  #reading: Reading = { value: () => null, json: () => 'null' };
  #items: RowMemory = new WeakMap();
  #table: { readonly element: Element; readonly reader: TableReader } | null = null;

  constructor(options: PageSourceOptions) {
    this.#options = options;
  }

  get(): unknown {
    return this.#read().value();
  }

  json(): string {
    return this.#read().json();
  }

  subscribe(notify: () => void): Release {
    const root = this.#options.element.getRootNode();
    this.#listening += 1;
    this.#stale = this.#moved = true;
    const unwatch = watchTree(root, 'content', (records) => {
      if (this.#notice(records)) notify();
    });
    const edited = ({ type, target }: Event): void => {
      const touched = this.#matched.filter((each) => each.contains(target as Node) || (target as Node).contains(each)
        || (target as Partial<HTMLInputElement>).form === each);
      if (touched.length === 0) return;
      const tell = (): void => {
        for (const each of touched) this.#forget(target as Node, each, false);
        this.#stale = true;
        notify();
      };
      // A reset is told before it happens.
      if (type === 'reset') setTimeout(tell);
      else tell();
    };
    for (const type of EDITS) root.addEventListener(type, edited, true);
    const late = setTimeout(() => this.#warnUnmatched(root as ParentNode), LATE_MS);
    return () => {
      clearTimeout(late);
      unwatch();
      for (const type of EDITS) root.removeEventListener(type, edited, true);
      this.#listening -= 1;
    };
  }

  /** Whether the records may concern the value. */
  #notice(records: readonly MutationRecord[]): boolean {
    const { selector } = this.#options;
    let concerned = false;
    for (const { target, type, attributeName, addedNodes, removedNodes } of records) {
      const inherited = attributeName !== null && INHERITED.includes(attributeName);
      const around = this.#matched.filter((each) => each.contains(target) || (inherited && target.contains(each)));
      for (const each of around) this.#forget(target, each, type !== 'characterData');
      if (inherited) this.#items = new WeakMap();
      if (around.length > 0) this.#stale = concerned = true;
      if (this.#moved) concerned = true;
      else if (type === 'attributes') this.#moved = concerned = !this.#stillMatches() || concerned;
      else if ([...addedNodes, ...removedNodes].some((node) => concerns(node, selector))) this.#moved = concerned = true;
    }
    return concerned;
  }

  /** Any attribute of any element may decide what matches. */
  #stillMatches(): boolean {
    const now = this.#query();
    return now.length === this.#matched.length && now.every((each, at) => each === this.#matched[at]);
  }

  #query(): Element[] {
    const root = this.#options.element.getRootNode() as ParentNode;
    return [...root.querySelectorAll(this.#options.selector)];
  }

  /** `whole`: elements may have come or gone, or have another role. */
  #forget(node: Node, within: Element, whole: boolean): void {
    forgetRow(this.#items, node, within.parentElement ?? within);
    if (this.#table?.element === within) this.#table.reader.forget(node, whole);
  }

  #read(): Reading {
    if (this.#listening === 0) {
      // Nobody has watched since the last look.
      this.#stale = this.#moved = true;
      this.#items = new WeakMap();
      this.#table?.reader.forgetAll();
    }
    if (this.#moved) {
      this.#stale ||= !this.#stillMatches();
      this.#matched = this.#query();
    }
    if (this.#stale) this.#reading = this.#readMatched();
    this.#moved = this.#stale = false;
    return this.#reading;
  }

  #readMatched(): Reading {
    const { type, list } = this.#options;
    const [first, ...others] = this.#matched;
    if (type === 'list') return this.#readList();
    if (list) return asReading(this.#matched.map((each) => this.#one(each)));
    if (!first) return asReading(type === 'boolean' ? false : null);
    if (others.length > 0 && type !== 'boolean') this.#warnSeveral(others.length + 1);
    if (type !== 'table' || isSecret(first)) return asReading(this.#one(first));
    if (!isTable(first)) {
      this.#warn(`has type="table", and ${this.#options.selector} is a <${first.localName}> without rows. Point from at a `
        + '<table>, or at an element with role="table" or "grid" and rows in it.');
    }
    if (this.#table?.element !== first) this.#table = { element: first, reader: new TableReader(first) };
    return ofRows(this.#table.reader.rows());
  }

  /** The items of the one list that matches; else of each that matches one. */
  #readList(): Reading {
    const [first] = this.#matched;
    const items = (this.#matched.length === 1 && itemsOf(first!)) || this.#matched;
    return ofRows(items.filter((item) => !(item as HTMLElement).hidden).map((item) => {
      let read = this.#items.get(item);
      if (!read) {
        const value = readItem(item);
        read = { value, json: JSON.stringify(value) };
        this.#items.set(item, read);
      }
      return read;
    }));
  }

  #one(element: Element): unknown {
    if (isSecret(element)) {
      this.#warn(`reads ${this.#options.selector}, which is private: passwords, hidden fields and what is marked `
        + 'data-oui-private never leave the page. Point from at something else.');
      return null;
    }
    switch (this.#options.type) {
      case 'number': return this.#number(element);
      case 'integer': return this.#integer(element);
      case 'boolean': return readBoolean(element);
      case 'json': return this.#json(element);
      case 'form': return valuesOf(element);
      case 'table': return new TableReader(element).rows().map(({ value }) => value);
      default: return readText(element);
    }
  }

  #number(element: Element): number | null {
    const value = numberOf(element);
    if (value === null) {
      const text = readText(element) ?? '';
      if (text) this.#warn(`has no number to read: ${this.#options.selector} says "${text.slice(0, 60)}".`);
    }
    return value;
  }

  #integer(element: Element): number | null {
    const value = this.#number(element);
    if (value === null || Number.isInteger(value)) return value;
    this.#warn(`has type="integer", and ${this.#options.selector} says ${value}. Use type="number".`);
    return null;
  }

  #json(element: Element): unknown {
    const text = element.localName === 'script' ? element.textContent ?? '' : readText(element) ?? '';
    if (!text.trim()) return null;
    try {
      return JSON.parse(text) as unknown;
    } catch (error) {
      this.#warn(`reads broken JSON from ${this.#options.selector}: ${(error as Error).message}`);
      return null;
    }
  }

  #warnSeveral(count: number): void {
    this.#warn(`has from="${this.#options.selector}", which matches ${count} elements; the first is read. Add the `
      + 'attribute list to read them all.');
  }

  #warnUnmatched(root: ParentNode): void {
    const { selector, type, list } = this.#options;
    const found = type === 'form' && !list ? root.querySelector(selector) : null;
    if (found && Object.keys(valuesOf(found)).length === 0) {
      this.#warn(`has type="form", and ${selector} holds no controls that can be read: it is a <${found.localName}>. Point `
        + 'from at a form, or at an element with named controls in it.');
    }
    if (list || type === 'list' || type === 'boolean' || root.querySelector(selector)) return;
    this.#warn(`has from="${selector}", which matches nothing yet in its document or shadow root; its value is null `
      + 'until something does.');
  }

  #warn(text: string): void {
    warnMarkup(this.#options.element, text);
  }
}

function isTable(element: Element): boolean {
  return element.localName === 'table' || element.matches('[role="table"],[role="grid"],[role="treegrid"]')
    || element.querySelector('[role="row"]') !== null;
}

function asReading(value: unknown): Reading {
  let json: string | undefined;
  // Only when it is wanted: JSON on the page may be nested deeper than can be written, and has a value all the same.
  return { value: () => value, json: () => (json ??= JSON.stringify(value) ?? 'null') };
}

function ofRows(rows: readonly ReadRow[]): Reading {
  const text = `[${rows.map(({ json }) => json).join(',')}]`;
  return { value: () => rows.map(({ value }) => value), json: () => text };
}

function concerns(node: Node, selector: string): boolean {
  return isElement(node) && (node.matches(selector) || node.querySelector(selector) !== null);
}

