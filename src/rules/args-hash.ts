import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { hexText } from '../protocol/hex.js';
import { canonicalJson } from './canonical-json.js';

/** SHA-256 of a text's UTF-8 bytes, lowercase hex. Synchronous: it also works where there is no `crypto.subtle`. */
export function sha256Hex(text: string): string {
  return hexText(sha256(utf8ToBytes(text)));
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
