import { EVENT } from '../../src/protocol/events.js';
import type { InspectedFrame } from '../../src/protocol/inspection.js';
import type { JSONSchema, JsonObject } from '../../src/protocol/json.js';
import * as LIMITS from '../../src/protocol/limits.js';
import { withoutSecrets } from './secret-values.js';

/** A frame and its number, counted from the first that was seen. */
export interface LoggedFrame extends InspectedFrame {
  readonly number: number;
}

/** The frames of a connection, newest first, bounded like the calls. */
export class FrameLog {
  readonly #inputOf: (surfaceId: string, actionId: string) => JSONSchema | null;
  #frames: LoggedFrame[] = [];
  #length = 0;
  #count = 0;
  #bytes = 0;
  /** Frames are counted and not kept. */
  paused = false;

  /** `inputOf`: as in the log of calls. */
  constructor(inputOf: (surfaceId: string, actionId: string) => JSONSchema | null) {
    this.#inputOf = inputOf;
  }

  add(frame: InspectedFrame): void {
    this.#count += 1;
    this.#bytes += frame.bytes;
    if (this.paused) return;
    const shown = { ...frame, payload: this.#shownPayload(frame), number: this.#count };
    this.#frames.push(shown);
    this.#length += shown.payload.length;
    while (this.#frames.length > 1
      && (this.#frames.length > LIMITS.inspectedFrames || this.#length > LIMITS.inspectedLength)) {
      this.#length -= this.#frames.shift()!.payload.length;
    }
  }

  /** Newest first: those whose type or payload contains the text. */
  frames(text = ''): LoggedFrame[] {
    const wanted = text.trim().toLowerCase();
    const found = wanted === '' ? [...this.#frames] : this.#frames.filter(({ type, payload }) => {
      return `${type} ${payload}`.toLowerCase().includes(wanted);
    });
    return found.reverse();
  }

  /** All that went by, kept or not. */
  get total(): { readonly count: number; readonly bytes: number } {
    return { count: this.#count, bytes: this.#bytes };
  }

  clear(): void {
    this.#frames = [];
    this.#length = this.#count = this.#bytes = 0;
  }

  /** Params that must not be seen travel in requests. One that was cut cannot be read, so it is not shown at all. */
  #shownPayload({ type, payload, cut }: InspectedFrame): string {
    if (type !== EVENT.request) return payload;
    try {
      const request = JSON.parse(payload) as JsonObject;
      const input = this.#inputOf(String(request['surfaceId']), String(request['actionId']));
      return JSON.stringify({ ...request, params: withoutSecrets(request['params'], input) });
    } catch {
      return cut ? '"…"' : payload;
    }
  }
}
