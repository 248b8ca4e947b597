import type { JsonText } from '../protocol/json.js';
import { outlineValue } from './fit-steps.js';
import type { FitValue } from './fitted-value.js';
import type { JsonOutline } from './json-outline.js';

interface Kept {
  readonly text: JsonText;
  /** The room that it was read for. */
  readonly room: number;
  readonly outline: JsonOutline | undefined;
}

/** Rooms differ by a few bytes from frame to frame: each value is read for the next multiple of this. */
const ROOM_STEP = 16 * 1024;

/**
 * What was read of large values, so that frame after frame need not read them again: reading is what fitting costs.
 * What was read for more room says the same, and what was not used in the last frame is forgotten.
 */
export class OutlineMemory {
  #kept: ReadonlyMap<string, Kept> = new Map();

  /** Runs one fitting. `read` hears of each value that was not known. */
  during<T>(fitting: (outlineOf: typeof outlineValue) => T, read?: (value: FitValue) => void): T {
    const used = new Map<string, Kept>();
    const result = fitting((value, room) => {
      const slot = `${value.surface} ${value.observation}`;
      let kept = this.#kept.get(slot);
      if (kept === undefined || kept.text !== value.text || kept.room < room) {
        const roomy = Math.max(0, Math.ceil(room / ROOM_STEP) * ROOM_STEP);
        kept = { text: value.text, room: roomy, outline: outlineValue(value, roomy) };
        read?.(value);
      }
      used.set(slot, kept);
      return kept.outline;
    });
    if (used.size > 0) this.#kept = used;
    return result;
  }
}
