import type { Release } from '../protocol/ports.js';
import { PAGES_URI, observationUri } from './observation-resources.js';
import type { ObservationResources } from './observation-resources.js';
import type { PageDirectory } from './page-directory.js';
import type { ToolCatalog } from './tool-catalog.js';

/** A page registers its surfaces one by one: what changes within so many ms is told once. */
const GATHER_MS = 25;

/** What MCP clients are told about. */
export interface McpChanges {
  readonly tools: boolean;
  readonly resources: boolean;
  /** Addresses of resources with a new value. */
  readonly updated: readonly string[];
}

/** Turns the pages' events into MCP's notifications: gathered, and none when a list reads as before. */
export function watchChanges(
  directory: PageDirectory,
  tools: ToolCatalog,
  resources: ObservationResources,
  tell: (changes: McpChanges) => void,
): Release {
  const updated = new Set<string>();
  let lists = false;
  let timer: NodeJS.Timeout | undefined;
  let toolsText = JSON.stringify(tools.list());
  let listed = resources.list();
  let resourcesText = JSON.stringify(listed);

  const flush = (): void => {
    timer = undefined;
    const before = { toolsText, resourcesText };
    // A job's status is no declared observation: it joins the list with its first value.
    if (lists || [...updated].some((uri) => !listed.some((resource) => resource.uri === uri))) {
      toolsText = JSON.stringify(tools.list());
      listed = resources.list();
      resourcesText = JSON.stringify(listed);
    }
    lists = false;
    const changes: McpChanges = {
      tools: toolsText !== before.toolsText,
      resources: resourcesText !== before.resourcesText,
      updated: [...updated],
    };
    updated.clear();
    if (changes.tools || changes.resources || changes.updated.length > 0) tell(changes);
  };

  const release = directory.onChange((event) => {
    if (event.type === 'observation') {
      updated.add(observationUri(event.pageId, event.surfaceId, event.observationId));
    } else {
      updated.add(PAGES_URI);
      lists = true;
    }
    timer ??= setTimeout(flush, GATHER_MS);
  });
  return () => {
    release();
    clearTimeout(timer);
  };
}
