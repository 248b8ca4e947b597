/**
 * A token travels as a subprotocol of the WebSocket's opening (PROTOCOL.md §1): a page can set no header of it, and a
 * URL is written into logs.
 */

/** What the server selects. */
const PROTOCOL = 'oui.v1';
const TOKEN_PREFIX = 'oui.token.';

/** What a page with a token offers. */
export function tokenProtocols(token: string): string[] {
  const bytes = new TextEncoder().encode(token);
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const text = btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  return [PROTOCOL, TOKEN_PREFIX + text];
}

/**
 * The subprotocol that a server selects of those that a page offers: `oui.v1`, or none where that is not offered.
 * Fits the option `handleProtocols` of the `ws` package.
 */
export function selectProtocol(offered: Iterable<string>): 'oui.v1' | false {
  return [...offered].includes(PROTOCOL) ? PROTOCOL : false;
}

/**
 * The token that a page offers: `undefined` without one, and for one that is none.
 *
 * @param offered The header `Sec-WebSocket-Protocol` as it came, or its values.
 */
export function pageToken(offered: string | Iterable<string> | undefined): string | undefined {
  const names = typeof offered === 'string' ? offered.split(',').map((name) => name.trim()) : [...(offered ?? [])];
  const text = names.find((name) => name.startsWith(TOKEN_PREFIX))?.slice(TOKEN_PREFIX.length);
  if (text === undefined || !/^[\w-]+$/.test(text)) return undefined;
  try {
    const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
