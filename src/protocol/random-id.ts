import { hexText } from './hex.js';

/** What is used of the host's `crypto`: this layer is compiled without any host's types. */
interface HostCrypto {
  randomUUID?(): string;
  getRandomValues?(bytes: Uint8Array): Uint8Array;
}

/**
 * A UUID v4. `crypto.randomUUID` exists in secure contexts only, and pages on plain http must work too; the last
 * resort is for hosts without any `crypto`.
 */
export function randomId(): string {
  const { crypto } = globalThis as { crypto?: HostCrypto };
  if (crypto?.randomUUID) return crypto.randomUUID();
  const bytes = new Uint8Array(16);
  if (crypto?.getRandomValues) crypto.getRandomValues(bytes);
  else bytes.forEach((_, index) => (bytes[index] = Math.random() * 256));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return hexText(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
