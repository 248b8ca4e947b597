/** Numbers as people read them, in the language of the page. Made once per language. */
export class Amounts {
  readonly #number: Intl.NumberFormat;
  readonly #short: Intl.NumberFormat;
  readonly #clock: Intl.DateTimeFormat;

  /** `language`: a tag, such as `de`; what is none is the browser's own. */
  constructor(language: string) {
    const locale = supported(language);
    this.#number = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
    this.#short = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
    this.#clock = new Intl.DateTimeFormat(locale, {
      hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hour12: false,
    });
  }

  count(value: number): string {
    return this.#number.format(value);
  }

  decimal(value: number): string {
    return this.#short.format(value);
  }

  /** Of ms. */
  duration(ms: number): string {
    const size = Math.abs(ms);
    if (size < 1_000) return `${this.#number.format(ms)} ms`;
    if (size < 60_000) return `${this.#short.format(ms / 1_000)} s`;
    return `${this.#short.format(ms / 60_000)} min`;
  }

  bytes(bytes: number): string {
    if (bytes < 1_024) return `${this.#number.format(bytes)} B`;
    return bytes < 1_048_576 ? `${this.#short.format(bytes / 1_024)} KiB` : `${this.#short.format(bytes / 1_048_576)} MiB`;
  }

  /** Of the Unix epoch in ms, on the user's clock. */
  time(at: number): string {
    return this.#clock.format(at);
  }
}

function supported(language: string): string | undefined {
  try {
    return language === '' ? undefined : new Intl.Locale(language).toString();
  } catch {
    return undefined;
  }
}
