import { Server } from '@modelcontextprotocol/server';
import type { CallToolResult, ElicitRequestFormParams, ServerContext, Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { ProtocolError } from '@modelcontextprotocol/client';
import type { Client } from '@modelcontextprotocol/client';
import * as ERROR_CODES from '../protocol/error-codes.js';
import { messageOf } from '../protocol/error-message.js';
import * as LIMITS from '../protocol/limits.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import { createHubLink } from './hub-link.js';
import type { HubLinkEvent, HubLinkOptions } from './hub-link.js';
import { printable } from './hub-log.js';
import { CANNOT_ASK_META_KEY, MCP_CAPABILITIES, MCP_INSTRUCTIONS } from './mcp-server.js';
import { packageVersion } from './package-version.js';
import { canAsk } from './user-question.js';
import { createWantedResources, watchListens } from './wanted-resources.js';

/** A hub answers within 45 s; a call that takes longer than this has lost its hub unnoticed. ms. */
const CALL_MS = 120_000;

export interface StdioGatewayOptions extends Pick<HubLinkOptions, 'ensure' | 'log'> {
  /** Default: this process's standard input and output. */
  readonly transport?: Transport;
}

export interface StdioGateway {
  /** Resolves when the client has gone. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/**
 * An MCP server on stdio in front of the hub: what a client asks is asked of the hub, what the hub tells is told to
 * the client, and the hub may change in between. Clients of both eras are served.
 */
export async function createStdioGateway({ ensure, log, transport }: StdioGatewayOptions): Promise<StdioGateway> {
  const servers = new Set<Server>();
  const wanted = createWantedResources((uris) => link.subscribe(uris));
  const tell = (event: HubLinkEvent): void => {
    for (const server of servers) {
      if (server.transport === undefined) {
        servers.delete(server);
        continue;
      }
      // A client that is going away hears nothing, and need not.
      void notify(server, event).catch(() => undefined);
    }
  };
  /** There is one client behind this process. */
  const asking = (): Server | undefined => [...servers].find((server) => server.transport !== undefined && canAsk(server));
  const link = await createHubLink({
    ensure,
    log,
    onEvent: tell,
    async onQuestion(question, signal) {
      const server = asking();
      // The hub asks only where a call said that its client can; that client has gone.
      if (server === undefined) return { action: 'cancel' };
      return server.elicitInput(question as ElicitRequestFormParams, { signal, timeout: LIMITS.approvalMs });
    },
  });

  /** Repeats what only reads when the hub changed under it. */
  const read = async <T>(ask: (client: Client) => Promise<T>): Promise<T> => {
    const client = await link.client();
    try {
      return await ask(client);
    } catch (error) {
      const other = await link.client();
      if (other === client) throw error;
      return ask(other);
    }
  };

  const makeServer = (): Server => {
    const server = new Server(
      { name: 'oui', title: 'OUI: the pages you have open', version: packageVersion() },
      { capabilities: MCP_CAPABILITIES, instructions: MCP_INSTRUCTIONS },
    );
    servers.add(server);
    server.setRequestHandler('tools/list', ({ params }) =>
      read((client) => client.request({ method: 'tools/list', params: { ...cursorOf(params) } })),
    );
    server.setRequestHandler('resources/list', ({ params }) =>
      read((client) => client.request({ method: 'resources/list', params: { ...cursorOf(params) } })),
    );
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
    server.setRequestHandler('resources/read', ({ params: { uri } }) =>
      read((client) => client.request({ method: 'resources/read', params: { uri } })),
    );
    // A client of 2026-07-28 hears no questions of a server's: there they are answers to calls.
    server.setRequestHandler('tools/call', ({ params }, ctx) =>
      call(params.name, params.arguments, ctx, ctx.mcpReq.envelope === undefined && canAsk(server)));
    server.setRequestHandler('resources/subscribe', ({ params }) => {
      wanted.add(params.uri);
      return {};
    });
    server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      wanted.remove(params.uri);
      return {};
    });
    return server;
  };

  const call = async (
    name: string,
    args: { [key: string]: unknown } | undefined,
    ctx: ServerContext,
    asks: boolean,
  ): Promise<CallToolResult> => {
    const meta = asks ? {} : { _meta: { [CANNOT_ASK_META_KEY]: true } };
    const progressToken = ctx.mcpReq._meta?.progressToken;
    const client = await link.client();
    try {
      return await client.request(
        { method: 'tools/call', params: { name, ...(args === undefined ? {} : { arguments: args }), ...meta } },
        {
          signal: ctx.mcpReq.signal,
          timeout: CALL_MS,
          ...(progressToken === undefined
            ? {}
            : {
                onprogress: (progress) => {
                  const params = { ...progress, progressToken };
                  void ctx.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
                },
              }),
        },
      );
    } catch (error) {
      // The hub's own answer passes through; anything else means that it was cut off.
      if (ctx.mcpReq.signal.aborted || error instanceof ProtocolError) throw error;
      return interrupted(error);
    }
  };

  let close = (): Promise<void> => link.close();
  const ended = new Promise<void>((resolve) => {
    const stdio = transport ?? new StdioServerTransport();
    const handle = serveStdio(makeServer, {
      transport: watchListens(stdio, wanted, resolve),
      onerror: ({ message }) =>
        log({ level: 'warn', code: WARNINGS.HUB_FAULT, message: `stdio: ${printable(message)}` }),
    });
    close = async () => {
      await handle.close().catch(() => undefined);
      await link.close();
    };
  });
  return { ended, close };
}

function notify(server: Server, event: HubLinkEvent): Promise<void> {
  if (event.type === 'tools') return server.sendToolListChanged();
  if (event.type === 'resources') return server.sendResourceListChanged();
  return server.sendResourceUpdated({ uri: event.uri });
}

function cursorOf(params: { readonly cursor?: string | undefined } | undefined): { cursor?: string } {
  return params?.cursor === undefined ? {} : { cursor: params.cursor };
}

/** The answer to a call whose hub went away under it. The page may have got it: nobody here can know. */
function interrupted(error: unknown): CallToolResult {
  const outcome = {
    error: {
      code: ERROR_CODES.SURFACE_UNAVAILABLE,
      message:
        `The connection to the page broke during the call (${messageOf(error)}). Whether the action ran is not ` +
        'known: look at the page\'s state before calling it again.',
      details: { ran: 'unknown' },
    },
    settled: false,
    observations: {},
  };
  return { content: [{ type: 'text', text: JSON.stringify(outcome) }], structuredContent: outcome, isError: true };
}
