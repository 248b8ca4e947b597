import type { AgentReadPart } from '../agent/agent-types.js';
import { ADDRESS_OPTIONS, readAddress, readCommandLine, text, usageError } from './cli-arguments.js';
import { withHub } from './cli-client.js';
import type { CommandIo } from './cli-io.js';
import { tellCuts, tellError } from './cli-outcome.js';
import { EXIT } from './cli-output.js';
import type { CliOutput } from './cli-output.js';
import { READ_TOOL } from './own-tools.js';
import type { ToolOutcome } from './tool-outcome.js';

/** `oui read`: prints an observation, or a part of it. */
export async function runRead(args: readonly string[], io: CommandIo): Promise<number> {
  const line = readCommandLine('read', args, {
    ...ADDRESS_OPTIONS,
    path: { type: 'string' },
    offset: { type: 'string' },
    limit: { type: 'string' },
    page: { type: 'string' },
    json: { type: 'boolean' },
  });
  const [surface, observation, ...others] = line.positionals;
  if (surface === undefined || observation === undefined || others.length > 0) {
    throw usageError('read', 'name a surface and an observation; `oui ls` lists them');
  }
  const path = text(line.values['path']);
  const page = text(line.values['page']);
  const offset = readCount('--offset', text(line.values['offset']));
  const limit = readCount('--limit', text(line.values['limit']));
  const asked = {
    surface,
    observation,
    ...(path === undefined ? {} : { path }),
    ...(offset === undefined ? {} : { offset }),
    ...(limit === undefined ? {} : { limit }),
    ...(page === undefined ? {} : { page }),
  };
  const outcome = await withHub(readAddress('read', line, io.env), async (client) => {
    const { structuredContent } = await client.callTool({ name: READ_TOOL, arguments: asked });
    return structuredContent as unknown as ToolOutcome;
  });
  if (line.values['json'] === true) io.output.print(JSON.stringify(outcome));
  else if (outcome.error !== undefined) tellError(outcome.error, io.output);
  else describe(outcome.data as AgentReadPart, outcome.page, io.output);
  return outcome.error === undefined ? EXIT.ok : EXIT.failed;
}

function readCount(option: string, given: string | undefined): number | undefined {
  if (given === undefined || /^\d{1,15}$/.test(given)) return given === undefined ? undefined : Number(given);
  throw usageError('read', `${option} ${JSON.stringify(given)} is no whole number`);
}

function describe(part: AgentReadPart, page: string | undefined, output: CliOutput): void {
  const { rows, value, total, more, next, fit } = part;
  output.print(JSON.stringify(rows ?? value, null, 2));
  if (more === true && next !== undefined) output.tell(`There is more, ${total ?? '?'} in all: --offset ${next}`);
  tellCuts(fit?.observations, page, output);
}
