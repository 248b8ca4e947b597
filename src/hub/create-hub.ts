import { statSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import type { ConfirmCallback } from '../agent/agent-types.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import { createLinearValidator } from '../validation/linear.js';
import { checkAllowedHosts, checkAllowedOrigins, checkOpaqueOrigin } from './access-rules.js';
import { createAttachmentStore } from './attachment-store.js';
import type { AttachmentLimits } from './attachment-store.js';
import { DEFAULT_HOST, DEFAULT_PORT, MCP_PATH, PAGE_PATH } from './hub-address.js';
import { defaultHubLog } from './hub-log.js';
import type { HubLog } from './hub-log.js';
import { createHubRoutes } from './hub-routes.js';
import { joinServer, openServer } from './hub-server.js';
import type { HubServer, ServerHandlers } from './hub-server.js';
import { createMcpEndpoint } from './mcp-endpoint.js';
import { createQuestionSeal } from './mcp-server.js';
import { createObservationResources } from './observation-resources.js';
import { createOwnTools } from './own-tools.js';
import { createPageArrivals } from './page-arrivals.js';
import { createMemoryRoom } from './page-directory.js';
import type { PageDirectory } from './page-directory.js';
import type { AuthenticatePage } from './page-authentication.js';
import { createPageEndpoint } from './page-endpoint.js';
import type { StaticFolder } from './static-files.js';
import { createToolCaller } from './tool-caller.js';
import { createToolCatalog } from './tool-catalog.js';

/** How a hub is reached, and whom it lets in. Every option may be left out. */
export interface HubOptions {
  /** Default 7410; 0 takes any free one. Not used with `server`. */
  readonly port?: number;
  /**
   * The address to listen on. Default `127.0.0.1`: this machine alone. With `server`: from where the hub's paths may
   * be reached, whatever your server listens on; `0.0.0.0` lets other machines in.
   */
  readonly host?: string;
  /**
   * A server of yours to attach to, listening or not yet, but with its request handler already. The hub answers
   * `/oui/v1`, `/mcp` and its bundles (`/oui.js` and its siblings); everything else stays yours, and so does closing.
   */
  readonly server?: Server;
  /** Exact origins of pages to let in besides those of this machine, such as `https://app.example`. */
  readonly allowOrigin?: readonly string[];
  /**
   * `true`: pages without an origin of their own, which sandboxed frames and `file:` pages are, are let in by their token
   * alone, and `authenticate` gets the origin `null`. Any web site can open such a page in its visitor's browser: whoever
   * learns the token is in, from anywhere that reaches the hub. A frame gets its token from the page around it. Needs
   * `authenticate`. Default false.
   */
  readonly allowOpaqueOrigin?: boolean;
  /** Host names by which this hub may be reached besides this machine's, such as `hub.example`. */
  readonly allowHost?: readonly string[];
  /**
   * Checks the token of each page that connects: `true` lets it in, anything else refuses it. Default: pages of allowed
   * origins need none.
   */
  readonly authenticate?: AuthenticatePage;
  /** Folders to serve, such as a demo's. Not with `server`, which serves its own. */
  readonly static?: readonly StaticFolder[];
  /** So many connections of pages at once. Default 200. */
  readonly maxPages?: number;
  /**
   * Asks the user before an action that needs approval, for pages that leave it to the agent's side. Without it the
   * client that calls asks its user by MCP elicitation; where it cannot, such actions end `APPROVAL_REQUIRED`. Pages that
   * ask their user themselves, as ours do by default, need neither.
   */
  readonly confirm?: ConfirmCallback;
  /** How long, and how much of, files are kept that agents hand in for their calls. */
  readonly attachments?: AttachmentLimits;
  /** Hears what happens. Default: warnings go to the console, once each. */
  readonly onLog?: HubLog;
}

/** A running hub. */
export interface Hub {
  /** Address of the hub, such as `http://127.0.0.1:7410`. Throws while a server of yours does not listen. */
  readonly url: string;
  /** Where pages connect: `ws://127.0.0.1:7410/oui/v1`. */
  readonly pageUrl: string;
  /** Where MCP clients connect: `http://127.0.0.1:7410/mcp`. */
  readonly mcpUrl: string;
  /** The connected pages: their tools, calls and observations, for your own code. */
  readonly pages: PageDirectory;
  /** Ends all connections, and the server unless it is yours. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts a hub: pages connect to it by WebSocket, agents by MCP, and each finds the other.
 *
 * @throws {PortTakenError} when the port is in use; it knows whether by another OUI hub.
 * @throws {Error} when an origin or host name is malformed, `allowOpaqueOrigin` has no `authenticate`, or a folder to serve does not exist.
 */
export async function createHub(options: HubOptions = {}): Promise<Hub> {
  const { server: foreign, port = DEFAULT_PORT, host = DEFAULT_HOST, allowOrigin = [], allowHost = [] } = options;
  const { allowOpaqueOrigin = false } = options;
  if (foreign !== undefined && options.static !== undefined) {
    throw new Error('createHub: `static` is for a server of the hub\'s own; serve the files from yours, or drop one.');
  }
  checkAllowedOrigins(allowOrigin);
  checkAllowedHosts(allowHost);
  checkOpaqueOrigin(allowOpaqueOrigin, options.authenticate !== undefined);
  for (const { folder } of options.static ?? []) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) continue;
    throw new Error(`static: there is no folder ${JSON.stringify(folder)} to serve.`);
  }
  const rules = { bindHost: host, allowOrigin, allowHost, allowOpaqueOrigin };
  const log = options.onLog ?? defaultHubLog;

  const room = createMemoryRoom();
  const validator = createLinearValidator();
  const attachments = createAttachmentStore(options.attachments);
  const own = createOwnTools(room, validator, attachments);
  const tools = createToolCatalog(room, own);
  const caller = createToolCaller(room, tools, attachments);
  const mcp = createMcpEndpoint(room, {
    tools,
    caller,
    own,
    resources: createObservationResources(room),
    asksItself: options.confirm !== undefined,
    questions: createQuestionSeal(),
  }, log);
  const confirm = options.confirm === undefined ? {} : { confirm: options.confirm };
  const arrivals = createPageArrivals({ room, validator, log, ...confirm });
  const pages = createPageEndpoint(arrivals, rules, options, log);
  const routes = createHubRoutes({ mcp, attachments, rules, log, folders: options.static ?? [] });

  const handlers: ServerHandlers = {
    request: (request, response, next) => void routes.handle(request, response, next),
    notFound: routes.notFound,
    upgrade(request, socket, head) {
      if (pathOf(request) !== PAGE_PATH) return false;
      pages.upgrade(request, socket, head);
      return true;
    },
    failed: ({ message }) =>
      log({ level: 'warn', code: WARNINGS.HUB_FAULT, message: `The hub's server failed: ${message}` }),
  };

  const release = async (): Promise<void> => {
    caller.close();
    attachments.close();
    arrivals.close();
    // Open calls have ended just now; their answers still go out.
    await new Promise((resolve) => setImmediate(resolve));
    pages.close();
    await mcp.close();
  };

  const open = async (): Promise<HubServer> => {
    if (foreign !== undefined) return joinServer(foreign, handlers);
    try {
      return await openServer(port, host, handlers);
    } catch (error) {
      await release();
      throw error;
    }
  };
  const server = await open();
  let closing: Promise<void> | undefined;
  return {
    get url() {
      return server.url();
    },
    get pageUrl() {
      return server.url().replace(/^http/, 'ws') + PAGE_PATH;
    },
    get mcpUrl() {
      return server.url() + MCP_PATH;
    },
    pages: room,
    close() {
      server.detach();
      closing ??= release().then(() => server.close());
      return closing;
    },
  };
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0] as string;
}
