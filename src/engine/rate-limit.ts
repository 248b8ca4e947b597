const REMEMBERED_BUCKETS = 1_000;

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
    if (this.#buckets.size >= REMEMBERED_BUCKETS) this.#forgetFull(now);
    const bucket = this.#buckets.get(key) ?? { tokens: this.#burst, at: now };
    bucket.tokens = Math.min(this.#burst, bucket.tokens + ((now - bucket.at) / 1000) * this.#perSecond);
    bucket.at = now;
    this.#buckets.set(key, bucket);
    if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) / this.#perSecond) * 1000);
    bucket.tokens -= 1;
    return 0;
  }

  /** A bucket that has filled up again is as good as a new one. */
  #forgetFull(now: number): void {
    for (const [key, { tokens, at }] of this.#buckets) {
      if (tokens + ((now - at) / 1000) * this.#perSecond >= this.#burst) this.#buckets.delete(key);
    }
  }
}
