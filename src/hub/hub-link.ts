import { setTimeout as delay } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client';
import { messageOf } from '../protocol/error-message.js';
import * as WARNINGS from '../protocol/warning-codes.js';
import type { EnsuredHub } from './ensure-hub.js';
import type { HubLog } from './hub-log.js';
import { packageVersion } from './package-version.js';
import { watchedFetch } from './watched-fetch.js';

/** What a link tells. */
export type HubLinkEvent =
  | { readonly type: 'tools' }
  | { readonly type: 'resources' }
  | { readonly type: 'updated'; readonly uri: string };

export interface HubLinkOptions {
  /** Finds the hub, or becomes it. */
  readonly ensure: () => Promise<EnsuredHub>;
  readonly onEvent: (event: HubLinkEvent) => void;
  /** A question of the hub's to the user of a client that can ask. */
  readonly onQuestion: (question: ElicitRequestParams, signal: AbortSignal) => Promise<ElicitResult>;
  readonly log: HubLog;
}

/** A lasting connection to whichever hub there is. */
export interface HubLink {
  /**
   * The client of the present hub; waits while there is none.
   * @throws {Error} rejects when the link is closed.
   */
  client(): Promise<Client>;
  /** The resources whose changes are wanted from now on, over all hubs. */
  subscribe(uris: ReadonlySet<string>): void;
  /** Ends the link, and the hub if it is this process's. Idempotent. */
  close(): Promise<void>;
}

/** Waits between attempts to find another hub, in ms. */
const RETRY_MIN_MS = 100;
const RETRY_MAX_MS = 2000;

interface Connection {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  readonly own: EnsuredHub['own'];
}

/**
 * Connects to the hub and stays connected: when it goes away, this process joins the next one or becomes it.
 * Rejects when the first attempt fails; later ones are repeated for as long as it takes.
 */
export async function createHubLink({ ensure, onEvent, onQuestion, log }: HubLinkOptions): Promise<HubLink> {
  let wanted: ReadonlySet<string> = new Set();
  let held = new Set<string>();
  let closed = false;

  const connect = async (): Promise<Connection> => {
    const { mcpUrl, own } = await ensure();
    const client = new Client(
      { name: 'oui-mcp', version: packageVersion() },
      { capabilities: { elicitation: { form: {} } } },
    );
    client.setRequestHandler('elicitation/create', ({ params }, ctx) => onQuestion(params, ctx.mcpReq.signal));
    client.setNotificationHandler('notifications/tools/list_changed', () => onEvent({ type: 'tools' }));
    client.setNotificationHandler('notifications/resources/list_changed', () => onEvent({ type: 'resources' }));
    client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
      onEvent({ type: 'updated', uri: params.uri }),
    );
    const transport = new StreamableHTTPClientTransport(new URL(mcpUrl), {
      fetch: watchedFetch(() => lost(client)),
      // A hub that is gone does not come back by itself: another takes its place, with another session.
      reconnectionOptions: {
        initialReconnectionDelay: RETRY_MIN_MS,
        maxReconnectionDelay: RETRY_MIN_MS,
        reconnectionDelayGrowFactor: 1,
        maxRetries: 0,
      },
    });
    try {
      await client.connect(transport);
    } catch (error) {
      await own?.close();
      throw error;
    }
    log({ level: 'info', message: own ? `This process is the hub: ${own.url}` : `Joined the hub at ${mcpUrl}` });
    return { client, transport, own };
  };

  const reconnect = async (): Promise<Connection> => {
    for (let wait = RETRY_MIN_MS; ; wait = Math.min(wait * 2, RETRY_MAX_MS)) {
      if (closed) throw new Error('The link to the hub was closed.');
      try {
        return await connect();
      } catch (error) {
        log({ level: 'warn', code: WARNINGS.HUB_FAULT, message: `No hub yet: ${messageOf(error)}` });
        await delay(wait);
      }
    }
  };

  let present: Connection | undefined = await connect();
  let next: Promise<Connection> = Promise.resolve(present);

  function lost(client: Client): void {
    if (closed || present?.client !== client) return;
    const gone = present;
    present = undefined;
    log({ level: 'info', message: 'The hub went away; looking for another.' });
    // Ends what is pending there: whoever waits is told.
    void gone.client.close().catch(() => undefined);
    next = Promise.resolve(gone.own?.close())
      .then(reconnect)
      .then(async (connection) => {
        present = connection;
        held = new Set();
        await adopt(connection.client);
        onEvent({ type: 'tools' });
        onEvent({ type: 'resources' });
        for (const uri of wanted) onEvent({ type: 'updated', uri });
        return connection;
      });
    // Only a closed link rejects, and then whoever asks for the client is told.
    next.catch(() => undefined);
  }

  /** Brings the hub's subscriptions in line with what is wanted. A failure here shows as a lost hub elsewhere. */
  const adopt = async (client: Client): Promise<void> => {
    const add = [...wanted].filter((uri) => !held.has(uri));
    const drop = [...held].filter((uri) => !wanted.has(uri));
    held = new Set(wanted);
    await Promise.allSettled([
      ...add.map((uri) => client.subscribeResource({ uri })),
      ...drop.map((uri) => client.unsubscribeResource({ uri })),
    ]);
  };

  return {
    async client() {
      return (await next).client;
    },
    subscribe(uris) {
      wanted = new Set(uris);
      if (present !== undefined) void adopt(present.client);
    },
    async close() {
      if (closed) return;
      closed = true;
      const last = present ?? (await next.catch(() => undefined));
      present = undefined;
      if (last === undefined) return;
      // Tells the hub at once instead of leaving it a session to time out; one that is gone need not hear it.
      await last.transport.terminateSession().catch(() => undefined);
      await last.client.close().catch(() => undefined);
      await last.own?.close();
    },
  };
}
