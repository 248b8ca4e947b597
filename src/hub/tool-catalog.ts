import type { AgentTool } from '../agent/agent-types.js';
import { ATTACH_HINT } from './attach-tool.js';
import type { OwnTools } from './own-tools.js';
import { pageLabel } from './page-description.js';
import type { HubPage, PageDirectory } from './page-directory.js';
import { hasOwnPageArgument, toToolSchema, withPageArgument } from './tool-schema.js';
import type { ListedTool } from './listed-tool.js';

/** Where a tool can be called. */
export interface ToolRoute {
  readonly page: HubPage;
  readonly tool: AgentTool;
}

export interface ToolCatalog {
  /** All tools of all connected pages, each name once, and the hub's own. */
  list(): readonly ListedTool[];
  /** The pages that have the tool, or had it and may come back, the newest last; empty when there is none. */
  routes(name: string): readonly ToolRoute[];
}

/** Collects the tools of the connected pages. A name in two of them is one tool with a choice; states never merge. */
export function createToolCatalog(directory: PageDirectory, own: Pick<OwnTools, 'list'>): ToolCatalog {
  const collect = (): Map<string, ToolRoute[]> => {
    const byName = new Map<string, ToolRoute[]>();
    for (const page of directory.pages()) {
      for (const tool of page.tools()) {
        const routes = byName.get(tool.name);
        if (routes === undefined) byName.set(tool.name, [{ page, tool }]);
        else routes.push({ page, tool });
      }
    }
    return byName;
  };
  return {
    list: () => [...[...collect().values()].map(toListedTool), ...own.list()],
    routes: (name) =>
      directory.known().flatMap((page) => {
        const tool = [...page.tools(), ...page.awaitedTools()].find((each) => each.name === name);
        return tool ? [{ page, tool }] : [];
      }),
  };
}

function toListedTool(routes: readonly ToolRoute[]): ListedTool {
  // The newest page's definition stands for all: it is the one that is called by default.
  const { tool } = routes[routes.length - 1] as ToolRoute;
  const schema = toToolSchema(tool.inputSchema);
  const choice = routes.length > 1 && !hasOwnPageArgument(tool.inputSchema);
  const pages = routes.map(({ page }) => ({ id: page.id, label: pageLabel(page) }));
  return {
    name: tool.name,
    ...(tool.title === undefined ? {} : { title: tool.title }),
    description: tool.takesAttachments ? `${tool.description}\n${ATTACH_HINT}` : tool.description,
    inputSchema: choice ? withPageArgument(schema, pages) : schema,
    annotations: {
      ...(tool.title === undefined ? {} : { title: tool.title }),
      readOnlyHint: tool.annotations.readOnly,
      destructiveHint: tool.annotations.destructive,
      // A tool acts on its page and what is behind it, not on the web at large.
      openWorldHint: false,
    },
    _meta: {
      'oui/surface': tool.surfaceId,
      'oui/action': tool.actionId,
      'oui/pages': pages.map(({ id }) => id),
    },
  };
}
