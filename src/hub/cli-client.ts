import { messageOf } from '../protocol/error-message.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { HubAddress } from './cli-arguments.js';
import { CliError, EXIT } from './cli-output.js';
import { DEFAULT_PORT, MCP_PATH, hubUrl } from './hub-address.js';
import { packageVersion } from './package-version.js';
import { findPortOwner } from './port-owner.js';
import { watchedFetch } from './watched-fetch.js';

/** The hub that a command talks to. */
export interface OpenedHub {
  readonly client: Client;
  readonly url: string;
  /** Of the client's MCP session. */
  readonly sessionId: string | undefined;
}

/**
 * Runs one command as an MCP client of the running hub, and leaves no session behind.
 * @throws {CliError} exit 3, when there is no hub at the address.
 */
export async function withHub<T>(address: HubAddress, use: (client: Client, hub: OpenedHub) => Promise<T>): Promise<T> {
  const url = hubUrl(address.port, address.host);
  const owner = await findPortOwner(address.port, address.host);
  if (owner.kind !== 'hub') {
    const found = owner.kind === 'nobody' ? `No hub is running at ${url}.` : `${url} answers, but is no OUI hub.`;
    const option = address.port === DEFAULT_PORT ? '' : ` --port ${address.port}`;
    const way = owner.kind === 'nobody' ? `Start one with: oui hub${option}` : 'Name the hub\'s port: --port N';
    throw new CliError(`${found} ${way}`, EXIT.noHub);
  }
  const client = new Client({ name: 'oui', version: packageVersion() });
  let gone = false;
  const transport = new StreamableHTTPClientTransport(new URL(url + MCP_PATH), {
    // Ends what is pending: a hub that was killed leaves its clients waiting.
    fetch: watchedFetch(() => {
      gone = true;
      void client.close().catch(() => undefined);
    }),
    reconnectionOptions: {
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 0,
    },
  });
  try {
    await client.connect(transport);
  } catch (error) {
    throw new CliError(`The hub at ${url} did not accept the connection: ${messageOf(error)}`, EXIT.noHub);
  }
  try {
    return await use(client, { client, url, sessionId: transport.sessionId });
  } catch (error) {
    if (!gone) throw error;
    const message = `The hub at ${url} went away meanwhile. Whether an action that was called has run is not known.`;
    throw new CliError(message, EXIT.noHub);
  } finally {
    // Neither changes the command's outcome: the hub drops idle sessions by itself.
    await transport.terminateSession().catch(() => undefined);
    await client.close().catch(() => undefined);
  }
}
