import { AgentReadError } from '../agent/agent-read-error.js';
import type { AgentReadOptions, AgentReadPart } from '../agent/agent-types.js';
import { invalidParams } from '../agent/call-errors.js';
import * as ERROR_CODES from '../protocol/error-codes.js';
import { messageOf } from '../protocol/error-message.js';
import type { OUIError } from '../protocol/events.js';
import type { JsonObject } from '../protocol/json.js';
import type { Validator } from '../protocol/ports.js';
import { ATTACH, ATTACH_SCHEMA, ATTACH_TOOL, attach } from './attach-tool.js';
import type { AttachmentStore } from './attachment-store.js';
import type { HubPage, PageDirectory } from './page-directory.js';
import { choosePage } from './page-choice.js';
import { readRest } from './read-on-text.js';
import type { ListedTool } from './listed-tool.js';
import type { ToolOutcome } from './tool-outcome.js';
import type { ToolInputSchema } from './tool-schema.js';

/** Names of the hub's own tools. No page's tool can have one: those have two underscores in a row. */
export const READ_TOOL = 'oui_read';
export const DESCRIBE_TOOL = 'oui_describe';

/** So many tools are described at once: a model that asks for more wants to list them. */
export const DESCRIBED_AT_ONCE = 20;

const page = {
  type: 'string',
  description: 'The id of a page, where several are open. Default: the newest that has it.',
} as const;

const READ_SCHEMA = {
  type: 'object',
  properties: {
    surface: { type: 'string', description: 'The id of the surface, such as "todo-app".' },
    observation: { type: 'string', description: 'The id of the observation, such as "todo_list".' },
    path: { type: 'string', description: 'JSON Pointer to a part of the value, such as "/rows/0". Default: all of it.' },
    offset: { type: 'integer', minimum: 0, description: 'Of a list or a text: where to begin. Default 0.' },
    limit: { type: 'integer', minimum: 1, description: 'Of a list or a text: how much to give at most.' },
    page,
  },
  required: ['surface', 'observation'],
  additionalProperties: false,
} as const satisfies ToolInputSchema;

const DESCRIBE_SCHEMA = {
  type: 'object',
  properties: {
    tools: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      maxItems: DESCRIBED_AT_ONCE,
      description: 'Names of tools, such as "todo-app__add_todo".',
    },
    page,
  },
  required: ['tools'],
  additionalProperties: false,
} as const satisfies ToolInputSchema;

const annotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: false } as const;

const READ: ListedTool = {
  name: READ_TOOL,
  title: 'Read a page\'s state',
  description:
    'Reads an observation of a page: its present value, or a part of it. Results of other tools carry what they ' +
    'changed; where a value was cut to fit, this gives the rest, a list in pages: {rows, total, offset, more, next}.',
  inputSchema: READ_SCHEMA,
  annotations,
  _meta: {},
};

const DESCRIBE: ListedTool = {
  name: DESCRIBE_TOOL,
  title: 'Describe tools',
  description:
    'Gives the whole definitions of tools, with their input schemas. Some pages list their tools with a line on what ' +
    'each takes; calling such a tool works without this, when that line is enough.',
  inputSchema: DESCRIBE_SCHEMA,
  annotations,
  _meta: {},
};

/** The hub's own tools: what the pages' tools leave to be asked for (PROTOCOL.md §7). */
export interface OwnTools {
  /** Those that are of use with the pages that are connected now. */
  list(): readonly ListedTool[];
  /**
   * Calls one of them, also one that is not listed now; undefined for a name that is none of theirs.
   * @param caller whose call it is, where that is known
   */
  call(name: string, args: JsonObject, caller?: string): Promise<ToolOutcome> | undefined;
}

interface OwnTool {
  readonly check: ReturnType<Validator['compile']>;
  run(args: unknown, caller: string | undefined): Promise<ToolOutcome> | ToolOutcome;
}

