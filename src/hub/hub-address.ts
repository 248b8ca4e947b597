/** The port of a hub that was given none. */
export const DEFAULT_PORT = 7410;
/** This machine alone. */
export const DEFAULT_HOST = '127.0.0.1';
/** Where pages connect (specification §8.2). */
export const PAGE_PATH = '/oui/v1';
/** Where files are handed in that are too large for a tool call. */
export const ATTACHMENTS_PATH = '/oui/v1/attachments';
/** Where MCP clients connect. */
export const MCP_PATH = '/mcp';

/** The address at which a hub that listens on `host` can be reached from this machine. */
export function hubUrl(port: number, host: string): string {
  const name = host === '0.0.0.0' || host === '::' ? DEFAULT_HOST : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** What a hub says of itself to a plain `GET /oui/v1`: how another program finds out who has the port. */
export interface HubIdentity {
  readonly oui: 'hub';
  /** Version of the protocol. */
  readonly protocol: string;
  /** Name and version, such as `oui-elements/0.1.0`. */
  readonly software: string;
  /** Path of the MCP endpoint. */
  readonly mcp: string;
}
