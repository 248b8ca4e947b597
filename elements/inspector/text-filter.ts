/**
 * Finds entries that contain a text, whatever its case. An entry is searched once for each text that is wanted, and not
 * at each drawing: logs hold megabytes.
 */
export class TextFilter<Entry extends object> {
  readonly #textsOf: (entry: Entry) => readonly string[];
  #wanted = '';
  #pattern: RegExp | undefined;
  #known = new WeakMap<Entry, boolean>();

  /** `textsOf`: what is searched of an entry. */
  constructor(textsOf: (entry: Entry) => readonly string[]) {
    this.#textsOf = textsOf;
  }

  /** Those that contain it, in their order. Nothing but white space finds all. */
  matching(entries: Iterable<Entry>, text: string): Entry[] {
    const wanted = text.trim();
    if (wanted !== this.#wanted) {
      this.#wanted = wanted;
      this.#known = new WeakMap();
      this.#pattern = wanted === '' ? undefined : new RegExp(wanted.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&'), 'iu');
    }
    const pattern = this.#pattern;
    return pattern ? [...entries].filter((entry) => this.#matches(entry, pattern)) : [...entries];
  }

  /** An entry says something else now. */
  changed(entry: Entry): void {
    this.#known.delete(entry);
  }

  #matches(entry: Entry, pattern: RegExp): boolean {
    let found = this.#known.get(entry);
    if (found === undefined) this.#known.set(entry, found = this.#textsOf(entry).some((text) => pattern.test(text)));
    return found;
  }
}
