import { utf8Length } from '../protocol/byte-length.js';
import * as LIMITS from '../protocol/limits.js';
import { warnOnce } from '../protocol/warn-once.js';
import * as WARNINGS from '../protocol/warning-codes.js';

/** What one received frame came to. */
export type FrameReading =
  /** Parsed JSON, unchecked. */
  | { readonly kind: 'message'; readonly message: unknown }
  /** Reported and to be forgotten. */
  | { readonly kind: 'ignored' }
  /** So large that the connection must be closed. */
  | { readonly kind: 'oversize' };

/** Sizes in bytes of UTF-8. */
export interface FrameLimits {
  /** A larger frame is dropped unparsed. */
  readonly maxBytes: number;
  /** A larger frame ends the connection. */
  readonly closeBytes: number;
}

/**
 * Limits for a largest frame of `maxBytes` (default 1 MiB, specification §8.2.2).
 * The connection is closed at four times that, and never below 4 MiB.
 */
export function frameLimits(maxBytes: number = LIMITS.frameBytes): FrameLimits {
  return { maxBytes, closeBytes: Math.max(LIMITS.frameCloseBytes, 4 * maxBytes) };
}

/**
 * Whether `text` takes more than `limit` bytes as UTF-8.
 * A UTF-16 unit takes one to three bytes: most texts are decided by their length, only those near the limit are read.
 */
export function exceedsBytes(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  return text.length * 3 > limit && utf8Length(text) > limit;
}

/**
 * Reads one received frame by the rules of PROTOCOL.md §1: text only, JSON only, bounded.
 * Whatever is ignored is reported once per peer and cause (`OUI1003`).
 *
 * @param peer Who sent it, for the warning: the URL, or what the socket is.
 */
export function readTextFrame(data: unknown, limits: FrameLimits, peer: string): FrameReading {
  if (typeof data !== 'string') {
    warnIgnored(peer, 'binary', 'it is binary. Send each event as one text frame of JSON');
    return { kind: 'ignored' };
  }
  if (exceedsBytes(data, limits.maxBytes)) {
    if (exceedsBytes(data, limits.closeBytes)) return { kind: 'oversize' };
    const explanation = `it is over ${limits.maxBytes} bytes. Send less, or raise \`maxFrameBytes\` at both ends`;
    warnIgnored(peer, 'size', explanation);
    return { kind: 'ignored' };
  }
  try {
    return { kind: 'message', message: JSON.parse(data) };
  } catch {
    warnIgnored(peer, 'json', `it is not JSON: ${JSON.stringify(data.slice(0, 80))}`);
    return { kind: 'ignored' };
  }
}

/**
 * Whether a frame may be sent. One that is too large is reported (`OUI1301`), since its peer would drop it unread:
 * whoever makes frames fits them first.
 */
export function maySend(text: string, limits: FrameLimits, peer: string): boolean {
  if (!exceedsBytes(text, limits.maxBytes)) return true;
  const type = /^\{"type":"([^"\\]{1,80})"/.exec(text)?.[1] ?? 'unknown';
  warnOnce(
    WARNINGS.FRAME_NOT_SENT,
    `A frame of type "${type}" to ${peer} was not sent: it is over ${limits.maxBytes} bytes ` +
      `(${text.length} UTF-16 units). ` +
      'Make it smaller, or raise `maxFrameBytes` at both ends.',
    `${peer} ${type}`,
  );
  return false;
}

function warnIgnored(peer: string, cause: string, explanation: string): void {
  warnOnce(WARNINGS.FRAME_IGNORED, `A frame from ${peer} was ignored: ${explanation}.`, `${peer} ${cause}`);
}
