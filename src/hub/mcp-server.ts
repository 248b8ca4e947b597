import { randomBytes } from 'node:crypto';
import {
  CLIENT_INFO_META_KEY, ResourceNotFoundError, Server, createRequestStateCodec, inputRequired, inputResponse,
} from '@modelcontextprotocol/server';
import type {
  CallToolResult, InputRequiredResult, ListResourcesResult, ListToolsResult, RequestStateCodec, ServerContext,
} from '@modelcontextprotocol/server';
import type { ConfirmRequest } from '../agent/agent-types.js';
import type { JsonObject } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';
import type { ObservationResources } from './observation-resources.js';
import type { OwnTools } from './own-tools.js';
import { packageVersion } from './package-version.js';
import type { ToolCallOptions, ToolCaller } from './tool-caller.js';
import type { ToolOutcome } from './tool-outcome.js';
import type { ToolCatalog } from './tool-catalog.js';
import { canAsk, userQuestion, verdictOf } from './user-question.js';

/** What an MCP server of the hub shows. */
export interface McpParts {
  readonly tools: ToolCatalog;
  readonly caller: ToolCaller;
  readonly own: OwnTools;
  readonly resources: ObservationResources;
  /** The hub's own program asks the users of pages that leave it to the agent's side; clients are not asked. */
  readonly asksItself?: boolean;
  /** Seals which call a question belongs to, for clients without a session. */
  readonly questions: QuestionSeal;
}

/** What a client without a session brings back with its user's answer. */
interface AskedCall {
  readonly requestId: string;
}
export type QuestionSeal = RequestStateCodec<AskedCall>;

/** The name of the one question of a call. */
const CONFIRM = 'confirm';
/** In `_meta` of a call that a gateway passes on for a client that cannot ask its user. */
export const CANNOT_ASK_META_KEY = 'oui-elements/cannot-ask';

/** Good for this process and the longest that a user may think, and for the client that was asked. */
export function createQuestionSeal(): QuestionSeal {
  return createRequestStateCodec<AskedCall>({
    key: randomBytes(32),
    ttlSeconds: LIMITS.approvalMs / 1000,
    bind: (ctx) => callerWithoutSession(ctx) ?? '',
  });
}

/** The resources that one client has subscribed to, by address. */
export type Subscriptions = Set<string>;

/** A client may watch so many resources; further ones are refused. */
const MAX_SUBSCRIPTIONS = 1000;

export const MCP_CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
} as const;

export const MCP_INSTRUCTIONS =
  'Tools act on web pages that the user has open, and the user sees what they do. They come and go as pages open, ' +
  'close and navigate; a page that reloads is waited for. A result carries the observations that the call changed. ' +
  'Resources hold the present state of each page, and oui_read gives parts of it. An action that needs approval is ' +
  'asked for in the page itself, or by your client. If a result has a "next", that says what to do about what is ' +
  'pending or left out.';

