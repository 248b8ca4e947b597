import type { IncomingMessage, ServerResponse } from 'node:http';
import { createMcpHandler, isJsonContentType, isLegacyRequest } from '@modelcontextprotocol/server';
import * as WARNINGS from '../protocol/warning-codes.js';
import { MAX_BODY_BYTES, sendWebResponse, toWebRequest } from './http-bridge.js';
import type { HubLog } from './hub-log.js';
import { watchChanges } from './mcp-changes.js';
import { createHubMcpServer } from './mcp-server.js';
import type { McpParts } from './mcp-server.js';
import { createMcpSessions, rpcError } from './mcp-sessions.js';
import type { ServedResponse } from './mcp-sessions.js';
import type { PageDirectory } from './page-directory.js';

/** The MCP server over HTTP. */
export interface McpEndpoint {
  /** Serves one request. Who may ask was decided before. */
  handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/**
 * Speaks both eras of MCP at one address: clients that begin with `initialize` get a session, since only there can
 * they hear of changes; 2026-07-28 has none and asks with each request, or listens with `subscriptions/listen`.
 */
export function createMcpEndpoint(directory: PageDirectory, parts: McpParts, log: HubLog): McpEndpoint {
  const sessions = createMcpSessions((subscriptions) => createHubMcpServer(parts, subscriptions), log);
  const modern = createMcpHandler(() => createHubMcpServer(parts, new Set()), {
    legacy: 'reject',
    maxRequestBodySize: MAX_BODY_BYTES,
  });
  const release = watchChanges(directory, parts.tools, parts.resources, (changes) => {
    sessions.notify(changes);
    if (changes.tools) modern.notify.toolsChanged();
    if (changes.resources) modern.notify.resourcesChanged();
    for (const uri of changes.updated) modern.notify.resourceUpdated(uri);
  });

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<ServedResponse> => {
    const web = await toWebRequest(incoming, outgoing);
    if (web === undefined) {
      outgoing.setHeader('Connection', 'close');
      return { response: rpcError(413, -32000, `The body is over ${MAX_BODY_BYTES} bytes.`) };
    }
    const { request, body } = web;
    if (request.method === 'POST') {
      if (!isJsonContentType(request.headers.get('content-type'))) {
        return { response: rpcError(415, -32000, 'Content-Type must be application/json.') };
      }
      if (body === undefined) return { response: rpcError(400, -32700, 'Parse error: the body is not JSON.') };
    }
    if (await isLegacyRequest(request, body)) return sessions.handle(request, body);
    return { response: await modern.fetch(request, { parsedBody: body }) };
  };

  return {
    async handle(incoming, outgoing) {
      let served: ServedResponse;
      try {
        served = await serve(incoming, outgoing);
      } catch (error) {
        // A client that goes away in the middle of its own request is no fault.
        if (outgoing.destroyed) return;
        const message = `An MCP request failed inside the hub: ${String(error)}`;
        log({ level: 'warn', code: WARNINGS.HUB_FAULT, message });
        served = { response: rpcError(500, -32603, 'Internal error in the hub.') };
      }
      try {
        await sendWebResponse(outgoing, served.response);
      } finally {
        served.onEnd?.();
      }
    },
    async close() {
      release();
      await Promise.all([sessions.close(), modern.close()]);
    },
  };
}
