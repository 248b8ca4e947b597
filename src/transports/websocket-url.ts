/** Whether a host name, as `URL.hostname` writes it, can only be this machine: nothing can listen in between. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  if (host === 'localhost' || host.endsWith('.localhost') || host === '[::1]') return true;
  // `URL` writes every spelling of an IPv4 address as four decimal numbers.
  return /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/**
 * Checks the URL of an agent runtime (specification §8.2.1, §9.4).
 *
 * @param insecure Allows `ws:` to other hosts than this machine.
 * @throws {Error} when it is no absolute `ws:` or `wss:` URL, or would carry the page's state unencrypted.
 */
export function checkWebSocketUrl(url: string, insecure: boolean): void {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new Error(`"${url}" is not a URL. Write it in full, such as wss://agent.example/oui/v1.`);
  }
  if (parsed.protocol !== 'ws:' && parsed.protocol !== 'wss:') {
    throw new Error(`"${url}" is not a WebSocket URL. It must begin with wss://, or with ws:// on this machine.`);
  }
  if (parsed.protocol === 'ws:' && !insecure && !isLoopbackHost(parsed.hostname)) {
    throw new Error(
      `"${url}" is not encrypted, so anyone on the way to ${parsed.hostname} could read and command this page. ` +
        'Use wss://, or say `insecure: true` where that is acceptable.',
    );
  }
}