/** One MCP server over the hub's pages, for one client (sessions) or one request (2026-07-28, which has none). */
export function createHubMcpServer(parts: McpParts, subscriptions: Subscriptions): Server {
  const server = new Server(
    { name: 'oui', title: 'OUI: the pages you have open', version: packageVersion() },
    {
      capabilities: MCP_CAPABILITIES,
      instructions: MCP_INSTRUCTIONS,
      requestState: { verify: (state, ctx) => parts.questions.verify(state, ctx) },
    },
  );

  /** How the user of this client is asked: at once on a session; without one by the answer to the call. */
  const wayToAsk = (ctx: ServerContext): ToolCallOptions['ask'] => {
    const cannot = !canAsk(server) || ctx.mcpReq._meta?.[CANNOT_ASK_META_KEY] === true;
    if (parts.asksItself === true || cannot) return undefined;
    if (ctx.sessionId === undefined) return 'later';
    return async (request: ConfirmRequest) => {
      const { signal } = request;
      const { action } = await ctx.mcpReq.elicitInput(userQuestion(request), { signal, timeout: LIMITS.approvalMs });
      return verdictOf(action);
    };
  };

  server.setRequestHandler('tools/list', () => ({ tools: parts.tools.list() }) as unknown as ListToolsResult);

  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const args = (params.arguments ?? {}) as JsonObject;
    const caller = ctx.sessionId ?? callerWithoutSession(ctx);
    const own = parts.own.call(params.name, args, caller);
    if (own !== undefined) return toCallToolResult(await own);
    const onProgress = progressReporter(ctx);
    const outcome = await parts.caller.call(params.name, args, {
      caller,
      signal: ctx.mcpReq.signal,
      ask: wayToAsk(ctx),
      answered: answerIn(ctx),
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    return 'question' in outcome ? askClient(outcome.question, parts.questions, ctx) : toCallToolResult(outcome);
  });

  server.setRequestHandler(
    'resources/list',
    () => ({ resources: parts.resources.list() }) as unknown as ListResourcesResult,
  );
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));

  server.setRequestHandler('resources/read', async ({ params }) => {
    const text = await parts.resources.read(params.uri);
    if (text === undefined) {
      throw new ResourceNotFoundError(
        params.uri,
        `No resource ${params.uri}: its page or surface is not open, or has no such observation.`,
      );
    }
    return { contents: [{ uri: params.uri, mimeType: 'application/json', text }] };
  });

  // What is not there yet may be subscribed to: the page can be on its way back from a reload.
  server.setRequestHandler('resources/subscribe', ({ params }) => {
    if (subscriptions.size >= MAX_SUBSCRIPTIONS && !subscriptions.has(params.uri)) {
      throw new Error(`Already subscribed to ${MAX_SUBSCRIPTIONS} resources; unsubscribe from some first.`);
    }
    subscriptions.add(params.uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscriptions.delete(params.uri);
    return {};
  });
  return server;
}

/** The question as the answer to the call, which comes again with what the user said (MCP 2026-07-28). */
async function askClient(
  question: ConfirmRequest,
  seal: QuestionSeal,
  ctx: ServerContext,
): Promise<InputRequiredResult> {
  const requestState = await seal.mint({ requestId: question.requestId }, ctx);
  return inputRequired({ inputRequests: { [CONFIRM]: inputRequired.elicit(userQuestion(question)) }, requestState });
}

/** What the user said, where the call brings it. Its state was verified before. */
function answerIn(ctx: ServerContext): ToolCallOptions['answered'] {
  const asked = ctx.mcpReq.requestState<AskedCall>();
  const response = inputResponse(ctx.mcpReq.inputResponses, CONFIRM);
  if (asked === undefined || response.kind !== 'elicit') return undefined;
  return { requestId: asked.requestId, verdict: verdictOf(response.action) };
}

/** The outcome as a tool result. Without an `outputSchema`, and as text too: not every client reads the structure. */
function toCallToolResult(outcome: ToolOutcome): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(outcome) }],
    structuredContent: { ...outcome },
    ...(outcome.error === undefined ? {} : { isError: true }),
  };
}

/**
 * Who calls without a session (2026-07-28): a client is known by the name and version that it sends with each request,
 * and two of one kind are taken for one. One that does not name itself is nobody: it cannot take up a call again.
 */
function callerWithoutSession(ctx: ServerContext): string | undefined {
  const envelope: { readonly [key: string]: unknown } = ctx.mcpReq.envelope ?? {};
  const client = envelope[CLIENT_INFO_META_KEY] as { readonly name: string; readonly version: string } | undefined;
  return client && JSON.stringify([client.name, client.version]);
}

/** Sends progress notifications where the client asked for them. Its numbers only count the reports. */
function progressReporter(ctx: ServerContext): ((message: string) => void) | undefined {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return (message) => {
    progress += 1;
    const params = { progressToken, progress, message };
    // A client that has gone away gets no progress; its call is being cancelled anyway.
    void ctx.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}
