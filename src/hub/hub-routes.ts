import type { IncomingMessage, ServerResponse } from 'node:http';
import { PROTOCOL_VERSION } from '../protocol/events.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import type { AccessRules } from './access-rules.js';
import { receiveAttachment } from './attachment-endpoint.js';
import type { AttachmentStore } from './attachment-store.js';
import { ATTACHMENTS_PATH, MCP_PATH, PAGE_PATH } from './hub-address.js';
import type { HubIdentity } from './hub-address.js';
import type { HubLog } from './hub-log.js';
import type { McpEndpoint } from './mcp-endpoint.js';
import { packageVersion } from './package-version.js';
import { agentOriginRefusal, reachRefusal } from './refusals.js';
import type { Refusal } from './refusals.js';
import { isBundlePath, sendText, serveBundle, serveStatic } from './static-files.js';
import type { StaticFolder } from './static-files.js';

export interface HubRoutes {
  /** Answers what is the hub's; calls `next` for the rest. */
  handle(request: IncomingMessage, response: ServerResponse, next: () => void): Promise<void>;
  notFound(response: ServerResponse): void;
}

export interface HubRoutesOptions {
  readonly mcp: McpEndpoint;
  readonly attachments: AttachmentStore;
  readonly rules: AccessRules;
  readonly log: HubLog;
  readonly folders: readonly StaticFolder[];
}

export function createHubRoutes({ mcp, attachments, rules, log, folders }: HubRoutesOptions): HubRoutes {
  const route = async (request: IncomingMessage, response: ServerResponse, next: () => void): Promise<void> => {
    const path = (request.url ?? '/').split('?', 1)[0] as string;
    const ours = [MCP_PATH, PAGE_PATH, ATTACHMENTS_PATH].includes(path) || isBundlePath(path);
    if (!ours && folders.length === 0) return next();
    const refusal = reachRefusal(request, rules);
    if (refusal !== undefined) return refuse(response, refusal);
    if (path === MCP_PATH) return fromAgent(request, response, () => mcp.handle(request, response));
    if (path === ATTACHMENTS_PATH) {
      return fromAgent(request, response, () => receiveAttachment(request, response, attachments));
    }
    if (path === PAGE_PATH) return sendIdentity(response);
    if (isBundlePath(path)) return serveBundle(request, response, path);
    if (!(await serveStatic(request, response, path, folders))) next();
  };

  const refuse = (response: ServerResponse, { status, code, message }: Refusal): void => {
    log({ level: 'warn', code, message });
    sendText(response, status, `${message}\n`);
  };

  /** A browser says for each of its pages' requests whose it is; no agent is a page. */
  const fromAgent = (
    { headers: { origin } }: IncomingMessage,
    response: ServerResponse,
    serve: () => Promise<void>,
  ): Promise<void> | void => (origin === undefined ? serve() : refuse(response, agentOriginRefusal(origin)));

  return {
    async handle(request, response, next) {
      try {
        await route(request, response, next);
      } catch (error) {
        log({ level: 'warn', code: WARNINGS.HUB_FAULT, message: `A request failed inside the hub: ${String(error)}` });
        if (!response.headersSent) sendText(response, 500, 'Internal error in the hub.\n');
        else response.destroy();
      }
    },
    notFound(response) {
      sendText(response, 404, `Not found. Pages connect to ${PAGE_PATH}, agents to ${MCP_PATH}.\n`);
    },
  };
}

function sendIdentity(response: ServerResponse): void {
  const identity: HubIdentity = {
    oui: 'hub',
    protocol: PROTOCOL_VERSION,
    software: `oui-elements/${packageVersion()}`,
    mcp: MCP_PATH,
  };
  response.writeHead(426, { 'Content-Type': 'application/json', Upgrade: 'websocket', Connection: 'Upgrade' });
  response.end(`${JSON.stringify(identity)}\n`);
}