export function createOwnTools(
  directory: PageDirectory,
  validator: Validator,
  attachments: AttachmentStore,
): OwnTools {
  const tools: { readonly [name: string]: OwnTool } = {
    [READ_TOOL]: { check: validator.compile(READ_SCHEMA), run: (args: unknown) => read(directory, args as ReadArgs) },
    [DESCRIBE_TOOL]: {
      check: validator.compile(DESCRIBE_SCHEMA),
      run: (args: unknown) => describe(directory, args as DescribeArgs),
    },
    [ATTACH_TOOL]: {
      check: validator.compile(ATTACH_SCHEMA),
      run: (args, caller) => attach(attachments, args as Parameters<typeof attach>[1], caller),
    },
  };
  return {
    list() {
      const pages = directory.pages();
      return [
        ...(pages.some((each) => each.observations().length > 0) ? [READ] : []),
        ...(pages.some((each) => each.tools().some(({ indexed }) => indexed)) ? [DESCRIBE] : []),
        ...(pages.some((each) => each.tools().some(({ takesAttachments }) => takesAttachments)) ? [ATTACH] : []),
      ];
    },
    call(name, args, caller) {
      const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
      if (!tool) return undefined;
      const errors = tool.check(args);
      if (errors.length === 0) return Promise.resolve(tool.run(args, caller));
      return Promise.resolve(failed(invalidParams(name, errors)));
    },
  };
}

interface ReadArgs extends AgentReadOptions {
  readonly surface: string;
  readonly observation: string;
  readonly page?: string;
}

async function read(directory: PageDirectory, args: ReadArgs): Promise<ToolOutcome> {
  const { surface, observation, page: asked, ...part } = args;
  const choice = choosePage(directory, asked, (each) => hasSurface(each, surface));
  if ('error' in choice) return failed(choice.error);
  try {
    const data = await readPart(choice.page, surface, observation, part);
    const next = readRest({ surface, observation, ...part, page: named(directory, choice.page) }, data);
    return done(directory, choice.page, data, next);
  } catch (error) {
    const code = error instanceof AgentReadError ? error.code : ERROR_CODES.INTERNAL_ERROR;
    return failed({ code, message: messageOf(error) });
  }
}

/** A value that is here whole needs no asking; pages of v1 could not answer. */
async function readPart(
  from: HubPage,
  surface: string,
  observation: string,
  part: AgentReadOptions,
): Promise<AgentReadPart> {
  const cut = from.observation(surface, observation)?.cuts !== undefined;
  if (cut || Object.keys(part).length > 0) return from.read(surface, observation, { path: '', ...part });
  return { value: await from.read(surface, observation) };
}

interface DescribeArgs {
  readonly tools: readonly string[];
  readonly page?: string;
}

async function describe(directory: PageDirectory, args: DescribeArgs): Promise<ToolOutcome> {
  const { tools, page: asked } = args;
  const choice = choosePage(directory, asked, (each) => {
    return [...each.tools(), ...each.awaitedTools()].some(({ name }) => tools.includes(name));
  });
  if ('error' in choice) return failed(choice.error);
  const list = await choice.page.describe(tools);
  const described = list.map(({ surfaceId, action, error }, index) => {
    return { tool: tools[index], ...(action ? { surface: surfaceId, definition: action } : { error }) };
  });
  return done(directory, choice.page, { tools: described }, undefined);
}

function hasSurface(each: HubPage, surfaceId: string): boolean {
  return (
    each.surfaces().some(({ id }) => id === surfaceId) ||
    each.awaitedTools().some((tool) => tool.surfaceId === surfaceId)
  );
}

/** The page's id, where it takes one to tell it from others. */
function named(directory: PageDirectory, { id }: HubPage): string | undefined {
  return directory.pages().length > 1 ? id : undefined;
}

function done(directory: PageDirectory, from: HubPage, data: unknown, next: string | undefined): ToolOutcome {
  const id = named(directory, from);
  return {
    data,
    settled: true,
    observations: {},
    ...(id === undefined ? {} : { page: id }),
    ...(next === undefined ? {} : { next }),
  };
}

function failed(error: OUIError): ToolOutcome {
  return { error, settled: true, observations: {} };
}
