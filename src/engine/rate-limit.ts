/** A token bucket per surface: `perSecond` in the long run, `burst` at once (PROTOCOL.md §2.7). */
export class RateLimit {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
  }

  /** Takes one token. `now` in ms. @returns ms until the next token when there is none, else 0. */
  take(key: string, now: number): number {
    const bucket = this.#buckets.get(key) ?? { tokens: this.#burst, at: now };
    bucket.tokens = Math.min(this.#burst, bucket.tokens + ((now - bucket.at) / 1000) * this.#perSecond);
    bucket.at = now;
    this.#buckets.set(key, bucket);
    if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) / this.#perSecond) * 1000);
    bucket.tokens -= 1;
    return 0;
  }
}
