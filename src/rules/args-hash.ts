import { sha256 } from '@noble/hashes/sha2.js';
import { hexText } from '../protocol/hex.js';
import { canonicalJson } from './canonical-json.js';

/** Of the host: this layer is compiled without any host's types. */
interface HostText {
  readonly TextEncoder: new () => { encode(text: string): Uint8Array };
}

/** SHA-256 of a text's UTF-8 bytes, lowercase hex. Synchronous: it also works where there is no `crypto.subtle`. */
export function sha256Hex(text: string): string {
  const { TextEncoder } = globalThis as unknown as HostText;
  return hexText(sha256(new TextEncoder().encode(text)));
}

/**
 * What a user's approval is bound to: SHA-256 of the canonical JSON of the params as sent (PROTOCOL.md §5).
 * 64 lowercase hex digits.
 *
 * @throws {TypeError} when the params are not I-JSON; see `canonicalJson`.
 */
export function argsHash(params: unknown): string {
  return sha256Hex(canonicalJson(params));
}
