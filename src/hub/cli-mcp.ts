import { HUB_OPTIONS, readCommandLine, readHubOptions, usageError } from './cli-arguments.js';
import type { CommandIo } from './cli-io.js';
import { CliError, EXIT, cliLog } from './cli-output.js';
import { ensureHub } from './ensure-hub.js';
import { PortTakenError } from './port-owner.js';
import { createStdioGateway } from './stdio-gateway.js';
import type { StdioGateway } from './stdio-gateway.js';

/** `oui mcp`: an MCP server on stdio, until its client closes the standard input. Only JSON-RPC goes to stdout. */
export async function runMcp(args: readonly string[], io: CommandIo): Promise<number> {
  const line = readCommandLine('mcp', args, HUB_OPTIONS);
  if (line.positionals.length > 0) throw usageError('mcp', `it takes no ${JSON.stringify(line.positionals[0])}`);
  const options = readHubOptions('mcp', line, io.env);
  const log = cliLog(io.output);
  let gateway: StdioGateway;
  try {
    gateway = await createStdioGateway({ ensure: () => ensureHub({ ...options, onLog: log }), log });
  } catch (error) {
    if (error instanceof PortTakenError) throw new CliError(error.message, EXIT.failed);
    throw error;
  }
  await Promise.race([gateway.ended, io.stopped]);
  await gateway.close();
  return EXIT.ok;
}
