import type { Client } from '@modelcontextprotocol/client';
import type { OUIError } from '../protocol/events.js';
import type { OUIAction } from '../protocol/manifest.js';
import { ADDRESS_OPTIONS, readAddress, readCommandLine, text, usageError } from './cli-arguments.js';
import { withHub } from './cli-client.js';
import type { CommandIo } from './cli-io.js';
import { tellError } from './cli-outcome.js';
import { CliError, EXIT } from './cli-output.js';
import { DESCRIBE_TOOL, DESCRIBED_AT_ONCE } from './own-tools.js';
import type { ToolOutcome } from './tool-outcome.js';

interface Described {
  readonly tool: string;
  readonly definition?: OUIAction;
  readonly error?: OUIError;
}

/** `oui describe`: prints the whole definitions of a surface's actions, or of one. */
export async function runDescribe(args: readonly string[], io: CommandIo): Promise<number> {
  const line = readCommandLine('describe', args, {
    ...ADDRESS_OPTIONS,
    page: { type: 'string' },
    json: { type: 'boolean' },
  });
  const [surface, action, ...others] = line.positionals;
  if (surface === undefined || others.length > 0) {
    throw usageError('describe', 'name a surface, and an action if one is enough; `oui ls` lists them');
  }
  const page = text(line.values['page']);
  const described = await withHub(readAddress('describe', line, io.env), async (client) => {
    const tools = await toolsOf(client, surface, action);
    const all: Described[] = [];
    for (let at = 0; at < tools.length; at += DESCRIBED_AT_ONCE) {
      all.push(...(await describe(client, tools.slice(at, at + DESCRIBED_AT_ONCE), page)));
    }
    return all;
  });
  const { output } = io;
  if (line.values['json'] === true) output.print(JSON.stringify(described));
  else {
    for (const { tool, definition, error } of described) {
      if (error) tellError(error, output);
      else output.print(`${tool} ${JSON.stringify(definition, null, 2)}`);
    }
  }
  return described.some(({ error }) => error) ? EXIT.failed : EXIT.ok;
}

/** The names of a surface's tools. */
async function toolsOf(client: Client, surface: string, action: string | undefined): Promise<string[]> {
  const { tools } = await client.listTools();
  const names = tools.flatMap(({ name, _meta }) => {
    const wanted = _meta?.['oui/surface'] === surface && (action === undefined || _meta['oui/action'] === action);
    return wanted ? [name] : [];
  });
  if (names.length > 0) return names;
  const what = action === undefined ? `a surface "${surface}"` : `the action "${action}" on surface "${surface}"`;
  throw new CliError(`No page has ${what}. See what there is: oui ls`, EXIT.failed);
}

async function describe(client: Client, tools: readonly string[], page: string | undefined): Promise<Described[]> {
  const { structuredContent } = await client.callTool({
    name: DESCRIBE_TOOL,
    arguments: { tools, ...(page === undefined ? {} : { page }) },
  });
  const { data, error } = structuredContent as unknown as ToolOutcome;
  if (error) throw new CliError(`${error.code}: ${error.message}`, EXIT.failed);
  return (data as { readonly tools: Described[] }).tools;
}
