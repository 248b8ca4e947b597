import * as LIMITS from '../../src/protocol/limits.js';

/**
 * Draws at most once per animation frame, and so never in a hidden tab. What can wait is drawn a few times a second,
 * however often it changes: nobody reads faster, and the page has other work.
 */
export class DrawSchedule {
  readonly #draw: () => void;
  readonly #windowNow: () => Window;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frame: object | undefined;
  #drawnAt = -Infinity;
  #ended = false;

  /** `windowNow`: whose frames these are; it may become another one. */
  constructor(draw: () => void, windowNow: () => Window) {
    this.#draw = draw;
    this.#windowNow = windowNow;
  }

  /** With the next frame. */
  soon(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#ended) return;
    if (this.#frame) return;
    const frame = this.#frame = {};
    this.#windowNow().requestAnimationFrame(() => {
      if (this.#frame !== frame || this.#ended) return;
      this.#frame = undefined;
      this.#drawnAt = performance.now();
      this.#draw();
    });
  }

  /** When the last drawing is long enough ago. */
  later(): void {
    if (this.#ended || this.#frame !== undefined || this.#timer !== undefined) return;
    const left = this.#drawnAt + LIMITS.inspectedDrawMs - performance.now();
    if (left <= 0) this.soon();
    else this.#timer = setTimeout(() => this.soon(), left);
  }

  /** Nobody sees it now: what could wait is not drawn. */
  hold(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** With the next frame of another window: the one that was asked may never have one again. */
  again(): void {
    this.#frame = undefined;
    this.soon();
  }

  /** Draws no more. */
  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }
}
