import type { Client } from '@modelcontextprotocol/client';
import { messageOf } from '../protocol/error-message.js';
import type { JsonObject } from '../protocol/json.js';
import { ADDRESS_OPTIONS, readAddress, readCommandLine, text, texts, usageError } from './cli-arguments.js';
import { attachFiles, readFileArgument } from './cli-attachments.js';
import { withHub } from './cli-client.js';
import type { CommandIo } from './cli-io.js';
import { tellCuts, tellError } from './cli-outcome.js';
import { CliError, EXIT } from './cli-output.js';
import type { CliOutput } from './cli-output.js';
import { leftOut } from './read-on-text.js';
import type { ToolOutcome } from './tool-outcome.js';
import { PAGE_ARGUMENT } from './tool-schema.js';

/** How long `oui call` waits by default: a user may think about an approval for as long. Seconds. */
const DEFAULT_TIMEOUT_S = 300;

/** `oui call`: calls one tool and prints what came of it. */
export async function runCall(args: readonly string[], io: CommandIo): Promise<number> {
  const line = readCommandLine('call', args, {
    ...ADDRESS_OPTIONS,
    page: { type: 'string' },
    timeout: { type: 'string' },
    attach: { type: 'string', multiple: true },
    json: { type: 'boolean' },
  });
  const [tool, ...rest] = line.positionals;
  if (tool === undefined) throw usageError('call', 'name a tool; `oui ls` lists them');
  const timeoutMs = readTimeout(text(line.values['timeout']));
  const page = text(line.values['page']);

  const files = texts(line.values['attach']).map(readFileArgument);

  const outcome = await withHub(readAddress('call', line, io.env), async (client, hub) => {
    const schema = await schemaOf(client, tool);
    const params = await attachFiles(files, readParams(rest, schema), schema, hub);
    const all = page === undefined ? params : { ...params, [PAGE_ARGUMENT]: page };
    return callToEnd(client, tool, all, timeoutMs, line.values['json'] === true ? undefined : io.output);
  });
  if (line.values['json'] === true) io.output.print(JSON.stringify(outcome));
  else describe(outcome, io.output);
  return outcome.error === undefined ? EXIT.ok : EXIT.failed;
}

function readTimeout(given: string | undefined): number {
  const seconds = given === undefined ? DEFAULT_TIMEOUT_S : Number(given);
  if (Number.isFinite(seconds) && seconds > 0) return seconds * 1000;
  throw usageError('call', `--timeout ${JSON.stringify(given)} is no number of seconds`);
}

/** The tool's schema, to read `key=value` by. */
async function schemaOf(client: Client, tool: string): Promise<JsonObject | undefined> {
  const { tools } = await client.listTools();
  return tools.find(({ name }) => name === tool)?.inputSchema;
}

/** Arguments from the command line: one JSON object, or `key=value` for each. */
export function readParams(words: readonly string[], schema: JsonObject | undefined): JsonObject {
  const [first] = words;
  if (first === undefined) return {};
  if (words.length === 1 && first.trimStart().startsWith('{')) {
    try {
      return JSON.parse(first) as JsonObject;
    } catch (error) {
      throw usageError('call', `the arguments are not JSON: ${messageOf(error)}`);
    }
  }
  const entries = words.map((word): [string, unknown] => {
    const at = word.indexOf('=');
    if (at > 0) return [word.slice(0, at), readValue(word.slice(at + 1), propertyOf(schema, word.slice(0, at)))];
    throw usageError('call', `${JSON.stringify(word)} is neither a JSON object nor key=value`);
  });
  return Object.fromEntries(entries);
}

function propertyOf(schema: JsonObject | undefined, key: string): unknown {
  const properties = schema?.['properties'] as JsonObject | undefined;
  return properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
}

/** A text where the schema wants one, so that `title=42` is a title; else JSON where it reads as JSON. */
function readValue(value: string, property: unknown): unknown {
  const type = (property as { type?: unknown } | undefined)?.type;
  if (type === 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Calls, and follows up for as long as the call is pending. */
async function callToEnd(
  client: Client,
  tool: string,
  params: JsonObject,
  timeoutMs: number,
  output: CliOutput | undefined,
): Promise<ToolOutcome> {
  const signal = AbortSignal.timeout(timeoutMs);
  for (;;) {
    const result = await client
      .callTool(
        { name: tool, arguments: { ...params } },
        {
          signal,
          timeout: timeoutMs + 1000,
          ...(output === undefined ? {} : { onprogress: ({ message }) => void (message && output.tell(message)) }),
        },
      )
      .catch((error: unknown) => {
        if (!signal.aborted) throw error;
        throw new CliError(`${tool} took longer than ${timeoutMs / 1000} s and was cancelled.`, EXIT.failed);
      });
    const outcome = result.structuredContent as ToolOutcome;
    if (outcome.pending !== true) return outcome;
  }
}

function describe(outcome: ToolOutcome, output: CliOutput): void {
  const { data, error, settled, observations, fit, page } = outcome;
  const { print, tell } = output;
  if (error !== undefined) tellError(error, output);
  if (data !== undefined) print(JSON.stringify(data, null, 2));
  for (const [surface, values] of Object.entries(observations)) {
    for (const [id, value] of Object.entries(values)) print(`${surface}/${id} = ${JSON.stringify(value)}`);
  }
  if (!settled && error === undefined) tell('The page had not come to rest; it may still change.');
  tellCuts(fit?.observations, page, output);
  for (const words of leftOut(outcome)) tell(words);
  if (page !== undefined) tell(`On page ${page}.`);
}
