import { EVENT } from '../../src/protocol/events.js';
import type { OUIError } from '../../src/protocol/events.js';
import type { InspectedFrame } from '../../src/protocol/inspection.js';
import type { JSONSchema, JsonObject } from '../../src/protocol/json.js';
import * as LIMITS from '../../src/protocol/limits.js';
import { errorWithoutSecrets, HIDDEN_VALUE, withoutSecrets } from './secret-values.js';

/** Stands for what cannot be read, and might be what must not be seen. */
const UNREAD = '"…"';

/** A frame and its number, counted from the first that was seen. */
export interface LoggedFrame extends InspectedFrame {
  readonly number: number;
}

/** The frames of a connection, newest first, bounded like the calls. */
export class FrameLog {
  readonly #inputOf: (surfaceId: string, actionId: string) => JSONSchema | null;
  #frames: LoggedFrame[] = [];
  /** Params of requests with something that must not be seen, as they are shown: by the id, as it stands in frames. */
  readonly #hiding = new Map<string, unknown>();
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
    if (this.paused) {
      if (frame.type === EVENT.request) this.#shownPayload(frame);
      return;
    }
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
    this.#hiding.clear();
    this.#length = this.#count = this.#bytes = 0;
  }

  /**
   * Params that must not be seen travel in requests, and what is wrong with them in results. What was cut cannot be
   * read, so it is not shown at all.
   */
  #shownPayload(frame: InspectedFrame): string {
    if (frame.type === EVENT.request) return this.#shownRequest(frame);
    return frame.type === EVENT.result ? this.#shownResult(frame) : frame.payload;
  }

  #shownRequest({ payload, cut }: InspectedFrame): string {
    try {
      const request = JSON.parse(payload) as JsonObject;
      const input = this.#inputOf(String(request['surfaceId']), String(request['actionId']));
      const params = withoutSecrets(request['params'], input);
      const shown = JSON.stringify({ ...request, params });
      if (shown.includes(HIDDEN_VALUE)) this.#hide(JSON.stringify(request['requestId']), params);
      return shown;
    } catch {
      return cut ? UNREAD : payload;
    }
  }

  #shownResult({ payload, cut }: InspectedFrame): string {
    const [id, params] = [...this.#hiding].find(([each]) => payload.includes(each)) ?? [];
    if (id === undefined) return payload;
    if (cut) return UNREAD;
    const result = JSON.parse(payload) as JsonObject;
    const { error } = result;
    if (error === undefined) return payload;
    return JSON.stringify({ ...result, error: errorWithoutSecrets(error as unknown as OUIError, params) });
  }

  #hide(id: string, params: unknown): void {
    this.#hiding.set(id, params);
    for (const each of this.#hiding.keys()) {
      if (this.#hiding.size <= LIMITS.inspectedFrames) return;
      this.#hiding.delete(each);
    }
  }
}
