import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Server } from '@modelcontextprotocol/server';
import * as WARNINGS from '../protocol/warning-codes.js';
import { MAX_BODY_BYTES } from './http-bridge.js';
import { printable } from './hub-log.js';
import type { HubLog } from './hub-log.js';
import type { McpChanges } from './mcp-changes.js';
import type { Subscriptions } from './mcp-server.js';

/** A session that sends nothing and holds no open stream for so long is ended, in ms. Its client makes a new one. */
const IDLE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;
/** So many sessions at once: each holds a server in memory. */
const MAX_SESSIONS = 100;

interface Session {
  readonly id: string;
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly subscriptions: Subscriptions;
  /** Responses that are being sent, streams included. */
  open: number;
  lastUsed: number;
  /** The stream for notifications is open. */
  listening: boolean;
  /** What changed while it was not. */
  readonly missed: { tools: boolean; resources: boolean; readonly updated: Set<string> };
}

/** A response, and what to do when it has been sent or its client has gone. */
export interface ServedResponse {
  readonly response: Response;
  onEnd?(): void;
}

/** Sessions of MCP clients before 2026-07-28: each has its own server, so that it hears of changes. */
export interface McpSessions {
  /** Serves a request of such a client. `body` is its parsed JSON, where there is any. */
  handle(request: Request, body: unknown): Promise<ServedResponse>;
  notify(changes: McpChanges): void;
  readonly size: number;
  close(): Promise<void>;
}

export function createMcpSessions(
  makeServer: (subscriptions: Subscriptions) => Server,
  log: HubLog,
  now: () => number = Date.now,
): McpSessions {
  const sessions = new Map<string, Session>();

  const end = async (session: Session): Promise<void> => {
    sessions.delete(session.id);
    await session.server.close().catch(() => undefined);
  };

  const sweep = setInterval(() => {
    for (const session of sessions.values()) {
      if (session.open === 0 && now() - session.lastUsed > IDLE_MS) void end(session);
    }
  }, SWEEP_MS);
  sweep.unref();

  /** Makes room for one more: the session that has been idle longest goes. */
  const makeRoom = (): boolean => {
    if (sessions.size < MAX_SESSIONS) return true;
    const idle = [...sessions.values()].filter(({ open }) => open === 0).sort((a, b) => a.lastUsed - b.lastUsed)[0];
    if (idle === undefined) return false;
    void end(idle);
    return true;
  };

  const open = async (request: Request, body: unknown): Promise<ServedResponse> => {
    if (!makeRoom()) {
      const message = `The hub holds ${MAX_SESSIONS} MCP sessions, all of them in use; close one first.`;
      log({ level: 'warn', code: WARNINGS.HUB_FULL, message });
      return { response: rpcError(503, -32000, message) };
    }
    const subscriptions: Subscriptions = new Set();
    const server = makeServer(subscriptions);
    let session: Session | undefined;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: MAX_BODY_BYTES,
      onsessioninitialized(id) {
        const missed = { tools: false, resources: false, updated: new Set<string>() };
        session = { id, server, transport, subscriptions, open: 0, lastUsed: now(), listening: false, missed };
        sessions.set(id, session);
        server.oninitialized = () => {
          const client = server.getClientVersion();
          const name = client === undefined ? 'without a name' : printable(`${client.name} ${client.version}`);
          log({ level: 'info', message: `Agent connected: ${name}` });
        };
      },
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody: body });
    if (session !== undefined) return track(session, request, response);
    await server.close().catch(() => undefined);
    return { response };
  };

  const track = (session: Session, request: Request, response: Response): ServedResponse => {
    const stream = request.method === 'GET' && response.ok;
    session.lastUsed = now();
    session.open += 1;
    if (stream) {
      session.listening = true;
      catchUp(session);
    }
    return {
      response,
      onEnd() {
        session.open -= 1;
        session.lastUsed = now();
        if (stream) session.listening = false;
      },
    };
  };

  /** Changes between `initialize` and the opening of the stream would otherwise never be told. */
  const catchUp = (session: Session): void => {
    const { tools, resources, updated } = session.missed;
    Object.assign(session.missed, { tools: false, resources: false });
    const changes = { tools, resources, updated: [...updated] };
    updated.clear();
    tell(session, changes);
  };

  const tell = (session: Session, { tools, resources, updated }: McpChanges): void => {
    const mine = updated.filter((uri) => session.subscriptions.has(uri));
    if (!session.listening) {
      session.missed.tools ||= tools;
      session.missed.resources ||= resources;
      for (const uri of mine) session.missed.updated.add(uri);
      return;
    }
    const sent = [
      ...(tools ? [session.server.sendToolListChanged()] : []),
      ...(resources ? [session.server.sendResourceListChanged()] : []),
      ...mine.map((uri) => session.server.sendResourceUpdated({ uri })),
    ];
    // A client that is just going away: its session ends on its own.
    for (const each of sent) void each.catch(() => undefined);
  };

  return {
    async handle(request, body) {
      const id = request.headers.get('mcp-session-id');
      if (id === null) {
        if (request.method === 'POST') return open(request, body);
        return { response: rpcError(400, -32000, 'Bad Request: Mcp-Session-Id header is required') };
      }
      const session = sessions.get(id);
      // 404 tells the client to initialize again (MCP, "Session Management").
      if (session === undefined) {
        return { response: rpcError(404, -32001, 'Session not found: it has ended. Initialize again.') };
      }
      const response = await session.transport.handleRequest(request, { parsedBody: body });
      if (request.method !== 'DELETE' || !response.ok) return track(session, request, response);
      await end(session);
      return { response };
    },
    notify(changes) {
      for (const session of sessions.values()) tell(session, changes);
    },
    get size() {
      return sessions.size;
    },
    async close() {
      clearInterval(sweep);
      await Promise.all([...sessions.values()].map(end));
    },
  };
}

/** An error as MCP clients read it. */
export function rpcError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}
