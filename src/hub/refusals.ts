import type { IncomingMessage } from 'node:http';
import * as WARNINGS from '../protocol/warning-codes.js';
import { isHostAllowed, isPeerAllowed, OPAQUE_ORIGIN } from './access-rules.js';
import type { AccessRules } from './access-rules.js';
import { printable } from './hub-log.js';

/** Why somebody is turned away, in words that say the way out. */
export interface Refusal {
  /** HTTP status. */
  readonly status: number;
  /** Warning code. */
  readonly code: string;
  readonly message: string;
}

/** The refusal of a request that reached the hub by a way it should not have, if it did. */
export function reachRefusal(request: IncomingMessage, rules: AccessRules): Refusal | undefined {
  const address = request.socket.remoteAddress;
  if (!isPeerAllowed(address, rules)) {
    const message =
      `Refused a connection from ${address ?? 'an unknown address'}: only this machine may connect. ` +
      'To let other machines in, start the hub with the host 0.0.0.0';
    return { status: 403, code: WARNINGS.HOST_REFUSED, message };
  }
  const { host } = request.headers;
  if (isHostAllowed(host, rules)) return undefined;
  const shown = printable(host ?? '(none)');
  const message =
    `Refused a request to the host name ${shown}: it is not this hub's. ` +
    `If it is meant to be, allow it: --allow-host ${shown.replace(/:\d+$/, '')}`;
  return { status: 403, code: WARNINGS.HOST_REFUSED, message };
}

/** The refusal of a page by its origin, with the one flag that lets it in. */
export function originRefusal(origin: string): Refusal {
  const shown = printable(origin);
  const message =
    origin === OPAQUE_ORIGIN
      ? 'Refused a page without an origin of its own ("null": a file: page or a sandboxed frame). ' +
        'Serve it over http, for instance with: oui hub --serve DIR. To let such pages in by a token alone: ' +
        '--allow-opaque-origin --token TOKEN (allowOpaqueOrigin and authenticate of createHub)'
      : `Refused a page from ${shown}: only pages of this machine are let in. To allow it: --allow-origin ${shown}`;
  return { status: 403, code: WARNINGS.ORIGIN_REFUSED, message };
}

/** The refusal of a web page's script that tries to be an agent: no MCP client is a page. */
export function agentOriginRefusal(origin: string): Refusal {
  const message = `Refused an agent's request from the web page ${printable(origin)}: agents connect from outside a page.`;
  return { status: 403, code: WARNINGS.ORIGIN_REFUSED, message };
}
