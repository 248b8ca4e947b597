import type { JsonText } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';
import type { Release, Transport } from '../protocol/ports.js';

/** A peer that has this much still to read gets no more observations until it has caught up. */
const HIGH_WATER_BYTES = LIMITS.frameBytes;
const RETRY_MS = 100;

interface Frame {
  readonly type: string;
  readonly payload: JsonText;
}

/**
 * Sends frames in order. While the peer reads slowly, observations wait here, the newest of each slot only:
 * a slow reader gets what is true now instead of a backlog (PROTOCOL.md §8). Anything else first sends what waits,
 * so that a result never overtakes the update it caused.
 */
export class Outbox {
  readonly #transport: Transport;
  readonly #setTimer: (ms: number, callback: () => void) => Release;
  readonly #sent: (type: string, payload: JsonText) => void;
  readonly #waiting = new Map<string, Frame>();
  #retry: Release | undefined;

  /** `sent` hears of each frame that is handed to the transport. */
  constructor(
    transport: Transport,
    setTimer: (ms: number, callback: () => void) => Release,
    sent: (type: string, payload: JsonText) => void,
  ) {
    this.#transport = transport;
    this.#setTimer = setTimer;
    this.#sent = sent;
  }

  send(type: string, payload: JsonText, slot: string | undefined): void {
    const frame: Frame = { type, payload };
    if (slot === undefined) {
      this.#flush();
      this.#write(frame);
    } else if (this.#waiting.has(slot) || (this.#transport.bufferedBytes ?? 0) > HIGH_WATER_BYTES) {
      this.#waiting.delete(slot);
      this.#waiting.set(slot, frame);
      this.#retry ??= this.#setTimer(RETRY_MS, () => this.#onRetry());
    } else {
      this.#write(frame);
    }
  }

  /** Forgets what waits: after a reconnection everything is sent anew. */
  clear(): void {
    this.#waiting.clear();
    this.#retry?.();
    this.#retry = undefined;
  }

  #onRetry(): void {
    this.#retry = undefined;
    if ((this.#transport.bufferedBytes ?? 0) <= HIGH_WATER_BYTES) this.#flush();
    else this.#retry = this.#setTimer(RETRY_MS, () => this.#onRetry());
  }

  #flush(): void {
    if (this.#waiting.size === 0) return;
    const frames = [...this.#waiting.values()];
    this.clear();
    for (const frame of frames) this.#write(frame);
  }

  #write({ type, payload }: Frame): void {
    const text = `{"type":${JSON.stringify(type)},"payload":${payload}}`;
    if (this.#transport.sendText) this.#transport.sendText(text);
    else this.#transport.send(JSON.parse(text));
    this.#sent(type, payload);
  }
}
