import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { HubAddress } from './cli-arguments.js';
import { CliError, EXIT } from './cli-output.js';
import { DEFAULT_PORT, MCP_PATH, hubUrl } from './hub-address.js';
import { messageOf } from './hub-log.js';
import { packageVersion } from './package-version.js';
import { findPortOwner } from './port-owner.js';

/**
 * Runs one command as an MCP client of the running hub, and leaves no session behind.
 * @throws {CliError} exit 3, when there is no hub at the address.
 */
export async function withHub<T>(address: HubAddress, use: (client: Client) => Promise<T>): Promise<T> {
  const url = hubUrl(address.port, address.host);
  const owner = await findPortOwner(address.port, address.host);
  if (owner.kind !== 'hub') {
    const found = owner.kind === 'nobody' ? `No hub is running at ${url}.` : `${url} answers, but is no OUI hub.`;
    const option = address.port === DEFAULT_PORT ? '' : ` --port ${address.port}`;
    const way = owner.kind === 'nobody' ? `Start one with: oui hub${option}` : 'Name the hub\'s port: --port N';
    throw new CliError(`${found} ${way}`, EXIT.noHub);
  }
  const client = new Client({ name: 'oui', version: packageVersion() });
  const transport = new StreamableHTTPClientTransport(new URL(url + MCP_PATH));
  try {
    await client.connect(transport);
  } catch (error) {
    throw new CliError(`The hub at ${url} did not accept the connection: ${messageOf(error)}`, EXIT.noHub);
  }
  try {
    return await use(client);
  } finally {
    // Neither changes the command's outcome: the hub drops idle sessions by itself.
    await transport.terminateSession().catch(() => undefined);
    await client.close().catch(() => undefined);
  }
}
