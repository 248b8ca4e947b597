import { realpathSync } from 'node:fs';
import { HUB_OPTIONS, readCommandLine, readHubOptions, usageError } from './cli-arguments.js';
import type { CommandIo } from './cli-io.js';
import { CliError, EXIT, cliLog } from './cli-output.js';
import { createHub } from './create-hub.js';
import type { Hub } from './create-hub.js';
import { DEFAULT_PORT } from './hub-address.js';
import { packageVersion } from './package-version.js';
import { PortTakenError } from './port-owner.js';

/** `oui hub`: a hub until it is told to stop. */
export async function runHub(args: readonly string[], io: CommandIo): Promise<number> {
  const line = readCommandLine('hub', args, HUB_OPTIONS);
  if (line.positionals.length > 0) {
    throw usageError('hub', `it takes no ${JSON.stringify(line.positionals[0])}; to serve a folder: --serve DIR`);
  }
  const options = readHubOptions('hub', line, io.env);
  let hub: Hub;
  try {
    hub = await createHub({ ...options, onLog: cliLog(io.output) });
  } catch (error) {
    if (error instanceof PortTakenError) throw new CliError(error.message, EXIT.failed);
    if (error instanceof Error) throw usageError('hub', error.message);
    throw error;
  }
  for (const text of greeting(hub, options.static ?? [])) io.output.print(text);
  await io.stopped;
  await hub.close();
  return EXIT.ok;
}

/** What a hub says at its start: where it can be reached, and what to paste where. */
function greeting(hub: Hub, folders: readonly { readonly folder: string; readonly prefix?: string }[]): string[] {
  const port = new URL(hub.url).port;
  const command = { command: process.execPath, args: [scriptPath(), 'mcp', ...portArguments(Number(port))] };
  return [
    `OUI hub ${packageVersion()}`,
    `  pages connect to   ${hub.pageUrl}`,
    `  agents connect to  ${hub.mcpUrl}`,
    `  a page needs       <script type="module" src="${hub.url}/oui.js"></script>`,
    `                     <oui-runtime url="${hub.pageUrl}"></oui-runtime>`,
    ...folders.map(({ folder, prefix }) => `  serving            ${folder} at ${hub.url}${prefix ?? '/'}`),
    '',
    'MCP configuration to paste, for clients that connect by HTTP:',
    ...indent(JSON.stringify({ mcpServers: { oui: { type: 'http', url: hub.mcpUrl } } }, null, 2)),
    'or for clients that start a command:',
    ...indent(JSON.stringify({ mcpServers: { oui: command } }, null, 2)),
    '',
    'Ctrl-C ends it.',
  ];
}

function portArguments(port: number): string[] {
  return port === DEFAULT_PORT ? [] : ['--port', String(port)];
}

/** The script that runs now, by its real path: what a package manager links in its place may move. */
function scriptPath(): string {
  const script = process.argv[1] ?? 'oui';
  try {
    return realpathSync(script);
  } catch {
    return script;
  }
}

function indent(json: string): string[] {
  return json.split('\n').map((line) => `  ${line}`);
}
