function hex(value: number, digits: number): string {
  return (value >>> 0).toString(16).padStart(digits, '0');
}

/**
 * FNV-1a with 64 bits, over UTF-16 code units: not the bytes of UTF-8, since the published hash is so.
 *
 * BigInt is some fifty times slower. The state is held as `high` (32 bits), `mid` and `low` (16 bits each); the prime
 * is 2^40 + 435, so a product is 435 times each part with its carry, plus the state shifted by 40 bits, of which only
 * the lower 24 bits of the state remain, in `high`.
 */
export class Fnv1a64 {
  #high = 0xcbf29ce4 | 0;
  #mid = 0x8422;
  #low = 0x2325;

  add(text: string): void {
    let high = this.#high;
    let mid = this.#mid;
    let low = this.#low;
    for (let index = 0; index < text.length; index++) {
      const mixed = low ^ text.charCodeAt(index);
      const product = Math.imul(mixed, 435);
      const carried = Math.imul(mid, 435) + (product >>> 16);
      high = (Math.imul(high, 435) + (carried >>> 16) + ((mid << 24) | (mixed << 8))) | 0;
      mid = carried & 0xffff;
      low = product & 0xffff;
    }
    this.#high = high;
    this.#mid = mid;
    this.#low = low;
  }

  /** 16 lowercase hex digits. */
  hex(): string {
    return hex(this.#high, 8) + hex(this.#mid, 4) + hex(this.#low, 4);
  }
}
