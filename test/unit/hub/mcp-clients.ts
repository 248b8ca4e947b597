import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

/** What a tool call came to, in any client. */
export interface CallOutcome {
  readonly isError?: boolean | undefined;
  readonly structuredContent: { readonly [key: string]: unknown };
  readonly text: string;
}

export interface Notice {
  readonly type: 'tools' | 'resources' | 'updated';
  readonly uri?: string;
}

/** One face for the official clients, so that every test runs with each. */
export interface McpClient {
  tools(): Promise<{ name: string; description?: string | undefined; inputSchema: object; annotations?: object }[]>;
  resources(): Promise<{ uri: string; name: string; description?: string | undefined; mimeType?: string }[]>;
  read(uri: string): Promise<unknown>;
  subscribe(uri: string): Promise<void>;
  call(
    name: string,
    args: Record<string, unknown>,
    options?: { signal?: AbortSignal; onprogress?: (message: string) => void },
  ): Promise<CallOutcome>;
  /** The next notification of a type, or one that came already. */
  notice(type: Notice['type']): Promise<Notice>;
  /** Forgets the notifications that came. */
  forget(): void;
  close(): Promise<void>;
}

export type ClientKind = 'v1' | 'v2' | 'v2, 2026-07-28';
export const CLIENT_KINDS: readonly ClientKind[] = ['v1', 'v2', 'v2, 2026-07-28'];

/** What a client's user says to a question; a client without it cannot ask. */
export type Elicit = (message: string, schema: unknown) => ElicitAction | Promise<ElicitAction>;
type ElicitAction = 'accept' | 'decline' | 'cancel';

/** Makes one client per kind, over HTTP or over a transport that is given. */
export async function connectClient(
  kind: ClientKind,
  url: string,
  given?: unknown,
  elicit?: Elicit,
): Promise<McpClient> {
  const notices = createNotices();
  const capabilities = elicit === undefined ? {} : { elicitation: {} };
  const answer = async ({ params }: { params: object }) => {
    const { message, requestedSchema } = params as { message: string; requestedSchema: unknown };
    return { action: await elicit!(message, requestedSchema), content: {} };
  };
  if (kind === 'v1') {
    const client = new FirstClient({ name: 'test-v1', version: '1.0.0' }, { capabilities });
    if (elicit !== undefined) client.setRequestHandler(ElicitRequestSchema, answer);
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => notices.add({ type: 'tools' }));
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => notices.add({ type: 'resources' }));
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
      notices.add({ type: 'updated', uri: params.uri }),
    );
    const transport = (given ?? new FirstTransport(new URL(url))) as FirstTransport;
    await client.connect(transport as never);
    return {
      ...notices,
      tools: async () => (await client.listTools()).tools as never,
      resources: async () => (await client.listResources()).resources as never,
      read: async (uri) => parseContents(await client.readResource({ uri })),
      subscribe: async (uri) => void (await client.subscribeResource({ uri })),
      call: async (name, args, options = {}) => {
        const result = await client.callTool({ name, arguments: args }, undefined, requestOptions(options));
        return toOutcome(result as never);
      },
      close: async () => {
        if (given === undefined) await transport.terminateSession().catch(() => undefined);
        await client.close();
      },
    };
  }
  const modern = kind === 'v2, 2026-07-28';
  const client = new ModernClient(
    { name: 'test-v2', version: '1.0.0' },
    { capabilities, ...(modern && { versionNegotiation: { mode: { pin: '2026-07-28' } } }) },
  );
  if (elicit !== undefined) client.setRequestHandler('elicitation/create', answer);
  client.setNotificationHandler('notifications/tools/list_changed', () => notices.add({ type: 'tools' }));
  client.setNotificationHandler('notifications/resources/list_changed', () => notices.add({ type: 'resources' }));
  client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
    notices.add({ type: 'updated', uri: params.uri }),
  );
  const transport = (given ?? new StreamableHTTPClientTransport(new URL(url))) as StreamableHTTPClientTransport;
  await client.connect(transport);
  if (modern) await client.listen({ toolsListChanged: true, resourcesListChanged: true });
  return {
    ...notices,
    tools: async () => (await client.listTools()).tools as never,
    resources: async () => (await client.listResources()).resources as never,
    read: async (uri) => parseContents(await client.readResource({ uri })),
    subscribe: async (uri) => {
      if (modern) await client.listen({ resourceSubscriptions: [uri] });
      else await client.subscribeResource({ uri });
    },
    call: async (name, args, options = {}) =>
      toOutcome((await client.callTool({ name, arguments: args }, requestOptions(options))) as never),
    close: async () => {
      if (given === undefined) await transport.terminateSession().catch(() => undefined);
      await client.close();
    },
  };
}

function createNotices() {
  const came: Notice[] = [];
  const waiting: { type: string; resolve: (notice: Notice) => void }[] = [];
  return {
    add(notice: Notice): void {
      const at = waiting.findIndex(({ type }) => type === notice.type);
      if (at >= 0) waiting.splice(at, 1)[0]?.resolve(notice);
      else came.push(notice);
    },
    notice(type: Notice['type']): Promise<Notice> {
      const at = came.findIndex((notice) => notice.type === type);
      if (at >= 0) return Promise.resolve(came.splice(at, 1)[0] as Notice);
      return new Promise((resolve) => waiting.push({ type, resolve }));
    },
    forget(): void {
      came.length = 0;
    },
  };
}

function requestOptions({ signal, onprogress }: { signal?: AbortSignal; onprogress?: (message: string) => void }) {
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(onprogress === undefined
      ? {}
      : { onprogress: ({ message }: { message?: string | undefined }) => onprogress(message ?? '') }),
  };
}

function parseContents(result: { contents: unknown[] }): unknown {
  return JSON.parse((result.contents[0] as { text: string }).text);
}

function toOutcome(result: { isError?: boolean; structuredContent: object; content: { text: string }[] }): CallOutcome {
  return {
    isError: result.isError,
    structuredContent: result.structuredContent as { [key: string]: unknown },
    text: result.content[0]?.text ?? '',
  };
}
