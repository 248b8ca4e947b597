/**
 * Who may talk to the hub. A web page can make its visitor's browser send requests to any address, loopback
 * included, and can point a DNS name of its own at 127.0.0.1 ("DNS rebinding"). So two headers that a page cannot
 * forge decide: `Origin` says which site's script asks, `Host` says by which name the hub was reached.
 */
export interface AccessRules {
  /** The address the hub listens on. */
  readonly bindHost: string;
  /** Exact origins of pages that are let in besides loopback ones. */
  readonly allowOrigin: readonly string[];
  /** Host names by which the hub may be reached besides loopback ones. */
  readonly allowHost: readonly string[];
  /** Whether pages without an origin of their own are let in. Only with a token: `null` says nothing of who asks. */
  readonly allowOpaqueOrigin: boolean;
}

/** What browsers write for a page without an origin of its own. */
export const OPAQUE_ORIGIN = 'null';

/** Whether a host name means this machine and nothing else: `localhost`, `*.localhost`, `127.0.0.0/8`, `[::1]`. */
export function isLoopbackName(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}

/**
 * Whether a page's origin is let in. No origin at all means no browser: other programs on this machine could reach
 * the hub anyway. `null` (sandboxed frames, `file:` pages) can be any site's and is refused until it is allowed by name.
 */
export function isOriginAllowed(origin: string | undefined, rules: AccessRules): boolean {
  if (origin === undefined) return true;
  if (origin === OPAQUE_ORIGIN) return rules.allowOpaqueOrigin;
  if (rules.allowOrigin.includes(origin)) return true;
  const url = parseOrigin(origin);
  return url !== undefined && isLoopbackName(url.hostname);
}

/** Whether the `Host` header names the hub itself. HTTP/1.1 always has one; without it the answer is no. */
export function isHostAllowed(host: string | undefined, rules: AccessRules): boolean {
  const hostname = hostnameOf(host);
  if (hostname === undefined) return false;
  if (isLoopbackName(hostname) || hostname === bracketed(rules.bindHost)) return true;
  if (rules.allowHost.some((allowed) => hostnameOf(allowed) === hostname)) return true;
  // A page that may connect from the hub's own public name reaches it by that name.
  if (rules.allowOrigin.some((origin) => parseOrigin(origin)?.hostname === hostname)) return true;
  // Reached from other machines on purpose: an address cannot be rebound, only a name can.
  return isWildcard(rules.bindHost) && isAddress(hostname);
}

/**
 * Whether a connection may come from an address. A hub inside somebody's server does not choose what that listens
 * on, often every interface, and must not be open to the network for that.
 */
export function isPeerAllowed(address: string | undefined, rules: AccessRules): boolean {
  if (!isLoopbackName(bracketed(rules.bindHost))) return true;
  return address !== undefined && (address === '::1' || isLoopbackName(address.replace(/^::ffff:/, '')));
}

/**
 * Checks the origins somebody allowed, since a typing mistake would refuse silently.
 * @throws {Error} naming the entry and the form it must have.
 */
export function checkAllowedOrigins(origins: readonly string[]): void {
  for (const origin of origins) {
    if (parseOrigin(origin) !== undefined) continue;
    if (origin === OPAQUE_ORIGIN) {
      throw new Error(
        'allowOrigin: "null" is not an exact origin but the lack of one, which any site can have; to let such pages in ' +
          'that know a token, say allowOpaqueOrigin (--allow-opaque-origin)',
      );
    }
    throw new Error(
      `allowOrigin: ${JSON.stringify(origin)} is not an exact origin; write scheme and host, with the port ` +
        'where it is not the usual one, and no path: https://app.example or https://app.example:8443',
    );
  }
}

/**
 * Checks that pages without an origin are let in by a token alone.
 * @throws {Error} naming what is missing.
 */
export function checkOpaqueOrigin(allowed: boolean, hasToken: boolean): void {
  if (!allowed || hasToken) return;
  throw new Error(
    'allowOpaqueOrigin needs a token: any web site can open a page without an origin in its visitor\'s browser. ' +
      'Give authenticate, or with `oui hub` --token TOKEN (better: OUI_HUB_TOKEN)',
  );
}

/**
 * Checks the host names somebody allowed.
 * @throws {Error} naming the entry and the form it must have.
 */
export function checkAllowedHosts(hosts: readonly string[]): void {
  for (const host of hosts) {
    if (hostnameOf(host) !== undefined) continue;
    throw new Error(`allowHost: ${JSON.stringify(host)} is not a host name; write it bare, such as hub.example`);
  }
}

/** The URL of an origin written exactly as browsers write it, else undefined. */
function parseOrigin(origin: string): URL | undefined {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.origin === origin ? url : undefined;
}

/** The name in a Host header, without its port. Whatever a URL would read differently is no host name. */
function hostnameOf(host: string | undefined): string | undefined {
  if (host === undefined || !/^[A-Za-z0-9.[\]:_-]+$/.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  return new URL(`http://${host}`).hostname;
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host.toLowerCase();
}

function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === '[::]';
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d{1,3}(\.\d{1,3}){3}$/.test(hostname);
}
