import type { JsonText } from '../../protocol/json.js';
import type { OUISurface } from '../../protocol/manifest.js';

/** Surfaces whose values are kept: a page that mounts ever new ids must not keep them all. */
const MOST_SURFACES = 100;

/**
 * What observations of surfaces that were unmounted said last. A surface that comes back has these values until it is
 * told others: frameworks unmount and mount again without anything having changed, and whoever pushes changes only has
 * nothing to push then.
 */
export class KeptValues {
  readonly #surfaces = new Map<string, ReadonlyMap<string, JsonText>>();

  keep(surface: OUISurface, texts: ReadonlyMap<string, JsonText>): void {
    const key = keyOf(surface);
    this.#surfaces.delete(key);
    if (texts.size > 0) this.#surfaces.set(key, texts);
    if (this.#surfaces.size > MOST_SURFACES) this.#surfaces.delete(this.#surfaces.keys().next().value!);
  }

  /** By observation id. They are kept no longer. */
  take(surface: OUISurface): ReadonlyMap<string, JsonText> {
    const key = keyOf(surface);
    const texts = this.#surfaces.get(key);
    this.#surfaces.delete(key);
    return texts ?? new Map<string, JsonText>();
  }

  clear(): void {
    this.#surfaces.clear();
  }
}

/** The same surface of another entity has other values. */
function keyOf({ id, activation }: OUISurface): string {
  return JSON.stringify([id, activation]);
}
