import { isJsonObject } from '../protocol/shape.js';
import { callSafely } from '../protocol/listener-set.js';

/** What the receiver of a frame says to its sender's acknowledgment callback (PROTOCOL.md §1, Receipts). */
export interface Verdict {
  readonly ok: boolean;
  readonly reason?: string;
  readonly error?: string;
}

/** More open callbacks than this are of a peer that sends faster than anybody answers. */
const KEPT = 1_000;

/** Acknowledgment callbacks that came with frames, until the answers to them are known. */
export class PeerCallbacks {
  readonly #kept = new Map<string, ((verdict: Verdict) => void)[]>();

  /** A frame that came again has a callback of its own: every one of them is called. */
  keep(key: string, callback: (verdict: Verdict) => void): void {
    const same = this.#kept.get(key) ?? [];
    same.push(callback);
    this.#kept.set(key, same);
    if (this.#kept.size <= KEPT) return;
    for (const oldest of this.#kept.keys()) {
      this.#kept.delete(oldest);
      break;
    }
  }

  call(key: string, verdict: Verdict): void {
    const callbacks = this.#kept.get(key) ?? [];
    this.#kept.delete(key);
    for (const callback of callbacks) answer(callback, verdict);
  }

  /** The connection is gone, and with it what the callbacks would answer: their numbers are given out anew. */
  clear(): void {
    this.#kept.clear();
  }
}

/** Calls one acknowledgment callback. */
export function answer(callback: (verdict: Verdict) => void, verdict: Verdict): void {
  callSafely('The acknowledgment callback of a frame', () => callback(verdict));
}

/** Reads an acknowledgment. Anything but `{ok: true}` and `{ok: false, error | reason}` is none. */
export function readVerdict(args: readonly unknown[]): Verdict | undefined {
  // A socket that is told to wait only so long for acknowledgments puts an error, or nothing, before the answer.
  const said = args.find((arg) => isJsonObject(arg) && typeof arg['ok'] === 'boolean') as Partial<Verdict> | undefined;
  if (said === undefined) return undefined;
  if (said.ok === true) return { ok: true };
  const reason = [said.reason, said.error].find((text) => typeof text === 'string' && text !== '');
  return reason === undefined ? undefined : { ok: false, reason };
}
